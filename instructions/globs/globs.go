// Package globs decides which rule a read brings in, by the rule's paths, and
// which instruction files claudeMdExcludes keeps out.
//
// The client matches paths with the npm package ignore (gitignore patterns, case
// ignored) after an expansion of braces of its own, and claudeMdExcludes with
// the npm package picomatch. Both were told apart from their relatives by runs
// of the real client and are followed here down to their oddities, because a
// rule that does not load is the oddity its author wants explained.
//
// The package is pure: nothing here looks at a disk.
package globs

import (
	"strings"

	"dormouse/frontmatter"
)

// Rule is what a rule file's front matter says about when the rule loads.
type Rule struct {
	// Always: the rule loads at the start of a session (or, in a nested folder,
	// with the first read there), whatever is read.
	Always bool
	// Patterns are those the client matches, in its order: braces expanded, a
	// last /** cut off. They are relative to the folder that holds .claude, and
	// those of user rules to the folder the session started in.
	Patterns []Pattern
	// Line of the paths key in the front matter, 1-based; 0 without one.
	Line int
	// Broken is why the front matter could not be read. The client then takes
	// it for empty, so Always is set. Where it is frontmatter.ErrTooLarge the
	// client may read it all the same, and Always is a guess.
	Broken error
	// Mended are the lines that are not YAML, which the client read as text.
	Mended []int
	// NotText tells that paths is set, but to something that holds no pattern
	// (a number, a map, an empty list), so that Always is set.
	NotText bool
}

// ReadRule reads a rule's front matter. Use it only for a file that has one.
func ReadRule(front string) Rule {
	f, err := frontmatter.Parse(front)
	if err != nil {
		return Rule{Always: true, Broken: err}
	}
	return FromFields(f)
}

// FromFields takes the paths out of a front matter that was read.
func FromFields(f frontmatter.Fields) Rule {
	r := Rule{Mended: f.Mended}
	field, ok := f.Get("paths")
	if !ok {
		r.Always = true
		return r
	}
	r.Line = field.Line
	texts := expandAll(texts(field.Value, nil))
	r.NotText = len(texts) == 0 && field.Value.Kind != frontmatter.Null
	r.Always = true
	for _, t := range texts {
		// A last /** is cut off, so src/** becomes src, which without a slash
		// matches a folder of that name at any depth. Measured on 2.1.332.
		if t = strings.TrimSuffix(t, "/**"); t == "" {
			continue
		}
		if t != "**" {
			r.Always = false
		}
		r.Patterns = append(r.Patterns, compile(t))
	}
	if r.Always {
		r.Patterns = nil
	}
	return r
}

// texts lists the patterns in a value: strings are split at commas, lists are
// searched to any depth, everything else is left out.
func texts(v frontmatter.Value, list []string) []string {
	switch v.Kind {
	case frontmatter.String:
		return append(list, splitCommas(v.Text)...)
	case frontmatter.List:
		for _, i := range v.Items {
			list = texts(i, list)
		}
	}
	return list
}

// splitCommas splits at commas outside braces and trims. Braces are only
// counted, so that a closing one too many keeps all commas after it.
func splitCommas(s string) []string {
	var out []string
	depth, from := 0, 0
	add := func(part string) {
		if part = frontmatter.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case ',':
			if depth == 0 {
				add(s[from:i])
				from = i + 1
			}
		}
	}
	add(s[from:])
	return out
}

// Never reports whether no read can bring the rule in: it has patterns, and none
// of them that adds files can match one.
func (r Rule) Never() bool {
	if r.Always {
		return false
	}
	for _, p := range r.Patterns {
		if !p.negative && p.Problem == "" {
			return false
		}
	}
	return true
}

// Match reports whether reading a file brings the rule in. rel is the file's
// path, as it was spelled, relative to the folder the patterns are relative to,
// with slashes; a path that is empty, absolute or begins with .. never matches.
// Whether the file exists does not matter to the client.
func (r Rule) Match(rel string) bool {
	return !r.Always && match(r.Patterns, rel)
}
