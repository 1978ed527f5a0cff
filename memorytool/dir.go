package memorytool

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
)

// Dir keeps memories in a directory, as files for their owner alone. Nothing leads out
// of it: not "..", and no link.
type Dir struct {
	root *os.Root
	mu   sync.Mutex // what is read is what is written over, among the calls of one program
}

var _ Folder = (*Dir)(nil)

// maxFile is how much of a file is read, in bytes.
const maxFile = 16 << 20

// OpenDir opens a directory, and makes it if it is not there.
func OpenDir(dir string) (*Dir, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of memories: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of memories: %w", err)
	}
	return &Dir{root: root}, nil
}

// Close closes the directory.
func (d *Dir) Close() error { return d.root.Close() }

// List lists what lies there; links and what is no file are left out.
func (d *Dir) List(ctx context.Context) ([]File, error) {
	var out []File
	err := fs.WalkDir(d.root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // it went meanwhile
			}
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case p == "." || strings.HasPrefix(e.Name(), temporary):
		case e.IsDir():
			out = append(out, File{Path: p, Dir: true})
		case e.Type().IsRegular():
			info, err := e.Info()
			if err != nil {
				return nil //nolint:nilerr // it went meanwhile
			}
			out = append(out, File{Path: p, Size: info.Size()})
		}
		return nil
	})
	return out, err
}

// Read reads a file. A folder, a pipe, a device count as not there.
func (d *Dir) Read(_ context.Context, p string) (string, error) {
	info, err := d.root.Lstat(p)
	if err != nil {
		return "", outside(err)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return "", &Refused{"Error: The path " + Root + "/" + p + " is a link, which is not followed"}
	case !info.Mode().IsRegular():
		return "", fs.ErrNotExist
	case info.Size() > maxFile:
		return "", &Refused{fmt.Sprintf("Error: The file %s/%s has %d bytes, which is more than is read", Root, p, info.Size())}
	}
	b, err := d.root.ReadFile(p)
	return string(b), outside(err)
}

// outside is fs.ErrNotExist for what a link would have led out of the directory, and
// for a file where a folder would have to be.
func outside(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok && (strings.Contains(e.Err.Error(), "escapes") || strings.Contains(e.Err.Error(), "not a directory")) {
		return fs.ErrNotExist
	}
	return err
}

// temporary begins the names of files that are not yet what they are to be.
const temporary = ".tmp-"

// written puts a text on the disk, beside where it is to go.
func (d *Dir) written(p, text string) (temp string, err error) {
	temp = path.Join(path.Dir(p), temporary+rand.Text())
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, d.root.Remove(temp))
	}
	return temp, nil
}

// Create makes a file, as a whole or not at all.
func (d *Dir) Create(_ context.Context, p, text string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir := path.Dir(p); dir != "." {
		if err := d.root.MkdirAll(dir, 0o700); err != nil {
			return exists(err)
		}
	}
	if _, err := d.root.Lstat(p); err == nil {
		return fs.ErrExist
	}
	temp, err := d.written(p, text)
	if err != nil {
		return exists(err)
	}
	// A link is made only where nothing is; a file system without links gets a rename.
	err = d.root.Link(temp, p)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return errors.Join(err, d.root.Remove(temp))
	}
	if err := d.root.Rename(temp, p); err != nil {
		return errors.Join(err, d.root.Remove(temp))
	}
	return nil
}

// exists is fs.ErrExist for a file where a folder would have to be, and for a link that
// leads out.
func exists(err error) error {
	if errors.Is(outside(err), fs.ErrNotExist) {
		return fs.ErrExist
	}
	return err
}

// Write replaces a file that holds what it was read as.
func (d *Dir) Write(ctx context.Context, p, before, after string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, err := d.Read(ctx, p)
	if err != nil {
		return err
	}
	if now != before {
		return ErrChanged
	}
	temp, err := d.written(p, after)
	if err != nil {
		return err
	}
	if err := d.root.Rename(temp, p); err != nil {
		return errors.Join(err, d.root.Remove(temp))
	}
	return nil
}

// Remove removes a file, a link, or a folder with all in it.
func (d *Dir) Remove(_ context.Context, p string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.root.Lstat(p); err != nil {
		return outside(err)
	}
	return d.root.RemoveAll(p)
}

// Rename renames a file or a folder to a name that nothing has.
func (d *Dir) Rename(_ context.Context, from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.root.Lstat(from); err != nil {
		return outside(err)
	}
	if _, err := d.root.Lstat(to); err == nil {
		return fs.ErrExist
	}
	if dir := path.Dir(to); dir != "." {
		if err := d.root.MkdirAll(dir, 0o700); err != nil {
			return exists(err)
		}
	}
	return d.root.Rename(from, to)
}
