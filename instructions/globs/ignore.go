package globs

import (
	"strings"

	"dormouse/frontmatter"
)

// This file follows the rewriting of gitignore patterns to regular expressions in
// the npm package ignore, versions 5.3 to 7.0.5, step by step (MIT licence,
// copyright Kael Zhang and contributors: LICENSE-ignore.txt).
//
// Later versions of the package read ranges differently; the client does not.

// Pattern is one pattern of a rule.
type Pattern struct {
	Text string // as the client lists it
	// Problem is why the pattern matches nothing; "" when it can match.
	Problem string
	// Suspect is why it hardly matches what its author means; "" when it may.
	Suspect string

	negative bool
	re       *regex
}

// Negative reports whether the pattern takes files away from the patterns before it.
func (p Pattern) Negative() bool { return p.negative }

// compile never fails: a pattern that the client drops keeps its Problem.
func compile(text string) Pattern {
	p := Pattern{Text: text}
	switch {
	case frontmatter.TrimSpace(text) == "":
		p.Problem = "it is blank"
	case text[0] == '#':
		p.Problem = "it begins with # and counts as a comment"
	case strings.HasSuffix(text, `\`) && !strings.HasSuffix(text, `\\`):
		p.Problem = "it ends in a single backslash"
	}
	if p.Problem != "" {
		return p
	}
	body, negative := strings.CutPrefix(text, "!")
	p.negative = negative
	if strings.HasPrefix(body, `\!`) || strings.HasPrefix(body, `\#`) {
		body = body[1:]
	}
	re, err := compileRegex(rewrite(body))
	if err != nil {
		p.Problem = "it is not valid: " + err.Error()
		return p
	}
	p.re = re
	p.Problem = hopeless(body, re)
	if strings.ContainsAny(body, "{}") {
		p.Suspect = "its braces are not expanded: they do not pair, are empty or are too many"
	}
	return p
}

// hopeless tells why a valid pattern cannot match any path below its folder.
func hopeless(body string, re *regex) string {
	if re.never {
		return "it has [ without a valid range"
	}
	if strings.ContainsAny(body, `[\`) {
		return "" // a slash in brackets, or a bar let through by backslashes, parts nothing
	}
	path := strings.TrimSuffix(strings.TrimPrefix(body, "/"), "/")
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case ".":
			return "it has the folder . in it: leave ./ out"
		case "..":
			return "it leads out of its folder with .."
		case "":
			return "it has an empty name in it"
		}
	}
	return ""
}

// rewrite turns a pattern into the regular expression that the package makes of it.
func rewrite(body string) string {
	s := strings.TrimPrefix(body, "\ufeff")
	s = trailingSpace(s)
	s = escapedSpace(s)
	s = prefixEach(s, `\$.|*+(){^`)
	s = strings.ReplaceAll(s, "?", "[^/]")
	if strings.HasPrefix(s, "/") {
		s = "^" + s[1:]
	}
	s = strings.ReplaceAll(s, "/", `\/`)
	s = leadingStars(s)
	s = anchor(s, body)
	s = folderStars(s)
	s = middleStars(s)
	s = unescapeSigns(s)
	s = strings.ReplaceAll(s, `\\`, `\`)
	s = ranges(s)
	return lastStar(ending(s))
}

func prefixEach(s, signs string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune(signs, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// backslashes counts those that s ends with.
func backslashes(s string) int {
	return len(s) - len(strings.TrimRight(s, `\`))
}

// trailingSpace drops white space at the end, but for one escaped space.
func trailingSpace(s string) string {
	t := strings.TrimRightFunc(s, frontmatter.IsSpace)
	if t != s && backslashes(t)%2 == 1 {
		return t[:len(t)-1] + " "
	}
	return t
}

// escapedSpace resolves backslashes before white space.
func escapedSpace(s string) string {
	var b strings.Builder
	for s != "" {
		n := strings.IndexByte(s, '\\')
		if n < 0 {
			break
		}
		b.WriteString(s[:n])
		rest := strings.TrimLeft(s[n:], `\`)
		count := len(s) - n - len(rest)
		s = rest
		if space := firstSpace(rest); space > 0 {
			b.WriteString(strings.Repeat(`\`, count-count%2) + " ")
			s = rest[space:]
			continue
		}
		b.WriteString(strings.Repeat(`\`, count))
	}
	return b.String() + s
}

// firstSpace is the size in bytes of the white space character s begins with, or 0.
func firstSpace(s string) int {
	for i, c := range s {
		if i > 0 {
			return i
		}
		if !frontmatter.IsSpace(c) {
			return 0
		}
	}
	return len(s)
}

// leadingStars makes of **/ at the start any folder or none.
func leadingStars(s string) string {
	t := strings.TrimLeft(s, "^")
	if rest, ok := strings.CutPrefix(t, `\*\*\/`); ok {
		return `^(?:.*\/)?` + rest
	}
	return s
}

// anchor ties a pattern with a slash before its end to the start of the path.
func anchor(s, body string) string {
	if s == "" || s[0] == '^' {
		return s
	}
	if n := strings.IndexByte(body, '/'); n >= 0 && n < len(body)-1 {
		return "^" + s
	}
	return nameStart + s
}

// folderStars makes of /** any folders inside, or at the end anything inside.
func folderStars(s string) string {
	const stars, folders = `\/\*\*`, `(?:\/[^\/]+)*`
	var b strings.Builder
	for at := 0; ; {
		n := strings.Index(s[at:], stars)
		if n < 0 {
			return b.String() + s[at:]
		}
		b.WriteString(s[at : at+n])
		at += n
		rest := s[at+len(stars):]
		switch {
		case rest == "":
			b.WriteString(`\/.+`)
		case strings.HasPrefix(rest, `\/`):
			if !strings.HasSuffix(b.String(), folders) { // twice is the same as once
				b.WriteString(folders)
			}
		default:
			b.WriteByte(s[at])
			at++
			continue
		}
		at += len(stars)
	}
}

// middleStars makes stars that something follows match within a name. Stars in
// a row count as one, and a star after a backslash is left alone.
func middleStars(s string) string {
	const star = `\*`
	var b strings.Builder
	for at := 0; at < len(s); {
		n := strings.IndexByte(s[at:], '\\')
		if n < 0 {
			b.WriteString(s[at:])
			break
		}
		b.WriteString(s[at : at+n])
		sign := at + n
		rest := s[sign:]
		count := 0
		for strings.HasPrefix(rest, star) {
			rest = rest[len(star):]
			count++
		}
		if count > 0 && !startsText(rest) {
			count-- // the last star stays for the end of the pattern
		}
		if count == 0 || n == 0 && sign > 0 {
			b.WriteByte('\\')
			at = sign + 1
			continue
		}
		b.WriteString(`[^\/]*`)
		at = sign + count*len(star)
	}
	return b.String()
}

// startsText reports whether s begins with a character that a dot matches.
func startsText(s string) bool {
	return s != "" && !strings.HasPrefix(s, "\n") && !strings.HasPrefix(s, "\r") &&
		!strings.HasPrefix(s, "\u2028") && !strings.HasPrefix(s, "\u2029")
}

// unescapeSigns takes back the escaping of signs that were escaped already.
func unescapeSigns(s string) string {
	var b strings.Builder
	for s != "" {
		if rest, ok := strings.CutPrefix(s, `\\\`); ok && rest != "" && strings.IndexByte(`$.|*+(){^`, rest[0]) >= 0 {
			b.WriteByte('\\')
			s = rest
			continue
		}
		b.WriteByte(s[0])
		s = s[1:]
	}
	return b.String()
}

// ranges makes [..] a class, or where it is not one, a class of nothing.
func ranges(s string) string {
	var b strings.Builder
	for {
		n := strings.IndexByte(s, '[')
		if n < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:n])
		escaped := n > 0 && s[n-1] == '\\'
		s = s[n+1:]
		end := strings.IndexAny(s, "]/")
		if end >= 0 && s[end] == '/' {
			b.WriteByte('[') // written by a step before this one
			continue
		}
		inner, closed := s, false
		s = ""
		if end >= 0 {
			inner, s, closed = inner[:end], inner[end+1:], true
		}
		b.WriteString(class(inner, closed, escaped))
	}
}

func class(inner string, closed, escaped bool) string {
	text := strings.TrimRight(inner, `\`)
	slashes := len(inner) - len(text)
	switch {
	case escaped && closed:
		return "[" + text + inner[len(text)+slashes%2:] + "]"
	case escaped:
		return "[" + text + inner[len(text)+slashes%2:]
	case closed && slashes%2 == 0:
		return "[" + dropBackwards(text) + inner[len(text):] + "]"
	}
	return "[]"
}

// dropBackwards leaves out ranges such as z-a.
func dropBackwards(s string) string {
	in := func(c byte) bool { return c >= '0' && c <= 'z' }
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && in(s[i]) && in(s[i+2]) {
			if s[i] <= s[i+2] {
				b.WriteString(s[i : i+3])
			}
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// end is where a name ends: at the end of the path or at a slash that ends it.
const end = `(?=$|\/$)`

func ending(s string) string {
	switch {
	case s == "" || s[len(s)-1] == '*':
		return s
	case s[len(s)-1] == '/':
		return s + "$"
	}
	return s + end
}

// lastStar makes a star at the end match the rest of a name: one character or
// more right after a slash, none or more elsewhere.
func lastStar(s string) string {
	rest, ok := strings.CutSuffix(s, `\*`)
	switch {
	case !ok:
		return s
	case strings.HasSuffix(rest, `\/`):
		return rest + "[^/]+" + end
	}
	return rest + "[^/]*" + end
}
