package suggest

import (
	"slices"
	"strings"
	"unicode"
)

// token is a word of a sentence, or what stands in backticks.
type token struct {
	text string // as written, without the signs around it
	low  string // in lower case
	code bool
	end  bool // a comma or the like stands behind it
}

type sentence []token

// Signs around a word. A dot before it belongs to it: .env
const (
	opening = "\"'«“(*_—–"
	closing = ".,;:!?)\"'»”*_—–"
)

// sentences splits a line at full stops, semicolons and colons, outside backticks.
func sentences(line string) []sentence {
	var out []sentence
	var now sentence
	flush := func() {
		if len(now) > 0 {
			out = append(out, now)
		}
		now = nil
	}
	for i, part := range strings.Split(line, "`") {
		if i%2 == 1 {
			now = append(now, token{text: part, low: strings.ToLower(part), code: true})
			continue
		}
		for w := range strings.FieldsSeq(part) {
			bare := strings.TrimLeft(strings.TrimRight(w, closing), opening)
			if strings.HasPrefix(w, "*.") {
				bare = "*" + bare
			}
			comma := strings.HasSuffix(w, ",")
			switch {
			case bare != "":
				now = append(now, token{text: bare, low: strings.ToLower(bare), end: comma})
			case comma && len(now) > 0: // behind backticks
				now[len(now)-1].end = true
			}
			signs := w[len(strings.TrimRight(w, closing)):]
			if signs == ":" && len(now) > 0 && deedOf(now[len(now)-1]) != noDeed {
				continue // "do not touch: a, b"
			}
			if dash := bare == "" && strings.Trim(w, "—–-") == ""; dash || strings.ContainsAny(signs, ".;:!?") {
				flush()
			}
		}
	}
	flush()
	return out
}

// isPathWord tells whether a word outside backticks is a path: with a slash at its
// end, or a file name with an ending, or one of the names that everybody knows.
func isPathWord(w string) bool {
	switch w {
	case "LICENSE", "Dockerfile", "Makefile", "Jenkinsfile", "Procfile", "CODEOWNERS", "Gemfile", ".env":
		return true
	}
	if strings.Contains(w, "://") || strings.ContainsAny(w, " ()<>=,") || strings.HasPrefix(w, "-") || strings.HasPrefix(w, "@") {
		return false
	}
	if strings.HasSuffix(w, "/") && len(w) > 1 {
		return true
	}
	dot := strings.LastIndexByte(w, '.')
	if dot < 0 || dot == len(w)-1 {
		return false
	}
	ending := w[dot+1:]
	return len(ending) <= 6 && slices.Contains(endings(), strings.ToLower(ending))
}

// endings are those of files that people name in instructions.
func endings() []string {
	return strings.Fields("go mod sum js jsx ts tsx mjs cjs py rb rs java kt kts swift c h cc cpp hpp cs php sql sh bash md mdx txt json jsonc yaml yml toml lock " +
		"xml html css scss swift log ini cfg conf env pem key crt prisma proto tf tfvars gradle csv ipynb lua ex exs vue svelte nix")
}

// isPath tells whether a token is a path. In backticks a slash is enough.
func (t token) isPath() bool {
	if !t.code {
		return isPathWord(t.text)
	}
	if t.text == "" || strings.ContainsAny(t.text, " ()<>=,\"'|$") || strings.HasPrefix(t.text, "-") || strings.Contains(t.text, "://") {
		return false
	}
	return strings.Contains(t.text, "/") || isPathWord(t.text) || strings.HasPrefix(t.text, ".") && len(t.text) > 2 || strings.HasPrefix(t.text, "*.")
}

// pattern is the path as a rule has it: of a folder, all that is in it.
func (t token) pattern() string {
	p := strings.TrimPrefix(t.text, "./")
	if strings.HasSuffix(p, "/") {
		p += "**"
	}
	return p
}

// firstPath is the first path from a token on, as a pattern, or "".
func (s sentence) firstPath(from int) string {
	if all := s.paths(from); len(all) > 0 {
		return all[0]
	}
	return ""
}

// paths are those from a token on, up to the first verb behind the first of them.
func (s sentence) paths(from int) []string {
	var out []string
	for i := from; i < len(s); i++ {
		switch t := s[i]; {
		case t.code && i+1 < len(s) && s[i+1].is(" file files ") && strings.HasPrefix(t.text, ".") && t.text != ".env" && slices.Contains(endings(), t.low[1:]):
			out = append(out, "*"+t.text) // `.go` files
		case t.isPath():
			out = append(out, t.pattern())
		case t.code && i+1 < len(s) && s[i+1].is(folders) && isFolder(t.text):
			out = append(out, strings.TrimPrefix(t.text, "./")+"/**")
		case len(out) > 0 && (deedOf(t) != noDeed || t.is(" unless without instead before after but except see ")):
			return out
		}
	}
	return out
}

// isFolder tells whether text in backticks can be the name of a folder.
func isFolder(text string) bool {
	return text != "" && !strings.ContainsAny(text, " ()<>=,\"'|$*") && text[0] != '-' && text[0] != '/'
}

// is tells whether a token is one of some words.
func (t token) is(words string) bool {
	return !t.code && strings.Contains(words, " "+t.low+" ") && t.low != ""
}

// begins tells whether a word begins with one of some stems.
func (t token) begins(stems string) bool {
	if t.code {
		return false
	}
	for stem := range strings.FieldsSeq(stems) {
		if strings.HasPrefix(t.low, stem) {
			return true
		}
	}
	return false
}

func (t token) isUkrainian() bool {
	return strings.ContainsFunc(t.low, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) })
}
