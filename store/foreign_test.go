package store

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pifs/pifs/model"
)

// A foreign is another program that does to a session file whatever programs do. Each
// of its messages holds which writing of the file it belongs to.
type foreign struct {
	path    string
	rnd     *rand.Rand
	writing int
	entries int
}

func (f *foreign) next() string {
	f.entries++
	return message(f.entries-1, fmt.Sprintf("writing %d of %s %s", f.writing, filepath.Base(f.path), strings.Repeat("x", f.rnd.Intn(500))))
}

func (f *foreign) whole() string {
	f.writing++
	f.entries = 0
	var b strings.Builder
	b.WriteString(strings.Replace(headerLine, `"s"`, fmt.Sprintf(`"s%d"`, f.writing), 1))
	for range f.rnd.Intn(30) {
		b.WriteString(f.next())
	}
	return b.String()
}

// act does one thing. It returns errors, since it is called from a goroutine.
func (f *foreign) act() error {
	switch n := f.rnd.Intn(40); {
	case n == 0:
		return os.Remove(f.path)
	case n == 1:
		if err := os.WriteFile(f.path+".tmp", []byte(f.whole()), 0o644); err != nil {
			return err
		}
		return os.Rename(f.path+".tmp", f.path)
	case n == 2:
		return os.WriteFile(f.path, []byte(f.whole()), 0o644)
	case n == 3:
		text := f.whole()
		if err := os.WriteFile(f.path, []byte(text[:len(text)/2]), 0o644); err != nil {
			return err
		}
		return f.append(text[len(text)/2:])
	case n < 8:
		text := f.next()
		for len(text) > 0 {
			k := 1 + f.rnd.Intn(len(text))
			if err := f.append(text[:k]); err != nil {
				return err
			}
			text = text[k:]
		}
		return nil
	}
	return f.append(f.next())
}

func (f *foreign) append(text string) error {
	file, err := os.OpenFile(f.path, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, os.ErrNotExist) {
		return os.WriteFile(f.path, []byte(f.whole()), 0o644)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// TestForeignWriters has other programs write, rewrite, replace and delete sessions
// while all is read. No view may ever give an entry of another writing, and in the
// end all is as a new store sees it.
func TestForeignWriters(t *testing.T) {
	eachWatchMode(t, func(t *testing.T, dir string, s *Store) {
		listen(t, s)
		var writers, readers sync.WaitGroup
		done := make(chan struct{})
		for i := range 4 {
			f := &foreign{path: filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), rnd: rand.New(rand.NewSource(int64(i)))}
			writers.Go(func() {
				for range 250 {
					if err := f.act(); err != nil && !errors.Is(err, os.ErrNotExist) {
						t.Error(err)
					}
					time.Sleep(time.Duration(f.rnd.Intn(5)) * time.Millisecond)
				}
			})
		}
		for range 2 {
			readers.Go(func() {
				for {
					select {
					case <-done:
						return
					default:
						for _, x := range s.Sessions() {
							readAll(t, x)
						}
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		writers.Wait()
		close(done)
		readers.Wait()

		fresh := open(t, dir)
		soon(t, func() bool { return strings.Join(rels(s), " ") == strings.Join(rels(fresh), " ") })
		for i, want := range fresh.Sessions() {
			soon(t, func() bool {
				v, err := s.Sessions()[i].View()
				return err == nil && v.Size == view(t, want).Size
			})
			assert.Equal(t, describe(t, view(t, want)), describe(t, view(t, s.Sessions()[i])))
		}
	})
}

func readAll(t *testing.T, x *Session) {
	v, err := x.View()
	if err != nil {
		assert.ErrorIs(t, err, ErrReplaced)
		return
	}
	all := make([]int32, v.Tree.Len())
	for i := range all {
		all[i] = int32(i)
	}
	writing := strings.TrimPrefix(v.Header.ID.Text(), "s")
	err = v.Each(all, func(i int, e *model.Entry) error {
		text := textOf(*e)
		if !strings.HasPrefix(text, fmt.Sprintf("writing %s of %s", writing, filepath.Base(x.Path))) {
			return fmt.Errorf("entry %d of writing %s is %.40q", i, writing, text)
		}
		if v.Tree.ID(i) != e.ID.Text() {
			return fmt.Errorf("entry %s is %s", v.Tree.ID(i), e.ID)
		}
		return nil
	})
	if err != nil && !errors.Is(err, ErrReplaced) {
		t.Error(err)
	}
}
