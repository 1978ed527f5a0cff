package store

import (
	"fmt"
	"path/filepath"
)

// JournalStamp names the state of the journal by the size and the times of its
// log, without reading it: while it is the same, so is what History returns. It
// is "" where there is no journal.
func (s *Store) JournalStamp() string {
	file := s.j.File()
	f, err := statAt(filepath.Dir(file), filepath.Base(file))
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d %d", f.stamp.size, f.stamp.mod, f.stamp.change, f.stamp.inode)
}
