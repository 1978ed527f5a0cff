package claude

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/frontmatter"
)

// sanitizeIndex is what the client does to an index after measuring and
// cutting it: every kind of line end becomes "\n", invisible and unassigned
// characters go, and tags that its own messages use are broken with a "\".
// Instruction files are not treated so. Measured on 2.1.332.
func sanitizeIndex(s string) string { return breakTags(dropInvisible(s)) }

func dropInvisible(s string) string {
	plain := true
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf || c < ' ' && c != '\n' && c != '\t' || c == 0x7F {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n':
			return r
		case r == '\r' || r == 0x2028 || r == 0x2029:
			return '\n'
		case r < utf8.RuneSelf && r >= ' ' && r != 0x7F:
			return r
		case invisible(r):
			return -1
		}
		return r
	}, s)
}

// invisible tells whether a character is dropped from an index: controls,
// format characters but the two joiners, private use, unassigned, and the
// other characters that Unicode says to ignore, but U+FE0E and U+FE0F.
func invisible(r rune) bool {
	switch r {
	case 0x200C, 0x200D, 0xFE0E, 0xFE0F, utf8.RuneError:
		return false
	case 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0:
		return true
	}
	if r >= 0x180B && r <= 0x180F || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0000 && r <= 0xE0FFF {
		return true
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
}

// clientTags are the tags of the client's own messages; "-" and "_" count as
// the same. Measured on 2.1.332.
var clientTags = []string{
	"system-reminder", "task-notification", "local-command-stdout", "local-command-stderr", "local-command-caveat",
	"command-name", "command-message", "command-args", "bash-input", "bash-stdout", "bash-stderr",
	"user-prompt-submit-hook", "teammate-message", "cross-session-message", "agent-message", "tool-use-error",
	"persisted-output", "tick", "remote-review", "function-results", "antml:invoke", "antml:function-calls",
}

// breakTags puts a "\" behind the "<" of each of those tags, also when white
// space, slashes or invisible characters stand between.
func breakTags(s string) string {
	from := strings.IndexByte(s, '<')
	if from < 0 {
		return s
	}
	var out strings.Builder
	last := 0
	for i := from; i < len(s); {
		if tagAt(s[i+1:]) {
			out.WriteString(s[last : i+1])
			out.WriteByte('\\')
			last = i + 1
		}
		next := strings.IndexByte(s[i+1:], '<')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if last == 0 {
		return s
	}
	out.WriteString(s[last:])
	return out.String()
}

// tagAt tells whether what follows a "<" is one of the tags. It looks at no
// more than a few hundred bytes.
func tagAt(s string) bool {
	const longest = 32
	name := make([]byte, 0, longest)
	for i, r := range s {
		if i > 512 {
			return false
		}
		switch {
		case len(name) == 0 && (frontmatter.IsSpace(r) || r == '/'):
		case r > 0x7F && invisible(r):
		case r == '-' || r == '_':
			name = append(name, '-')
		case r == ':' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			name = append(name, byte(r))
		case r >= 'A' && r <= 'Z':
			name = append(name, byte(r)+'a'-'A')
		default:
			return isTag(name)
		}
		if len(name) > longest {
			return false
		}
	}
	return isTag(name)
}

func isTag(name []byte) bool {
	for _, t := range clientTags {
		if string(name) == t {
			return true
		}
	}
	return false
}
