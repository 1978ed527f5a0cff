//go:build !unix

package store

import (
	"os"
	"path/filepath"
)

// statIn looks at an entry of an open folder.
func (f *File) statIn(dir *os.File, name string) error {
	info, err := os.Lstat(filepath.Join(dir.Name(), name))
	if err != nil {
		return err
	}
	f.Mod, f.Size = info.ModTime(), info.Size()
	f.stamp = stamp{size: f.Size, mod: f.Mod.UnixNano()}
	return nil
}

// statAt looks at one file of a folder.
func statAt(dir, rel string) (File, error) {
	info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(rel)))
	if err != nil {
		return File{}, err
	}
	return File{Rel: rel, Mod: info.ModTime(), Size: info.Size(), stamp: stamp{size: info.Size(), mod: info.ModTime().UnixNano()}}, nil
}
