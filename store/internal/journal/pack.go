package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/internal/atomicfile"
)

// The contents stand one behind the other in one file: a line with the hash and
// the length in bytes, the bytes, a line break. A content that was purged has
// the length "purged" and no bytes.
const purgedMark = "purged"

// record is where a content stands.
type record struct {
	hash   string
	at     int64 // of the first byte
	size   int64
	purged bool
	end    int64 // of the record, its line break included
}

// records calls do for each whole record from the offset on and returns where
// the last whole one ends.
func records(f io.ReaderAt, from, size int64, do func(record) error) (int64, error) {
	at := from
	for at < size {
		r, ok, err := recordAt(f, at, size)
		if err != nil {
			return at, err
		}
		if !ok {
			break
		}
		if err := do(r); err != nil {
			return at, err
		}
		at = r.end
	}
	return at, nil
}

// headMax is longer than any record's first line, in bytes.
const headMax = 128

func recordAt(f io.ReaderAt, at, size int64) (r record, ok bool, err error) {
	head := make([]byte, min(headMax, size-at))
	if _, err := f.ReadAt(head, at); err != nil && !errors.Is(err, io.EOF) {
		return r, false, err
	}
	line, _, whole := bytes.Cut(head, []byte("\n"))
	hash, length, two := strings.Cut(string(line), " ")
	if !whole || !two {
		return r, false, nil
	}
	r = record{hash: hash, at: at + int64(len(line)) + 1}
	if length == purgedMark {
		r.purged, r.end = true, r.at
		return r, true, nil
	}
	if r.size, err = strconv.ParseInt(length, 10, 64); err != nil || r.size < 0 || r.size > size-r.at-1 {
		return r, false, nil
	}
	var last [1]byte
	r.end = r.at + r.size + 1
	if _, err := f.ReadAt(last[:], r.end-1); err != nil {
		return r, false, err
	}
	return r, last[0] == '\n', nil
}

func appendRecord(b []byte, hash string, content []byte) []byte {
	b = append(b, hash...)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(len(content)), 10)
	b = append(b, '\n')
	b = append(b, content...)
	return append(b, '\n')
}

// Content returns the bytes that are kept under a hash. Errors wrap ErrPurged,
// ErrNotKept, ErrNoContent, or ErrBroken where the bytes are others.
func (j *Journal) Content(hash string) ([]byte, error) {
	if strings.HasPrefix(hash, unkept) {
		return nil, fmt.Errorf("the content %w", ErrNotKept)
	}
	f, err := os.Open(filepath.Join(j.dir, packName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the content %.12s %w", hash, ErrNoContent)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return find(f, info.Size(), hash)
}

// errFound ends a search.
var errFound = errors.New("found")

// find looks for a content record by record; where that does not find it,
// because a crash or a damaged disk broke the row of records, it looks at every
// byte.
func find(f io.ReaderAt, size int64, hash string) ([]byte, error) {
	var got record
	_, err := records(f, 0, size, func(r record) error {
		if r.hash == hash {
			got = r
			return errFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	if err != nil && !got.purged {
		b := make([]byte, got.size)
		if _, err := f.ReadAt(b, got.at); err != nil {
			return nil, fmt.Errorf("reading the journal: %w", err)
		}
		if Hash(b) == hash {
			return b, nil
		}
	}
	return search(f, size, hash, got.purged)
}

func search(f io.ReaderAt, size int64, hash string, purged bool) ([]byte, error) {
	whole, err := io.ReadAll(io.NewSectionReader(f, 0, size))
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	var content []byte
	found := false
	_ = eachPiece(whole, func(p piece) error {
		if p.hash == hash && !p.purged {
			content, found = p.content, true
		}
		purged = purged || p.hash == hash && p.purged
		return nil
	})
	switch {
	case found:
		return content, nil
	case purged:
		return nil, fmt.Errorf("the content %.12s %w", hash, ErrPurged)
	}
	return nil, fmt.Errorf("the content %.12s %w", hash, ErrNoContent)
}

// piece is a record whose bytes are what its hash says, or else bytes that are
// no record.
type piece struct {
	hash    string // "" for no record
	purged  bool
	content []byte // of the record
	raw     []byte // all of it
}

// eachPiece takes the whole pack apart. Nothing is skipped: the pieces' raw bytes
// one behind the other are the pack.
func eachPiece(b []byte, do func(piece) error) error {
	from := 0 // of what is no record
	for at := 0; at < len(b); {
		p, ok := pieceAt(b[at:])
		if !ok {
			next := bytes.IndexByte(b[at:], '\n')
			if next < 0 {
				break
			}
			at += next + 1
			continue
		}
		if from < at {
			if err := do(piece{raw: b[from:at]}); err != nil {
				return err
			}
		}
		if err := do(p); err != nil {
			return err
		}
		at += len(p.raw)
		from = at
	}
	if from < len(b) {
		return do(piece{raw: b[from:]})
	}
	return nil
}

func pieceAt(b []byte) (piece, bool) {
	r, ok, err := recordAt(bytes.NewReader(b), 0, int64(len(b)))
	if !ok || err != nil || len(r.hash) != 2*32 {
		return piece{}, false
	}
	p := piece{hash: r.hash, purged: r.purged, content: b[r.at : r.at+r.size], raw: b[:r.end]}
	return p, r.purged || Hash(p.content) == r.hash
}

// rewrite makes a pack without the bytes that gone tells of, and counts the
// contents. A damaged piece stays as it is unless it holds them too.
func (j *Journal) rewrite(gone func([]byte) bool) (int, error) {
	path := filepath.Join(j.dir, packName)
	whole, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n := 0
	err = replace(path, func(w *bufio.Writer) error {
		return eachPiece(whole, func(p piece) error {
			if p.purged || !gone(p.raw) {
				_, err := w.Write(p.raw)
				return err
			}
			n++
			if p.hash == "" {
				return nil
			}
			_, err := w.WriteString(p.hash + " " + purgedMark + "\n")
			return err
		})
	})
	return n, err
}

// replace writes a file anew, whole or not at all.
func replace(path string, fill func(*bufio.Writer) error) (err error) {
	f, err := os.OpenFile(path+newSuffix, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()                   // the first error counts
			os.Remove(path + newSuffix) //nolint:errcheck // it is written anew next time
		}
	}()
	w := bufio.NewWriter(f)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(path+newSuffix, path); err != nil {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(path))
}

// Contents returns the bytes that are kept under several hashes, in one pass;
// those that are not kept are not in it.
func (j *Journal) Contents(want map[string]bool) (map[string][]byte, error) {
	out := make(map[string][]byte, len(want))
	f, err := os.Open(filepath.Join(j.dir, packName))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	defer f.Close()
	whole, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	return out, eachPiece(whole, func(p piece) error {
		if p.hash != "" && !p.purged && want[p.hash] {
			out[p.hash] = p.content
		}
		return nil
	})
}

// Missing returns those of the hashes whose bytes are neither kept as they were
// nor purged.
func (j *Journal) Missing(want map[string]bool) (map[string]bool, error) {
	missing := maps.Clone(want)
	b, err := os.ReadFile(filepath.Join(j.dir, packName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	err = eachPiece(b, func(p piece) error {
		delete(missing, p.hash)
		return nil
	})
	for hash := range missing {
		if hash == "" || strings.HasPrefix(hash, unkept) {
			delete(missing, hash)
		}
	}
	return missing, err
}
