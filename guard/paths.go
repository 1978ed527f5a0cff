package guard

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"dormouse/frontmatter"
	"dormouse/guard/shell"
	"dormouse/instructions/globs"
)

// pathPattern is what a path rule looks for: a pattern of .gitignore, below a
// folder. Upper and lower case are one, as in the client's own path rules: a disk
// that doesn't tell them apart would else be a way around.
type pathPattern struct {
	base     string // absolute, "" for the home folder
	home     bool
	every    bool // all below base
	rule     globs.Rule
	anchored bool     // it begins at base; else it counts at any depth
	literal  []string // the names it begins with, without stars; those of anchored patterns
	plain    bool     // nothing but literal names
	whole    string   // the pattern without its last /**
}

// compilePath reads a path pattern: relative to base, from the home folder with ~/,
// from the root of the disk with //.
func compilePath(base, text string) (pathPattern, error) {
	p := pathPattern{base: strings.TrimSuffix(base, "/")}
	rest := strings.ReplaceAll(text, `\`, "/")
	switch {
	case text == "":
		return p, errors.New("no path stands behind it: deny edit migrations/**")
	case len(text) > maxPattern:
		return p, fmt.Errorf("the pattern is longer than %d characters", maxPattern)
	case rest[0] == '!':
		return p, errors.New("a pattern with ! would allow something, and a rule can only forbid or ask")
	case strings.ContainsAny(rest, ",\"'`"):
		return p, errors.New("one path pattern on a line, without quotes and commas: write a line for each")
	case rest == "~" || strings.HasPrefix(rest, "~/"):
		p.home, p.base, rest = true, "", "/"+strings.TrimPrefix(rest[1:], "/")
	case strings.HasPrefix(rest, "//"):
		p.base, rest = "", rest[1:]
	}
	rest = strings.TrimPrefix(rest, "./")
	rest = strings.TrimSuffix(rest, "/")
	p.anchored = strings.Contains(strings.TrimSuffix(rest, "/**"), "/") || strings.HasSuffix(rest, "/**")
	p.whole = strings.TrimPrefix(strings.TrimSuffix(rest, "/**"), "/")
	if p.whole == "" || p.whole == "**" || p.whole == "*" {
		p.every, p.anchored = true, true
		return p, nil
	}
	anchor := p.whole
	if p.anchored && !strings.HasPrefix(anchor, "**/") {
		anchor = "/" + anchor
	} else {
		p.anchored = false
	}
	p.rule = globs.FromFields(fieldsOf(anchor))
	for _, g := range p.rule.Patterns {
		if g.Problem != "" {
			return p, fmt.Errorf("the path pattern can't match anything: %s", g.Problem)
		}
	}
	if p.rule.Always || len(p.rule.Patterns) == 0 {
		return p, errors.New("the path pattern can't match anything")
	}
	p.plain = true
	for name := range strings.SplitSeq(p.whole, "/") {
		if strings.ContainsAny(name, "*?[{") {
			p.plain = false
			break
		}
		p.literal = append(p.literal, strings.ToLower(name))
	}
	if !p.anchored {
		p.literal = nil
	}
	return p, nil
}

// fieldsOf is the front matter of a rule with one path.
func fieldsOf(pattern string) frontmatter.Fields {
	return frontmatter.Fields{List: []frontmatter.Field{{Key: "paths", Value: frontmatter.Value{Kind: frontmatter.String, Text: pattern}}}}
}

// answer is whether a rule is about something.
type answer uint8

const (
	no answer = iota
	perhaps
	yes
)

// below returns a path relative to the pattern's folder; ok is false for one outside.
func (p *pathPattern) below(file, home string) (rel string, ok bool) {
	base := p.base
	if p.home {
		if home == "" {
			return "", false
		}
		base = strings.TrimSuffix(home, "/")
	}
	if len(file) < len(base) || !strings.EqualFold(file[:len(base)], base) {
		return "", false
	}
	switch rest := file[len(base):]; {
	case rest == "" || rest == "/":
		return ".", true
	case rest[0] == '/':
		return rest[1:], true
	}
	return "", false
}

