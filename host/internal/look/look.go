// Package look is what hosts have in common while they fill a report: where the
// session starts, which folders lie above it, how a file's bytes become text,
// and how a file that cannot be read is told.
package look

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"dormouse/host"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// MaxFile is the largest file in bytes that is read. It is ours: neither Codex
// nor Gemini CLI has a limit of its own on one file.
const MaxFile = 64 << 20

// Report is a report that is being filled.
type Report struct{ *startup.Report }

// Start makes an empty report for a session that starts in cwd, links resolved
// as both clients do. The error is for a start folder that is none.
func Start(name, client, cwd string) (Report, error) {
	real, err := filepath.EvalSymlinks(cwd)
	if err != nil {
		return Report{}, fmt.Errorf("start folder %s: %w", cwd, reason(err))
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return Report{}, fmt.Errorf("start folder %s is not a folder", cwd)
	}
	return Report{&startup.Report{
		Host: name, Client: client, Cwd: real,
		Loaded: []startup.File{}, After: []startup.File{}, Ages: []startup.Age{},
		Left: []startup.Left{}, Problems: []startup.Problem{},
	}}, nil
}

// Problem records an input that could not be read as it stands.
func (r Report) Problem(path string, line int, what string) {
	r.Problems = append(r.Problems, startup.Problem{Path: path, Line: line, What: what})
}

// Notice records a remark that changes nothing.
func (r Report) Notice(path string, line int, what string) {
	r.Notices = append(r.Notices, startup.Problem{Path: path, Line: line, What: what})
}

// Leave records something that does not load.
func (r Report) Leave(l startup.Left) { r.Left = append(r.Left, l) }

// Unread records a file that is there but was not read, for the reason in err;
// info may be nil. It fills in l's reason.
func (r Report) Unread(l startup.Left, info fs.FileInfo, err error) {
	switch {
	case errors.Is(err, safefile.ErrTooLarge):
		l.Reason, l.Why = startup.NotTooLarge, fmt.Sprintf("too large to look at: %d bytes, the limit here is %d", info.Size(), MaxFile)
	case errors.Is(err, safefile.ErrNotRegular):
		l.Reason, l.Why = startup.NotAFile, "not a file: a "+safefile.Kind(info.Mode())
	default:
		l.Reason, l.Why = startup.NotUnreadable, "cannot be read: "+strings.TrimPrefix(reason(err).Error(), l.Path+": ")
	}
	r.Leave(l)
	r.Problem(l.Path, 0, l.Why)
}

// Unused remarks on flags of another agent that were given for this one.
func (r Report) Unused(title string, f host.Flags, addDirs bool) {
	given := map[string]bool{
		"--bare": f.Bare, "--safe-mode": f.SafeMode, "--settings": f.Settings != "",
		"--setting-sources": f.SettingSources != nil, "--add-dir": len(f.AddDirs) > 0 && !addDirs,
	}
	for _, flag := range []string{"--bare", "--safe-mode", "--settings", "--setting-sources", "--add-dir"} {
		if given[flag] {
			r.Notice(flag, 0, "changes nothing here: "+title+" loads the same files with or without it")
		}
	}
}

// reason strips the operation and the path from a system error.
func reason(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// Upward lists the folders from top down to dir. When dir does not lie in top,
// it lists dir alone. Both are clean and absolute.
func Upward(top, dir string) []string {
	if !Inside(top, dir) {
		return []string{dir}
	}
	out := []string{dir}
	for dir != top && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		out = append(out, dir)
	}
	slices.Reverse(out)
	return out
}

// Inside tells whether path lies in dir or is it. Both are clean and absolute.
func Inside(dir, path string) bool {
	if dir == path {
		return true
	}
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.HasPrefix(path, dir)
}

// Marked returns the nearest folder from dir upwards that holds one of the
// markers, or "".
func Marked(dir string, markers []string) string {
	for {
		for _, m := range markers {
			if _, err := os.Stat(filepath.Join(dir, m)); err == nil {
				return dir
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// Real is the path with its links resolved when that differs, else "".
func Real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil && real != path {
		return real
	}
	return ""
}

// Text turns bytes into valid UTF-8: each longest sequence that could have
// become a character is one U+FFFD, the rule that String::from_utf8_lossy in
// Rust and Node's decoder share (measured on Codex 0.171.0 and Gemini CLI
// 0.61.0). A BOM stays, as it does in both clients.
func Text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b) + 16)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = wrong(b)
		}
		out.WriteRune(r)
		b = b[size:]
	}
	return out.String()
}

// wrong is the number of bytes that one U+FFFD stands for at the start of b.
func wrong(b []byte) int {
	need, lo, hi := 0, byte(0x80), byte(0xBF)
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c == 0xE0:
		need, lo = 2, 0xA0
	case c == 0xED:
		need, hi = 2, 0x9F
	case c > 0xE0 && c <= 0xEF:
		need = 2
	case c == 0xF0:
		need, lo = 3, 0x90
	case c == 0xF4:
		need, hi = 3, 0x8F
	case c > 0xF0 && c < 0xF4:
		need = 3
	}
	n := 1
	for ; n <= need && n < len(b) && b[n] >= lo && b[n] <= hi; n++ {
		lo, hi = 0x80, 0xBF
	}
	return n
}
