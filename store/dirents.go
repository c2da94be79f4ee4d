package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// direntBytes is how much of a directory is read at once.
const direntBytes = 32 << 10

// readDirectory calls f with each name in a directory, in no order, and with its
// type (unix.DT_REG, …), which is never unix.DT_UNKNOWN. name is valid until f
// returns. buf is what is read into. It is os.ReadDir without a value for each name.
func readDirectory(path string, buf []byte, f func(name []byte, typ uint8)) error {
	dir, err := openRaw(path, unix.O_DIRECTORY)
	if err != nil {
		return err
	}
	defer dir.close()
	for {
		var n int
		err := ignoringEINTR(func() (err error) {
			n, err = unix.Getdents(int(dir), buf)
			return err
		})
		if err != nil {
			return &os.PathError{Op: "getdents", Path: path, Err: err}
		}
		if n == 0 {
			return nil
		}
		if err := eachDirent(path, buf[:n], f); err != nil {
			return err
		}
	}
}

// eachDirent calls f with what getdents has given: records of linux_dirent64, which
// are ino (8 bytes), off (8), reclen (2), type (1), and the name with a zero behind it.
func eachDirent(dir string, records []byte, f func(name []byte, typ uint8)) error {
	const reclenAt, typeAt, nameAt = 16, 18, 19
	for len(records) > nameAt {
		length := int(binary.NativeEndian.Uint16(records[reclenAt:]))
		record := records[:length]
		records = records[length:]
		name, _, _ := bytes.Cut(record[nameAt:], []byte{0})
		if string(name) == "." || string(name) == ".." {
			continue
		}
		typ := record[typeAt]
		if typ == unix.DT_UNKNOWN {
			var err error
			if typ, err = typeOf(join(dir, string(name))); errors.Is(err, os.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
		}
		f(name, typ)
	}
	return nil
}

// typeOf is for file systems that do not tell the type in the directory.
func typeOf(path string) (uint8, error) {
	var st syscall.Stat_t
	if err := ignoringEINTR(func() error { return syscall.Lstat(path, &st) }); err != nil {
		return 0, &os.PathError{Op: "lstat", Path: path, Err: err}
	}
	return uint8(st.Mode & syscall.S_IFMT >> 12), nil // as glibc's IFTODT
}
