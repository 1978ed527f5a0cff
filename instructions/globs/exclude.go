package globs

import (
	"path"
	"strings"
)

// Excludes are the patterns of the setting claudeMdExcludes, of all settings
// files together. They keep instruction files, imported files, rules and
// AGENTS.md from loading, of every scope but (by the documentation) managed
// policy; never the index of the memory folder. What an excluded file imports is
// not looked at, and where all CLAUDE.md files of a project are excluded its
// AGENTS.md loads instead. Measured on 2.1.332.
//
// The client takes the setting of one settings file only when it is a list of
// strings: one value of another type and the whole list counts for nothing.
type Excludes struct {
	list []exclude
}

type exclude struct {
	text     string   // as written
	forms    []string // with slashes, and with links in front of its first sign followed
	res      []*regex // of each form; nil where it matches nothing but itself
	negative []bool
	unknown  bool
}

// NewExcludes compiles patterns. realpath follows the links in an absolute
// folder, as filepath.EvalSymlinks does; it may be nil. Only a pattern that
// begins with a slash has links followed, and only in the folder before its
// first * ? { or [.
func NewExcludes(patterns []string, realpath func(string) (string, error)) *Excludes {
	e := &Excludes{}
	for _, p := range patterns {
		e.list = append(e.list, newExclude(p, realpath))
	}
	return e
}

func newExclude(text string, realpath func(string) (string, error)) exclude {
	x := exclude{text: text}
	form := strings.ReplaceAll(text, `\`, "/")
	x.add(form)
	if dir, ok := staticDir(form); ok && realpath != nil {
		if real, err := realpath(path.Clean(dir)); err == nil && real != dir {
			x.add(strings.TrimSuffix(real, "/") + form[len(dir):])
		}
	}
	return x
}

func (x *exclude) add(form string) {
	src, negative, ok := translate(form)
	x.unknown = x.unknown || !ok
	var re *regex
	if ok {
		re, _ = compileRegex("^(?:" + src + ")$")
	}
	x.forms = append(x.forms, form)
	x.res = append(x.res, re)
	x.negative = append(x.negative, negative)
}

// staticDir is the folder of what comes before the first sign of a pattern, as
// the client cuts it: of /a/b/** that is /a, so links in b are not followed.
func staticDir(form string) (string, bool) {
	if !strings.HasPrefix(form, "/") {
		return "", false
	}
	static := form
	if n := strings.IndexAny(form, "*?{["); n >= 0 {
		static = form[:n]
	}
	static = strings.TrimRight(static, "/")
	n := strings.LastIndexByte(static, '/')
	return form[:max(n, 0)], n > 0
}

// Match returns the first pattern, as written, that excludes a file. The file is
// given by its absolute path with slashes, spelled as the client spells it: the
// start folder and its parents with links followed, an imported file as imported.
func (e *Excludes) Match(file string) (pattern string, ok bool) {
	if e == nil || file == "" {
		return "", false
	}
	s := newSubject(file)
	s.ends = s.ends[len(s.ends)-1:]
	for _, x := range e.list {
		if x.match(file, s) {
			return x.text, true
		}
	}
	return "", false
}

func (x exclude) match(file string, s *subject) bool {
	for i, form := range x.forms {
		switch {
		case form == "":
			continue
		case form == file:
			return true
		case x.unknown || x.res[i] == nil:
			continue
		case x.res[i].runExact(s) != x.negative[i]:
			return true
		}
	}
	return false
}

// Unknown lists the patterns that hold what is not followed here: parentheses,
// bars, double quotes, [:classes:], a class without an end, and braces around **
// alone or around odd ranges. Such a pattern
// matches nothing here but the file of its own name.
func (e *Excludes) Unknown() []string {
	var out []string
	for _, x := range e.list {
		if x.unknown {
			out = append(out, x.text)
		}
	}
	return out
}
