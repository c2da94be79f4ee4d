package writeback_test

import (
	"os"

	"github.com/pifs/pifs/writeback"
)

// faults is the operating system with a fault at one step, or two.
type faults struct {
	writeback.OS
	at, also writeback.Op
	err      error              // of that step
	short    int                // bytes that it still writes, if it writes
	cut      int                // bytes that OpWrite writes at most, 0 for all; no fault
	before   func(writeback.Op) // called before each step
	seen     []writeback.Op     // all steps
}

// step notes a step and returns the error that it has.
func (f *faults) step(op writeback.Op) error {
	f.seen = append(f.seen, op)
	if f.before != nil {
		f.before(op)
	}
	if op == f.at || op == f.also {
		return f.err
	}
	return nil
}

func (f *faults) Open(op writeback.Op, path string, flag int, perm os.FileMode) (*os.File, error) {
	if err := f.step(op); err != nil {
		return nil, err
	}
	return f.OS.Open(op, path, flag, perm)
}

func (f *faults) TryLock(op writeback.Op, file *os.File) error {
	if err := f.step(op); err != nil {
		return err
	}
	return f.OS.TryLock(op, file)
}

func (f *faults) Stat(op writeback.Op, file *os.File) (writeback.ID, error) {
	if err := f.step(op); err != nil {
		return writeback.ID{}, err
	}
	return f.OS.Stat(op, file)
}

func (f *faults) StatPath(op writeback.Op, path string) (writeback.ID, error) {
	if err := f.step(op); err != nil {
		return writeback.ID{}, err
	}
	return f.OS.StatPath(op, path)
}

func (f *faults) ReadAt(op writeback.Op, file *os.File, p []byte, at int64) (int, error) {
	if err := f.step(op); err != nil {
		return 0, err
	}
	return f.OS.ReadAt(op, file, p, at)
}

func (f *faults) Reserve(op writeback.Op, file *os.File, at, sizeBytes int64) error {
	if err := f.step(op); err != nil {
		return err
	}
	return f.OS.Reserve(op, file, at, sizeBytes)
}

// Write writes no more than short bytes at the step with the fault, whose error may
// be nil.
func (f *faults) Write(op writeback.Op, file *os.File, p []byte) (int, int64, error) {
	err := f.step(op)
	if op == writeback.OpWrite && f.cut > 0 {
		p = p[:min(f.cut, len(p))]
	}
	if op == f.also {
		return 0, 0, err
	}
	if op != f.at {
		return f.OS.Write(op, file, p)
	}
	n, at, e := f.OS.Write(op, file, p[:min(f.short, len(p))])
	if e != nil {
		return n, at, e
	}
	return n, at, err
}

func (f *faults) CopyAttributes(op writeback.Op, from, to *os.File) error {
	if err := f.step(op); err != nil {
		return err
	}
	return f.OS.CopyAttributes(op, from, to)
}

func (f *faults) Sync(op writeback.Op, file *os.File) error {
	if err := f.step(op); err != nil {
		return err
	}
	return f.OS.Sync(op, file)
}

// Close closes the file even if it reports a fault, as the kernel does.
func (f *faults) Close(op writeback.Op, file *os.File) error {
	err := f.step(op)
	if e := f.OS.Close(op, file); err == nil {
		err = e
	}
	return err
}

func (f *faults) Rename(op writeback.Op, from, to string) error {
	if err := f.step(op); err != nil {
		return err
	}
	return f.OS.Rename(op, from, to)
}

func (f *faults) Remove(op writeback.Op, path string) error {
	if err := f.step(op); err != nil {
		return err
	}
	return f.OS.Remove(op, path)
}
