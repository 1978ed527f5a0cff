package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path"
	"path/filepath"
)

// Stamp names the state of folder and journal by the names, sizes and times of
// files, without reading one: while it is the same, so is what they hold. It is
// "" where a file was changed so short a time ago that a further change might not
// show.
func (s *Store) Stamp() (string, error) {
	files, _, err := s.listing()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	now := s.now()
	number := func(n int64) { _ = binary.Write(h, binary.LittleEndian, n) } // a hash takes all
	folders := map[string]bool{".": true}
	for _, f := range files {
		if f.stamp.sure(now) == unsure {
			return "", nil
		}
		_, _ = io.WriteString(h, f.Rel+"\x00")
		for _, n := range []int64{f.stamp.size, f.stamp.mod, f.stamp.change, int64(f.stamp.inode)} {
			number(n)
		}
		folders[path.Dir(f.Rel)] = true
	}
	// Files that are no notes show in the times of their folders.
	var sum int64
	for dir := range folders {
		if info, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(dir))); err == nil {
			sum += info.ModTime().UnixNano() ^ int64(info.Mode())
		}
	}
	number(sum)
	size, _ := s.j.Size()
	number(size)
	if head, err := s.j.Head(); err == nil {
		_, _ = io.WriteString(h, head.Hash)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
