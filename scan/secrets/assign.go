package secrets

import "strings"

// An assignment is a name and where its value begins: `key = v`, `"key": "v"`,
// `**key**: v`, `--key v`, `the key is v`. Offsets are in bytes.
type assignment struct {
	name   int // start of the whole name: of DB_PASSWORD, not of PASSWORD
	value  int
	op     string // "=", ":", "is", "flag" and so on
	quoted bool   // the value is in quotes or backticks
}

// How far apart the parts may be, in bytes; the first three are gitleaks', which
// has no Markdown around name or value and no sentences.
const (
	nameBefore = 50
	nameAfter  = 20
	decoration = 6
	isWithin   = 60 // "the password for the staging database is"
)

// assigned reads what follows the name text[at:after].
func assigned(text string, at, after int) (assignment, bool) {
	a := assignment{name: at}
	for a.name > 0 && at-a.name < nameBefore && isName(text[a.name-1]) {
		a.name--
	}
	i := after
	for i < len(text) && i < after+nameAfter && (isName(text[i]) || strings.IndexByte(" \t()", text[i]) >= 0) {
		i++
	}
	i = skip(text, i, "'\"`*\\])} \t", 4)
	a.op = operator(text[i:])
	// "|" is the next cell of a table.
	if flag, ok := flagValue(text, a.name, after); ok {
		i, a.op = flag, "flag"
	} else if a.op == "" || a.op == "," || a.op == ">" {
		// "the key is v, then": the sign is behind the value.
		if is, ok := sentence(text, a.name, after); ok {
			i, a.op = is, "is"
		}
	}
	if a.op == "" {
		return a, false
	}
	if a.op != "flag" && a.op != "is" {
		i += len(a.op)
	}
	return a.valueAt(text, i, a.op)
}

func (a assignment) valueAt(text string, i int, op string) (assignment, bool) {
	a.value = skip(text, i, "'\"`*\\= \t\r\n", decoration)
	a.quoted = a.value > i && strings.ContainsAny(text[i:a.value], "'\"`")
	// In a sentence a comma is no sign: only f("token", "value") is.
	if op == "," && !a.quoted {
		return a, false
	}
	return a, a.value < len(text)
}

func isName(c byte) bool { return isWord(c) || c == '.' || c == '-' }

func skip(text string, i int, set string, most int) int {
	for n := 0; n < most && i < len(text) && strings.IndexByte(set, text[i]) >= 0; n++ {
		i++
	}
	return i
}

// operator returns the sign that text begins with.
func operator(text string) string {
	for _, op := range [...]string{":::=", "::=", ":=", "=>", "->", "→", "=", "||", "|", "?=", ":", ">", ","} {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}

// flagValue finds the value of a command line's option: --token v.
func flagValue(text string, name, after int) (int, bool) {
	if !strings.HasPrefix(text[name:], "--") {
		return 0, false
	}
	for after < len(text) && isName(text[after]) {
		after++
	}
	return after, after < len(text) && text[after] == ' '
}

// sentence finds what comes after "is", "was" or, in "set the password to", "to"
// in the same sentence.
func sentence(text string, name, after int) (int, bool) {
	set := containsAny(strings.ToLower(text[max(0, name-30):name]), "set ", "change ", "changed ")
	end := after
	for end < len(text) && end < after+isWithin && (isWord(text[end]) || strings.IndexByte(" -'`()/*", text[end]) >= 0) {
		end++
	}
	for i := after; i < end; i++ {
		if text[i] != ' ' {
			continue
		}
		for _, verb := range [...]string{" is now ", " is still ", " is set to ", " was set to ", " set to ", " changed to ", " is ", " was ", " ist ", " lautet "} {
			if hasFold(text[i:], verb) {
				return i + len(verb), true
			}
		}
		if set && hasFold(text[i:], " to ") {
			return i + len(" to "), true
		}
	}
	return 0, false
}
