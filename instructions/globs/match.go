package globs

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf16"
)

// match runs the patterns over a path as a gitignore would: a file matches when
// it or a folder above it does; a later ! pattern takes a match away again, but
// not one of a folder above.
func match(patterns []Pattern, rel string) bool {
	rel = path.Clean(rel)
	if rel == "." || path.IsAbs(rel) || strings.HasPrefix(rel, "..") {
		return false
	}
	s := newSubject(rel)
	matched := make([][]bool, len(patterns))
	for level := range s.ends {
		in := false
		for i, p := range patterns {
			// A pattern is asked only when its answer could change the outcome.
			if p.re == nil || p.negative != in {
				continue
			}
			if matched[i] == nil {
				matched[i] = p.re.run(s)
			}
			if matched[i][level] {
				in = !in
			}
		}
		if in {
			return true
		}
	}
	return false
}

// maxSteps bounds the work for one path. Thousands of patterns on a path of
// thousands of folders need more; what is not answered by then is a no.
const maxSteps = 1 << 25

// subject is a path to be matched: the path itself and each folder above it, with
// a slash at its end, are the beginnings of units up to ends.
type subject struct {
	units []uint16
	fold  []uint16 // units in the form that ignores case
	ends  []int
	steps int
}

func newSubject(rel string) *subject {
	s := &subject{units: utf16.Encode([]rune(rel))}
	s.fold = make([]uint16, len(s.units))
	for i, u := range s.units {
		s.fold[i] = fold(u)
		if u == '/' {
			s.ends = append(s.ends, i+1)
		}
	}
	s.ends = append(s.ends, len(s.units))
	return s
}

// fold is Canonicalize of ECMAScript for expressions with the flag i alone: the
// upper case of a unit where that is one unit and not ASCII for a letter that
// is not.
func fold(u uint16) uint16 {
	if u < 128 {
		if u >= 'a' && u <= 'z' {
			return u - 'a' + 'A'
		}
		return u
	}
	if longUpper(u) {
		return u
	}
	up := unicode.ToUpper(rune(u))
	if up > 0xffff || up < 128 {
		return u
	}
	return uint16(up)
}

// longUpper holds for letters whose upper case is more than one character though
// Unicode also gives them a simple one: Greek with iota subscript.
func longUpper(u uint16) bool {
	switch u {
	case 0x1fb3, 0x1fbc, 0x1fc3, 0x1fcc, 0x1ff3, 0x1ffc:
		return true
	}
	return u >= 0x1f80 && u <= 0x1faf
}

// has reports whether a unit, given with its folded form, is in the set when
// case is ignored: whether any unit that folds to the same is.
func (s *set) has(u, folded uint16) bool {
	return s.any(u, folded) != s.not
}

func (s *set) any(u, folded uint16) bool {
	if s.in(u) || s.in(folded) {
		return true
	}
	for c := unicode.SimpleFold(rune(u)); c != rune(u); c = unicode.SimpleFold(c) {
		if c <= 0xffff && fold(uint16(c)) == folded && s.in(uint16(c)) {
			return true
		}
	}
	return false
}

func (s *set) in(u uint16) bool {
	for _, r := range s.ranges {
		if u >= r.lo && u <= r.hi {
			return true
		}
	}
	return false
}

// run tells for each of the subject's ends whether the expression matches
// somewhere in the units before it.
func (re *regex) run(s *subject) []bool {
	m := &machine{re: re, s: s, seen: make([]int, len(re.prog))}
	return m.run()
}

// runExact tells whether the expression matches before the subject's only end,
// with case.
func (re *regex) runExact(s *subject) bool {
	m := &machine{re: re, s: s, seen: make([]int, len(re.prog)), exact: true}
	return m.run()[0]
}

// machine runs all ways through a program at once.
type machine struct {
	re    *regex
	s     *subject
	exact bool  // case counts
	seen  []int // generation an instruction was last reached in
	gen   int

	stack, open []int // kept between steps
}

func (m *machine) run() []bool {
	s := m.s
	out := make([]bool, len(s.ends))
	done := false // it matched before i, whatever follows
	level := 0
	var now []int
	for i := 0; i <= len(s.units) && !done && s.steps < maxSteps; i++ {
		if m.begins(i) {
			now = append(now, 0)
		} else if len(now) == 0 && m.re.begin == atPath {
			return out // it had to begin where it did not
		}
		if s.ends[level] == i {
			out[level] = out[level] || m.ends(now, i, i)
			level++
		}
		if level < len(s.ends) && s.ends[level] == i+1 && s.units[i] == '/' {
			out[level] = m.ends(now, i, i+1)
		}
		if len(now) > 0 {
			done = m.closure(now, i, -1)
			now = m.step(now[:0], i)
		}
	}
	for ; done && level < len(out); level++ {
		out[level] = true
	}
	return out
}

// begins reports whether a match can begin at i.
func (m *machine) begins(i int) bool {
	switch m.re.begin {
	case atPath:
		return i == 0
	case atName:
		if i > 0 && (i == len(m.s.units) || m.s.units[i] != '/') {
			return false
		}
		at := i + min(i, 1) // the name's first unit, behind the slash
		return m.re.first == nil || at < len(m.s.units) && m.fits(m.re.first, at)
	}
	return true
}

// ends reports whether the program can end at i in a path that ends at end.
func (m *machine) ends(now []int, i, end int) bool {
	return len(now) > 0 && m.closure(now, i, end)
}

// closure follows everything that consumes nothing from the instructions at
// position i, for a path that ends at end (-1: later than i+1). It leaves the
// instructions that want a unit in open and tells whether the program can end.
func (m *machine) closure(from []int, i, end int) (found bool) {
	m.gen++
	m.s.steps += len(from)
	m.open = m.open[:0]
	m.stack = append(m.stack[:0], from...)
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.seen[pc] == m.gen {
			continue
		}
		m.seen[pc] = m.gen
		m.s.steps++
		in := m.re.prog[pc]
		switch in.op {
		case opMatch:
			found = true
		case opSet:
			m.open = append(m.open, pc)
		case opJump:
			m.stack = append(m.stack, in.x)
		case opSplit:
			m.stack = append(m.stack, in.x, in.y)
		default:
			if m.holds(in.op, i, end) {
				m.stack = append(m.stack, pc+1)
			}
		}
	}
	return found
}

func (m *machine) holds(op opcode, i, end int) bool {
	switch op {
	case opStart:
		return i == 0
	case opEnd:
		return i == end
	case opName:
		return end >= 0 && (i == end || i == end-1 && m.s.units[i] == '/')
	}
	before := i > 0 && wordUnit(m.s.units[i-1])
	after := i < len(m.s.units) && i != end && wordUnit(m.s.units[i])
	return (before != after) == (op == opWord)
}

func wordUnit(u uint16) bool {
	return u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u == '_' || u >= 'a' && u <= 'z'
}

// step consumes the unit at i and adds where that leads to next.
func (m *machine) step(next []int, i int) []int {
	if i >= len(m.s.units) {
		return next
	}
	for _, pc := range m.open {
		if m.fits(m.re.prog[pc].set, i) {
			next = append(next, pc+1)
		}
	}
	return next
}

// fits reports whether the unit at i is in the set.
func (m *machine) fits(s *set, i int) bool {
	if m.exact {
		return s.in(m.s.units[i]) != s.not
	}
	return s.has(m.s.units[i], m.s.fold[i])
}
