package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// state is what a running shell keeps, as sets of possibilities.
type state struct {
	dirs    []string            // where it may be; "" when that is not known
	vars    map[string][]string // values each variable may have
	lists   map[string][]Word   // arrays
	args    []Word              // $1 and so on; nil when not known
	known   bool                // args are
	funcs   map[string]*syntax.Stmt
	aliases map[string]string
	strict  bool // set -e
	sure    bool // what runs now ends everything behind it where it fails
	perhaps bool // what runs now may also not run: changes are added to what was
}

// Bounds on what is remembered, against texts made to be slow.
const (
	maxVars   = 500
	maxValues = 8
	maxDirs   = 4
)

func newState(p Place) *state {
	s := &state{
		dirs: []string{p.Dir},
		vars: map[string][]string{"IFS": {" \t\n"}}, lists: map[string][]Word{},
		funcs: map[string]*syntax.Stmt{}, aliases: map[string]string{},
	}
	if p.Home != "" {
		s.vars["HOME"] = []string{p.Home}
	}
	if p.Project != "" {
		s.vars["CLAUDE_PROJECT_DIR"] = []string{p.Project}
	}
	return s
}

// clone is the state of a subshell.
func (s *state) clone() *state {
	c := *s
	c.vars, c.lists, c.funcs, c.aliases = maps.Clone(s.vars), maps.Clone(s.lists), maps.Clone(s.funcs), maps.Clone(s.aliases)
	return &c
}

// set gives a variable values.
func (s *state) set(name string, values []string) {
	if _, had := s.vars[name]; !had && len(s.vars) >= maxVars {
		return
	}
	if s.perhaps {
		values = append(slices.Clone(s.vars[name]), values...)
	}
	slices.Sort(values)
	if values = slices.Compact(values); len(values) > maxValues {
		values = append(values[:maxValues:maxValues], string(Hole))
	}
	s.vars[name] = values
}

// append gives a variable more text (a+=b).
func (s *state) append(name string, values []string) {
	var all []string
	for _, old := range s.vars[name] {
		for _, more := range values {
			if len(old)+len(more) > maxBytes {
				more = string(Hole)
			}
			all = append(all, old+more)
		}
	}
	if all == nil {
		all = values
	}
	s.set(name, all)
}

// maybe runs what may also not run.
func (s *state) maybe(run func()) {
	before, perhaps, sure := s.dirs, s.perhaps, s.sure
	s.perhaps, s.sure = true, false
	run()
	s.perhaps, s.sure = perhaps, sure
	s.dirs = union(before, s.dirs)
}

// cd changes the folder to one of dirs.
func (s *state) cd(dirs []string) {
	if s.sure || s.strict {
		s.dirs = dirs
		return
	}
	s.dirs = union(s.dirs, dirs) // cd may fail, and the next command runs where one was
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, d := range b {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(out) > maxDirs {
		out = append(out[:maxDirs:maxDirs], "")
	}
	return out
}

// resolve makes a path absolute from each folder the shell may be in.
func resolve(dirs []string, home, p string) []string {
	p = strings.ReplaceAll(p, `\`, "/")
	switch {
	case p == "":
		return nil
	case p == "~" || strings.HasPrefix(p, "~/"):
		if home == "" {
			return []string{string(Hole) + p[1:]}
		}
		return []string{path.Join(home, p[1:])}
	case isAbs(p) || p[0] == Hole:
		return []string{path.Clean(p)}
	}
	var out []string
	for _, d := range dirs {
		if d == "" {
			d = string(Hole)
		}
		out = append(out, path.Join(d, p))
	}
	return out
}

// isAbs is path.IsAbs, and so for C:/.
func isAbs(p string) bool {
	return p[0] == '/' || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
