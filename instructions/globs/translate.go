package globs

import (
	"bytes"
	"strings"
)

// translator turns a glob of claudeMdExcludes into a regular expression that
// says of a clean absolute path what picomatch with {dot: true} says of it.
// What picomatch does for . and .. and for slashes at the end is left out: such
// paths have none. Measured against the client (2.1.332) and picomatch 4.0.7 (MIT
// licence, copyright Jon Schlinkert: LICENSE-picomatch.txt), whose order of cases
// it follows.
type translator struct {
	in    string
	pos   int
	out   []byte
	prev  tokenKind
	prev2 tokenKind // before prev
	plus  bool      // a + that comes next repeats: picomatch lets it through
	parts []bool    // braces pos is inside of: whether commas part them
	known bool

	// picomatch builds its expression a second time after three stars or a range,
	// and then a dot after text stands for any character.
	again bool
}

type tokenKind uint8

const (
	tokStart tokenKind = iota
	tokSlash
	tokStar
	tokBrace // { or a comma in braces
	tokText
	tokOther
)

// dot stands for a dot after text until it is known what that means.
const dot = "\x00"

const (
	anyText = `.*`
	anyName = `[^/]*`
)

// Bounds against hostile settings; what exceeds them is not followed.
const (
	maxGlob   = 4096 // bytes
	maxBraces = 16   // inside each other
)

// translate gives the expression for a glob without the exclamation marks at its
// start, of which an odd number negates it; ok is false for what is not followed.
func translate(glob string) (src string, negative, ok bool) {
	if ext, ok := strings.CutPrefix(strings.TrimPrefix(glob, "./"), "**"); ok && isExtension(ext) {
		return anyText + prefixEach(ext, "."), false, true // a short cut of picomatch's
	}
	glob = strings.TrimPrefix(glob, "./")
	for strings.HasPrefix(glob, "!") {
		glob, negative = glob[1:], !negative
	}
	for strings.HasPrefix(glob, "./") {
		glob = glob[2:]
	}
	if glob == "**/**" || glob == "**/**/**" {
		glob = "**"
	}
	if len(glob) > maxGlob {
		return "", negative, false
	}
	t := &translator{in: glob, known: true}
	for t.pos < len(t.in) && t.known {
		t.token()
	}
	if len(t.parts) > 0 {
		return "(", negative, t.known // a brace without an end makes the whole invalid
	}
	means := `\.`
	if t.again {
		means = "."
	}
	return strings.ReplaceAll(string(t.out), dot, means), negative, t.known
}

// isExtension matches (\.\w+)+.
func isExtension(s string) bool {
	if !strings.HasPrefix(s, ".") {
		return false
	}
	for part := range strings.SplitSeq(s[1:], ".") {
		if !isWord(strings.ReplaceAll(part, "_", "0")) {
			return false
		}
	}
	return true
}

func (t *translator) push(kind tokenKind, out string) {
	t.out = append(t.out, out...)
	t.prev2, t.prev, t.plus = t.prev, kind, false
}

func (t *translator) rest() string { return t.in[t.pos:] }

