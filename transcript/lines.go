package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// MaxLine is the longest line, or entry of a list, that is read, in bytes; a
// longer one holds an image or the like and is passed over.
const MaxLine = 8 << 20

// window is how much is read at once, in bytes. Lines that fit are not copied.
const window = 256 << 10

// lines gives the lines of a log, one after the other.
type lines struct {
	r    *bufio.Reader
	long []byte // the last line that did not fit the window; serves again
	no   int    // of the last line, 1-based
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, window)} }

// next is the next line without its break, valid until the following call.
// tooLong tells that it had more than MaxLine bytes, which were thrown away.
// io.EOF comes with or behind the last line, which is nil when there is none.
func (l *lines) next() (line []byte, tooLong bool, err error) {
	part, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		part, tooLong, err = l.rest(part)
	}
	if len(part) == 0 && !tooLong {
		return nil, false, err
	}
	if l.no++; l.no == 1 {
		part = bytes.TrimPrefix(part, []byte("\uFEFF"))
	}
	part = bytes.TrimSuffix(part, []byte{'\n'})
	return bytes.TrimSuffix(part, []byte{'\r'}), tooLong, err
}

// rest reads a line that is longer than the window.
func (l *lines) rest(part []byte) (line []byte, tooLong bool, err error) {
	l.long = append(l.long[:0], part...)
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case tooLong:
		case len(l.long)+len(part) > MaxLine:
			l.long, tooLong = l.long[:0], true
		default:
			l.long = extend(l.long, part)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, tooLong, err
		}
	}
}

// extend appends, and doubles what it needs: append grows by a quarter, which
// leaves five times a long line for the collector.
func extend(b, part []byte) []byte {
	if need := len(b) + len(part); need > cap(b) {
		grown := make([]byte, len(b), min(max(2*cap(b), need), MaxLine+window))
		copy(grown, b)
		b = grown
	}
	return append(b, part...)
}