// matches tells whether the pattern is about a file.
func (p *pathPattern) matches(a *shell.Access, home string) answer {
	if n := strings.IndexByte(a.Path, shell.Hole); n >= 0 {
		return p.matchesHole(a, home, n)
	}
	rel, ok := p.below(a.Path, home)
	if !ok {
		if a.Tree && p.holds(a.Path, home) {
			return some(a)
		}
		return no
	}
	switch {
	case p.every && (rel != "." || a.Tree):
		return yes
	case rel == "." && a.Tree:
		return some(a) // all that the pattern could be about
	case rel == ".":
		return no
	case p.rule.Match(rel):
		return yes
	case a.Glob:
		return p.meets(rel, a)
	case !a.Tree:
		return no
	case !p.anchored:
		return perhaps
	}
	names := strings.Split(strings.ToLower(rel), "/")
	if len(names) > len(p.literal) {
		if !p.plain && len(p.literal) < len(names) && sameNames(p.literal, names[:len(p.literal)]) {
			return perhaps
		}
		return no
	}
	if sameNames(names, p.literal[:len(names)]) {
		return some(a)
	}
	return no
}

// some is the answer for a folder around what the pattern is about.
func some(a *shell.Access) answer {
	if a.Some {
		return perhaps
	}
	return yes
}

// holds tells whether a folder is above the one that the pattern begins at.
func (p *pathPattern) holds(dir, home string) bool {
	base := p.base
	if p.home {
		base = strings.TrimSuffix(home, "/")
	}
	return base != "" && (dir == "/" || len(base) > len(dir) && strings.EqualFold(base[:len(dir)], dir) && base[len(dir)] == '/')
}

// matchesHole is for a path that can't be told from byte n on: it may lead anywhere
// below the folder that stands before that.
func (p *pathPattern) matchesHole(a *shell.Access, home string, n int) answer {
	if n == 0 {
		// Nothing of it is known but its end.
		if tail := strings.Trim(strings.ReplaceAll(a.Path, string(shell.Hole), ""), "/"); tail != "" && !p.every && p.rule.Match(tail) {
			return perhaps
		}
		if len(a.Path) == 1 || a.Tree {
			return perhaps
		}
		return no
	}
	dir := path.Dir(a.Path[:n] + "x")
	rel, ok := p.below(dir, home)
	switch {
	case ok && p.every, ok && rel != "." && p.rule.Match(rel):
		return yes
	case !ok:
		return no
	}
	whole, _ := p.below(a.Path, home)
	if meet(strings.ToLower(p.loose()), strings.ToLower(whole)) || a.Tree {
		return perhaps
	}
	return no
}

// loose is the pattern with stars that stand for slashes as well.
func (p *pathPattern) loose() string {
	s := strings.NewReplacer("**", "*", "[", "*", "]", "*", "{", "*", "}", "*").Replace(p.whole)
	if !p.anchored {
		return "*" + s
	}
	return s
}

// meets is for a word that the shell replaces by names.
func (p *pathPattern) meets(rel string, a *shell.Access) answer {
	names := strings.Split(strings.ToLower(rel), "/")
	if !p.anchored {
		last := names[len(names)-1]
		switch {
		case !meet(strings.ToLower(path.Base(p.loose())), last):
			return no
		case p.plain && strings.Trim(last, "*") != "" || p.plain && len(names) == 1:
			return yes
		}
		return perhaps
	}
	for i, lit := range p.literal {
		if i == len(names) {
			if a.Tree {
				return some(a)
			}
			return no
		}
		if !meet(lit, names[i]) {
			return no
		}
	}
	switch {
	case p.plain && (len(names) > len(p.literal) || a.Tree || !mayBeFolder(p)):
		return yes
	case p.plain:
		return perhaps // rm * where the pattern is a folder: rm leaves it
	case meet(strings.ToLower(p.loose()), strings.Join(names, "/")):
		return yes
	}
	return no
}

// mayBeFolder guesses by the last name whether a pattern is of a folder.
func mayBeFolder(p *pathPattern) bool {
	return !strings.Contains(p.literal[len(p.literal)-1], ".")
}

func sameNames(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
