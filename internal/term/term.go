// Package term prints for people: colour and width on a terminal, neither in a
// pipe. It is our own because the usual styling library costs 20 ms of CPU at
// every process start (measured: lipgloss v2.1.1 through go-runewidth v0.0.27).
package term

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	xterm "golang.org/x/term"
)

// Out is where a command prints.
type Out struct {
	io.Writer
	Color bool
	Width int // columns; 0 when unknown: nothing is shortened
}

// New looks at the writer: a terminal gets colour (unless NO_COLOR is set or
// TERM is dumb) and its width.
func New(w io.Writer, getenv func(string) string) *Out {
	o := &Out{Writer: w}
	f, ok := w.(*os.File)
	if !ok || !xterm.IsTerminal(int(f.Fd())) {
		return o
	}
	o.Color = getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
	if width, _, err := xterm.GetSize(int(f.Fd())); err == nil {
		o.Width = width
	}
	return o
}

// Style is a way to print a text.
type Style string

// The styles, as SGR parameters.
const (
	Bold   Style = "1"
	Faint  Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
)

// In returns the text in a style, or as it is without colour.
func (o *Out) In(s Style, text string) string {
	if !o.Color || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// Line prints one line.
func (o *Out) Line(format string, args ...any) {
	fmt.Fprintf(o, format+"\n", args...) // a closed pipe ends the command elsewhere
}

// Width is the number of columns a text takes.
func Width(s string) int { return displaywidth.String(s) }

// Pad fills a text with spaces up to n columns.
func Pad(s string, n int) string {
	if w := Width(s); w < n {
		return s + strings.Repeat(" ", n-w)
	}
	return s
}

// Tail shortens a path to n columns from the left, where it says least, with
// "…". n <= 0 leaves it whole.
func Tail(s string, n int) string {
	w := Width(s)
	if n <= 0 || w <= n {
		return s
	}
	for i, r := range s {
		if w < n {
			return "…" + s[i:]
		}
		w -= displaywidth.Rune(r)
	}
	return "…"
}

// Meter is a bar of n cells that shows part of whole; a full bar for more.
func (o *Out) Meter(part, whole, n int) string {
	filled := n
	if part < whole {
		filled = part * n / whole
	}
	style := Green
	switch {
	case part > whole:
		style = Red
	case part*10 >= whole*7:
		style = Yellow
	}
	return o.In(style, strings.Repeat("█", filled)) + o.In(Faint, strings.Repeat("░", n-filled))
}

// Safe makes a text that came from a file harmless on a terminal and keeps it
// on one line: control and format characters show as \u escapes, bytes that are
// no UTF-8 as \x.
func Safe(s string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "\\x%02x", s[i])
		case hidden(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func hidden(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r > 0x7F && unicode.Is(unicode.Cf, r) && r != 0x200D && r != 0x200C
}
