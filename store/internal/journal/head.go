package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/internal/safefile"
)

// Head is where the log ended when it was last written, kept apart from it: a
// log whose end was cut off is a whole chain, only a shorter one.
type Head struct {
	ID   int    `json:"id"`
	Hash string `json:"hash"`
	// Signature is an SSH signature of ID and Hash, "" without one.
	Signature string `json:"signature,omitempty"`
	Signer    string `json:"signer,omitempty"` // the public key
}

// Signed is the text that a head's signature is over.
func (h Head) Signed() string { return fmt.Sprintf("dormouse journal head %d %s\n", h.ID, h.Hash) }

// Head reads the head; the zero Head where none was written.
func (j *Journal) Head() (Head, error) { return readHead(j.head) }

// SignedHead reads the last head that was signed.
func (j *Journal) SignedHead() (Head, error) { return readHead(j.head + signedSuffix) }

const (
	signedSuffix = ".signed"
	maxHead      = 64 << 10 // bytes
)

func readHead(path string) (Head, error) {
	var h Head
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return h, fmt.Errorf("%w: its head %s is a %s", ErrBroken, path, safefile.Kind(info.Mode()))
	}
	b, _, err := safefile.Read(path, maxHead)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &h)
	}
	if err != nil {
		return h, fmt.Errorf("%w: its head %s can't be read: %w", ErrBroken, path, err)
	}
	return h, nil
}

// SetHead writes the head. It need not last a crash: one that is behind the log
// is no flaw, as long as it lies on the chain.
func (j *Journal) SetHead(h Head) error {
	path := j.head
	if h.Signature != "" {
		path += signedSuffix
	}
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	if err := os.WriteFile(path+newSuffix, b, fileMode); err != nil {
		return err
	}
	return os.Rename(path+newSuffix, path)
}

// firstChanges may stand in a log before its end was ever written elsewhere.
const firstChanges = 2

// Check compares the log with its head and tells what is wrong, nil if nothing
// is.
func (l *Log) Check(h Head) error {
	switch {
	case l.Broken != nil:
		return l.Broken
	case h.ID == 0 && l.Last() > firstChanges:
		return fmt.Errorf("%w: the file that says where it ends is gone", ErrBroken)
	case h.ID > l.Last():
		return fmt.Errorf("%w: it ends with change %d, and there was change %d", ErrBroken, l.Last(), h.ID)
	case h.ID > 0 && l.hashes[h.ID-1] != h.Hash:
		return fmt.Errorf("%w: change %d is another one than was written", ErrBroken, h.ID)
	}
	return nil
}
