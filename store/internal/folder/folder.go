// Package folder reads and replaces the files of one folder that other programs
// write into at the same time. Nothing is reached outside it: what leads out or
// is no plain file of its own (links, hard links, pipes, devices) is refused.
// A file is replaced as a whole and only while it holds what was read; where the
// system can swap two names, no edit of another program can be lost in between.
package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"dormouse/internal/safefile"
)

// Errors of a folder; each comes wrapped with the file.
var (
	ErrUnsafe   = errors.New("is not safe to use")
	ErrTooLarge = errors.New("is too large")
	ErrChanged  = errors.New("was changed by another program meanwhile")
)

// patience is how long a file may take to give its bytes.
const patience = 3 * time.Second

// Folder is an open folder.
type Folder struct {
	root *os.Root
	dir  *os.File // the folder itself
	path string   // links resolved

	// Step is called before each step of a write, for tests that end the process
	// there; nil in real use.
	Step func(string)
}

func (f *Folder) step(what string) {
	if f.Step != nil {
		f.Step(what)
	}
}

// Open opens a folder, links in its path resolved. Errors wrap fs.ErrNotExist,
// or ErrUnsafe where others may write into it.
func Open(dir string) (*Folder, error) {
	path, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	f := &Folder{root: root, path: path}
	if err := f.open(); err != nil {
		f.Close() //nolint:errcheck // only read
		return nil, err
	}
	return f, nil
}

func (f *Folder) open() (err error) {
	if f.dir, err = f.root.Open("."); err != nil {
		return err
	}
	info, err := f.dir.Stat()
	if err != nil {
		return err
	}
	return private(f.path, info)
}

// Close ends the use of the folder.
func (f *Folder) Close() error {
	if f.dir != nil {
		f.dir.Close() // only read
	}
	return f.root.Close()
}

// Path is where the folder is, links resolved.
func (f *Folder) Path() string { return f.path }

// Read returns the content and the state of a file. Errors wrap
// fs.ErrNotExist, ErrUnsafe or ErrTooLarge (over limit bytes).
func (f *Folder) Read(rel string, limit int64) ([]byte, fs.FileInfo, error) {
	if b, info, ok, err := f.readHere(rel, limit); ok {
		return b, info, err
	}
	return f.readAnywhere(rel, limit)
}

func (f *Folder) readAnywhere(rel string, limit int64) ([]byte, fs.FileInfo, error) {
	if err := f.straight(rel); err != nil {
		return nil, nil, err
	}
	seen, err := f.root.Lstat(rel)
	if err != nil {
		return nil, nil, bare(rel, err)
	}
	if err := plain(rel, seen); err != nil {
		return nil, seen, err
	}
	if seen.Size() > limit {
		return nil, seen, tooLarge(rel, seen.Size(), limit)
	}
	file, err := f.root.OpenFile(rel, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, seen, bare(rel, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, seen, bare(rel, err)
	}
	// Between the look and the opening another file may have come there: a link
	// would have been followed.
	if err := plain(rel, info); err != nil {
		return nil, info, err
	}
	if !os.SameFile(seen, info) {
		if again, err := f.root.Lstat(rel); err != nil || !os.SameFile(again, info) {
			return nil, info, fmt.Errorf("%s %w", rel, ErrChanged)
		}
	}
	b, err := readAll(file, info.Size(), limit)
	if err != nil {
		return nil, info, fmt.Errorf("%s: %w", rel, err)
	}
	return b, info, nil
}

func readAll(file *os.File, size, limit int64) ([]byte, error) {
	if size > limit {
		return nil, tooLarge("it", size, limit)
	}
	// A file of some systems calls itself regular and never ends.
	_ = file.SetReadDeadline(time.Now().Add(patience))
	b, err := safefile.ReadAll(file, size, limit)
	if errors.Is(err, safefile.ErrTooLarge) {
		err = fmt.Errorf("it %w: %w", ErrTooLarge, err)
	}
	return b, err
}

func tooLarge(what string, size, limit int64) error {
	return fmt.Errorf("%s %w: %d bytes, the limit is %d", what, ErrTooLarge, size, limit)
}

// Lstat tells the state of a file, links not followed.
func (f *Folder) Lstat(rel string) (fs.FileInfo, error) {
	if err := f.straight(rel); err != nil {
		return nil, err
	}
	info, err := f.root.Lstat(rel)
	if err != nil {
		return nil, bare(rel, err)
	}
	return info, nil
}

// straight refuses a path that leads out, or through a link.
func (f *Folder) straight(rel string) error {
	if !fs.ValidPath(rel) || rel == "." {
		return fmt.Errorf("%q %w: it leads out of the folder, or is no clean path", rel, ErrUnsafe)
	}
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		info, err := f.root.Lstat(dir)
		if err != nil {
			return bare(rel, err)
		}
		if !info.IsDir() {
			return fmt.Errorf("%s %w: %s is a %s", rel, ErrUnsafe, dir, safefile.Kind(info.Mode()))
		}
	}
	return nil
}

// plain refuses what is no plain file, or has a second name somewhere.
func plain(rel string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s %w: it is a %s, not a file", rel, ErrUnsafe, safefile.Kind(info.Mode()))
	case names(info) > 1:
		return fmt.Errorf("%s %w: it is a hard link, so another file would change with it", rel, ErrUnsafe)
	}
	return nil
}

// bare keeps the reason of the system's error and the path as it was asked for.
func bare(rel string, err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", rel, fs.ErrNotExist)
	}
	if strings.Contains(err.Error(), "escapes from parent") {
		return fmt.Errorf("%s %w: it leads out of the folder", rel, ErrUnsafe)
	}
	return fmt.Errorf("%s: %w", rel, err)
}

// Same reports whether the file still holds the bytes; nil stands for no file.
func (f *Folder) Same(rel string, want []byte) error {
	b, _, err := f.Read(rel, int64(len(want))+1)
	switch {
	case errors.Is(err, fs.ErrNotExist) && want == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrTooLarge):
		return fmt.Errorf("%s %w", rel, ErrChanged)
	case err != nil:
		return err
	case want == nil || !bytes.Equal(b, want):
		return fmt.Errorf("%s %w", rel, ErrChanged)
	}
	return nil
}

// Walk calls do for each file of the folder and of those below it, links not
// followed. What can't be listed is passed over.
func (f *Folder) Walk(do func(rel string, e fs.DirEntry)) error {
	return fs.WalkDir(f.root.FS(), ".", func(rel string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && rel == ".":
			return err
		case err != nil:
			return fs.SkipDir
		case !e.IsDir():
			do(rel, e)
		}
		return nil
	})
}
