// Package safefile reads files that somebody else laid: it never blocks on a
// pipe or a device, never reads more than it was told, and says in plain words
// why a file could not be read.
package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Reasons why a file was not read; test with errors.Is. A file that is not
// there gives fs.ErrNotExist.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooLarge   = errors.New("too large")
)

// patience is how long a file may take to give its bytes.
const patience = 3 * time.Second

// Read returns the content of the regular file at path, links followed, and
// its state. It opens without blocking, so a pipe or a device is refused
// instead of waited for. A file of more than limit bytes is not read:
// ErrTooLarge, with the state. A file that grows while it is read is cut at
// the limit with ErrTooLarge too.
func Read(path string, limit int64) ([]byte, fs.FileInfo, error) {
	f, err := open(path)
	if err != nil {
		return nil, nil, plain(path, err)
	}
	defer f.Close()
	// Some files of the system call themselves regular and never end. Where a
	// deadline cannot be set, a read cannot wait either.
	_ = f.SetReadDeadline(time.Now().Add(patience))
	info, err := f.Stat()
	if err != nil {
		return nil, nil, plain(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, info, fmt.Errorf("%s: %w: it is a %s", path, ErrNotRegular, Kind(info.Mode()))
	}
	if info.Size() > limit {
		return nil, info, fmt.Errorf("%s: %w: %d bytes, the limit is %d", path, ErrTooLarge, info.Size(), limit)
	}
	b, err := ReadAll(f, info.Size(), limit)
	if errors.Is(err, ErrTooLarge) {
		return nil, info, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return nil, info, plain(path, err)
	}
	return b, info, nil
}

// ReadAll reads what an open file holds, of which size bytes are known; over limit
// bytes it wraps ErrTooLarge.
func ReadAll(f io.Reader, size, limit int64) ([]byte, error) {
	// One byte more than the state says: the usual file is read in one call
	// and the end is seen in the same one.
	buf := make([]byte, 0, size+1)
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if int64(len(buf)) > limit {
			return nil, fmt.Errorf("%w: it grew past %d bytes while it was read", ErrTooLarge, limit)
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// Head returns at most n bytes from the start of a regular file, and its state.
func Head(path string, n int) ([]byte, fs.FileInfo, error) {
	f, err := open(path)
	if err != nil {
		return nil, nil, plain(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, plain(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, info, fmt.Errorf("%s: %w: it is a %s", path, ErrNotRegular, Kind(info.Mode()))
	}
	buf := make([]byte, n)
	got, err := io.ReadFull(f, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, info, plain(path, err)
	}
	return buf[:got], info, nil
}

// Kind names what a mode is, for messages.
func Kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&fs.ModeNamedPipe != 0:
		return "named pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	case m&fs.ModeSymlink != 0:
		return "link"
	}
	return "file of an unknown kind"
}

// plain keeps the path once and the system's reason.
func plain(path string, err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return fmt.Errorf("%s: %w", path, pe.Err)
	}
	return fmt.Errorf("%s: %w", path, err)
}
