package sarif

import (
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/doctor"
	"dormouse/internal/term"
)

// plain makes a text fit for a SARIF message. A message can hold links,
// [text](target), and places to fill in, {0}; both could come out of somebody's
// file, where they mean nothing of the kind (SARIF 3.11.5, 3.11.6). A lone brace
// stays single, against the letter of 3.11.5: services print it as it is.
func plain(s string) string {
	s = term.Safe(s)
	if !strings.ContainsAny(s, "[{") {
		return s
	}
	var b strings.Builder
	links := strings.Contains(s, "](")
	for i := 0; i < len(s); i++ {
		switch {
		case links && (s[i] == '[' || s[i] == ']'):
			b.WriteByte('\\')
		case s[i] == '{':
			if n := digits(s[i+1:]); n > 0 && i+1+n < len(s) && s[i+1+n] == '}' {
				b.WriteString("{{" + s[i+1:i+1+n] + "}}")
				i += n + 1
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// lastName is a place without the folders on the way to it.
func lastName(p doctor.Place) string {
	name := slashed(p.Path)
	name = name[strings.LastIndexByte(name, '/')+1:]
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d", name, p.Line)
	}
	return name
}

// slashed is a path with slashes. One of Windows is known by its volume, so that
// a report reads the same wherever it is printed.
func slashed(path string) string {
	if isDrive(path) || strings.HasPrefix(path, `\\`) {
		return strings.ReplaceAll(path, `\`, "/")
	}
	return filepath.ToSlash(path)
}

func isDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
}

// relative is the URI of a file below base, relative to it; ok is false where it
// does not lie there. The folder itself is "./".
func relative(base, path string) (uri string, ok bool) {
	if base == "" {
		return "", false
	}
	base, path = strings.TrimSuffix(slashed(base), "/"), slashed(path)
	if path == base {
		return "./", true
	}
	rest, ok := strings.CutPrefix(path, base+"/")
	if !ok || rest == "" {
		return "", false
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." || part == "." {
			return "", false // not a clean path, and it may lead out
		}
	}
	return escaped(rest), true
}

// fileURI is the URI of an absolute path (RFC 8089). A path that is not absolute
// stays a relative reference.
func fileURI(path string) string {
	p := slashed(path)
	switch {
	case isDrive(p):
		return "file:///" + p[:2] + escaped(p[2:])
	case strings.HasPrefix(p, "//"):
		return "file:" + escaped(p) // a share: the first name is the host
	case strings.HasPrefix(p, "/"):
		return "file://" + escaped(p)
	}
	return escaped(p)
}

// escaped writes all bytes but the unreserved ones (RFC 3986, 2.3) and slashes
// as %XX. A colon is written so too: in front of the first slash it would end a
// scheme.
func escaped(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_', c == '~', c == '/':
			b.WriteByte(c)
		default:
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
		}
	}
	return b.String()
}
