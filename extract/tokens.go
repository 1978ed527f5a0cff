package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A lexeme is a word of a sentence as rules see it.
type lexeme struct {
	start, end int    // bytes of the sentence, signs around it left out
	norm       string // lower case, one kind of apostrophe
	colon      bool   // ":", "=" or a dash follows
	comma      bool   // a comma, or one of those
	code       bool   // a path, an address, an identifier, something in backticks
	url        bool
	opaque     bool // quoted: somebody else's words, or a name; no rule looks inside
	title      bool // begins with a capital letter
}

// maxTokens of a sentence are looked at: what is said in chat is shorter.
const maxTokens = 80

// signs stand around words and are no part of them.
const signs = ".,;:!?()[]{}\"*_~…<>|“”«»„—–"

// tokens cuts a sentence into words. Work grows with its length.
func tokens(s string) []lexeme {
	out := make([]lexeme, 0, 16)
	for i := 0; i < len(s) && len(out) < maxTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			i += n
			continue
		}
		if end, ok := quoted(s, i); ok {
			out = append(out, opaque(s, i, end))
			i = end
			continue
		}
		end := strings.IndexFunc(s[i:], unicode.IsSpace)
		if end < 0 {
			end = len(s)
		} else {
			end += i
		}
		out = word(out, s, i, end)
		i = end
	}
	return out
}

// quoted finds the end of what is between quotes or backticks at i.
func quoted(s string, i int) (int, bool) {
	r, n := utf8.DecodeRuneInString(s[i:])
	var closing string
	switch r {
	case '"', '`':
		closing = string(r)
	case '“', '„':
		closing = "”"
	case '«':
		closing = "»"
	default:
		return 0, false
	}
	const longest = 400 // bytes; a sentence holds no longer quotation, and an open quote is none
	j := strings.Index(s[i+n:min(len(s), i+n+longest)], closing)
	if j <= 0 {
		return 0, false
	}
	return i + n + j + len(closing), true
}

func opaque(s string, start, end int) lexeme {
	inner := s[start:end]
	t := lexeme{start: start, end: end, code: inner[0] == '`'}
	t.opaque = !t.code && len(strings.Fields(inner)) > 2
	t.norm = normal(strings.Trim(inner, "`\"“”«»„"))
	if t.opaque {
		t.norm = "\x00"
	}
	t.url = strings.Contains(inner, "://")
	if end < len(s) {
		follow(&t, s[end:])
	}
	return t
}

// word adds the word between two places, or marks the one before where there are
// only signs.
func word(out []lexeme, s string, start, end int) []lexeme {
	raw := s[start:end]
	left := strings.TrimLeft(raw, signs)
	inner := strings.TrimRight(left, signs)
	if inner == "" || inner == "-" || inner == "=" || inner == "#" {
		if len(out) > 0 {
			out[len(out)-1].comma = true
			out[len(out)-1].colon = out[len(out)-1].colon || strings.ContainsAny(raw, ":-=–—")
		}
		return out
	}
	t := lexeme{start: start + len(raw) - len(left)}
	t.end = t.start + len(inner)
	follow(&t, raw[len(raw)-len(left)+len(inner):])
	t.url = strings.Contains(inner, "://")
	t.code = t.url || codeLike(inner)
	first, _ := utf8.DecodeRuneInString(inner)
	t.title = unicode.IsUpper(first)
	t.norm = normal(inner)
	return append(out, t)
}

func follow(t *lexeme, rest string) {
	for _, r := range rest {
		switch r {
		case ':', '—', '–', '=':
			t.colon, t.comma = true, true
		case ',', ';', '(', '.', '!', '?', '…':
			t.comma = true
		default:
			return
		}
	}
}

// codeLike tells names of code, files and versions from words.
func codeLike(w string) bool {
	lower, upper := false, false
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c == '/', c == '_', c == '@', c == '=', c == '\\', c == '#', c == '.' && i+1 < len(w), c == ':' && i+1 < len(w), c >= '0' && c <= '9':
			return true
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z':
			if lower {
				return true
			}
			upper = true
		}
	}
	return strings.HasPrefix(w, "--") || upper && !lower && len(w) > 1
}

// normal is a word in lower case with one kind of apostrophe.
func normal(w string) string {
	plain := true
	for i := 0; i < len(w); i++ {
		if c := w[i]; c >= 0x80 || c >= 'A' && c <= 'Z' {
			plain = false
			break
		}
	}
	if plain {
		return w
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '’', 'ʼ', '`', '‘', '′', '＇':
			return '\''
		case '\u0301': // a stress mark
			return -1
		}
		return unicode.ToLower(r)
	}, w)
}

// local tells names that mean something within the code at hand only: a function,
// a source file. A sentence about one is a task, not a rule.
func local(norm, raw string) bool {
	if strings.Contains(norm, "://") || strings.HasPrefix(raw, "-") {
		return false
	}
	if strings.HasSuffix(norm, "()") {
		return true
	}
	if dot := strings.LastIndexByte(norm, '.'); dot > 0 {
		switch norm[dot+1:] {
		case "go", "py", "ts", "tsx", "js", "jsx", "mjs", "rs", "rb", "java", "kt", "c", "h", "cpp", "hpp", "cc", "cs", "php", "swift", "scala", "ex", "exs", "vue", "svelte", "css", "scss", "html", "sql", "sh", "lua", "zig", "dart":
			return true
		}
	}
	if strings.ContainsAny(raw, "./=:@#-`") {
		return false
	}
	upper, under := 0, strings.Contains(strings.Trim(raw, "_"), "_")
	for i := 1; i < len(raw); i++ {
		if raw[i] >= 'A' && raw[i] <= 'Z' && raw[i-1] >= 'a' && raw[i-1] <= 'z' {
			upper++
		}
	}
	for _, s := range [...]string{"Service", "Controller", "Manager", "Handler", "Config", "Factory", "Provider", "Repository", "Exception", "Component"} {
		if upper > 0 && strings.HasSuffix(raw, s) && len(raw) > len(s) {
			return true
		}
	}
	begins := raw != "" && raw[0] >= 'a' && raw[0] <= 'z'
	return begins && (upper > 0 && len(raw) > 6 && norm != "localstorage" || under && norm == raw)
}