func (t *translator) token() {
	c := t.in[t.pos]
	t.pos++
	switch c {
	case '*':
		t.star()
	case '/':
		t.push(tokSlash, "/")
	case '?':
		t.push(tokOther, "[^/]")
	case '[':
		t.class()
	case '{':
		t.brace()
	case '}':
		t.closeBrace()
	case ',':
		if len(t.parts) > 0 {
			t.push(tokBrace, "|")
		} else {
			t.push(tokOther, ",")
		}
	case '+':
		if t.plus {
			t.push(tokOther, "+")
		} else {
			t.push(tokOther, `\+`)
		}
	case '(', ')', '|', '"', 0:
		t.known = false
	case '.':
		t.dot()
	case '$', '^', ']':
		t.push(tokText, `\`+string(rune(c)))
	default:
		t.push(tokText, string([]byte{c}))
	}
}

func (t *translator) dot() {
	switch {
	case t.prev == tokText && len(t.parts) == 0:
		t.push(tokText, dot)
	case len(t.parts) > 0 || t.prev == tokStart || t.prev == tokSlash:
		t.push(tokOther, `\.`)
	default:
		t.push(tokText, `\.`)
	}
}

// star reads one star or more. Two that fill a name, or a part in braces, stand
// for any folders.
func (t *translator) star() {
	n := len(t.rest()) - len(strings.TrimLeft(t.rest(), "*")) + 1
	t.pos += n - 1
	opens := t.prev == tokStart || t.prev == tokSlash || t.prev == tokBrace
	closes := t.pos == len(t.in) || t.in[t.pos] == '/' || t.in[t.pos] == '{' ||
		len(t.parts) > 0 && (t.in[t.pos] == ',' || t.in[t.pos] == '}')
	t.again = t.again || n > 2 && opens
	if n != 2 || !opens || !closes {
		t.push(tokStar, anyName)
		return
	}
	for strings.HasPrefix(t.rest(), "/**") && (len(t.rest()) == 3 || t.rest()[3] == '/') {
		t.pos += 3
	}
	t.folders()
}

// folders writes what ** is, by what stands around it.
func (t *translator) folders() {
	slash := strings.HasPrefix(t.rest(), "/")
	switch {
	case t.prev == tokStart && slash:
		t.pos++
		t.push(tokSlash, "(?:^|/|"+anyText+"/)")
	case t.prev == tokSlash && t.prev2 != tokStart && t.rest() == "" && t.prev2 != tokStar:
		t.unslash()
		t.push(tokOther, "(?:/"+anyText+"|$)")
	case t.prev == tokSlash && t.prev2 != tokStart && slash:
		t.unslash()
		t.pos++
		self := "" // three stars may be nothing, so that the folder itself matches
		if len(t.rest()) > 2 && strings.Trim(t.rest(), "*") == "" {
			self = "|$"
		}
		t.push(tokSlash, "(?:/"+anyText+"/|/"+self+")")
	default:
		t.push(tokOther, anyText)
	}
}

// unslash takes back the slash that was written last.
func (t *translator) unslash() {
	t.out = bytes.TrimSuffix(t.out, []byte("/"))
}

// class reads [..]. Without a sign of regular expressions in it, the text in
// brackets stands for itself as well.
func (t *translator) class() {
	if !strings.Contains(t.rest(), "]") {
		t.push(tokOther, `\[`)
		t.plus = true
		return
	}
	end := classEnd(t.rest())
	if end < 0 || strings.Contains(t.rest()[:end], "[:") || strings.HasPrefix(t.rest(), ":") {
		t.known = false
		return
	}
	inner := t.rest()[:end]
	t.pos += end + 1
	set := classText(inner)
	if !strings.ContainsAny(inner, `-*+?.^${}(|)[]`) {
		set = "(?:" + prefixEach("["+inner+"]", "[]") + "|" + set + ")"
	}
	t.push(tokOther, set)
	t.plus = true
}

// classEnd finds the bracket that ends a class, given what follows its first; -1
// without one. A closing bracket right at the start is part of the class.
func classEnd(s string) int {
	from := 0
	if strings.HasPrefix(s, "^") {
		from = 1
	}
	if strings.HasPrefix(s[from:], "]") {
		from++
	}
	end := strings.IndexByte(s[from:], ']')
	if end < 0 {
		return -1
	}
	return from + end
}

func classText(inner string) string {
	set := inner
	negated := strings.HasPrefix(set, "^")
	set = strings.TrimPrefix(set, "^")
	if strings.HasSuffix(set, "-") {
		set = set[:len(set)-1] + `\-`
	}
	set = strings.ReplaceAll(set, "[", `\[`)
	if strings.HasPrefix(set, "]") {
		set = `\` + set
	}
	if !negated {
		return "[" + set + "]"
	}
	if !strings.Contains(inner, "/") {
		set += "/"
	}
	return "[^" + set + "]"
}

// brace reads an opening brace. Braces around one part are text, around two dots
// a range of characters.
func (t *translator) brace() {
	body, kind := braceBody(t.rest())
	lo, hi, _ := strings.Cut(body, "..")
	switch {
	case len(t.parts) == maxBraces:
		t.known = false
	case kind == bodyOpen:
		t.known = !strings.ContainsAny(t.rest(), `()|"`)
		t.parts = append(t.parts, true)
		t.pos = len(t.in)
	case kind == bodyParts:
		t.push(tokBrace, "(?:")
		t.parts = append(t.parts, true)
	case kind == bodyRange && isWord(lo) && isWord(hi):
		t.pos += len(body) + 1
		t.again = true
		t.push(tokOther, "["+min(lo, hi)+"-"+max(lo, hi)+"]")
	case kind == bodyRange || strings.Contains(body, "**") || strings.Contains(body, "{"):
		t.known = false
	default:
		t.push(tokOther, `\{`)
		t.parts = append(t.parts, false)
	}
	t.plus = true // in "{+a,b}" it has nothing to repeat, so that nothing matches
}

func (t *translator) closeBrace() {
	n := len(t.parts) - 1
	switch {
	case n < 0:
		t.push(tokText, `\}`)
		return
	case t.parts[n]:
		t.push(tokOther, ")")
	default:
		t.push(tokOther, `\}`)
	}
	t.parts = t.parts[:n]
	t.plus = true
}

type bodyKind uint8

const (
	bodyOpen  bodyKind = iota // no closing brace
	bodyOne                   // neither commas nor dots
	bodyParts                 // commas
	bodyRange                 // two dots
)

// braceBody returns the text up to the closing brace that pairs, and what it is.
func braceBody(s string) (string, bodyKind) {
	depth, comma := 0, false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			if n := classEnd(s[i+1:]); n >= 0 {
				i += n + 1
			}
		case '{':
			depth++
		case ',':
			comma = comma || depth == 0
		case '}':
			if depth--; depth >= 0 {
				continue
			}
			return s[:i], bodyOf(s[:i], comma)
		}
	}
	return s, bodyOpen
}

func bodyOf(body string, comma bool) bodyKind {
	switch {
	case strings.Contains(body, ".."):
		return bodyRange
	case comma:
		return bodyParts
	}
	return bodyOne
}

func isWord(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != ""
}
