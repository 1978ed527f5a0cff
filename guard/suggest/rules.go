package suggest

import (
	"slices"
	"strings"
)

// want is what a sentence says about a verb.
type want struct {
	verb string // "deny" or "ask"
	at   int    // the token that the verb is, or where its words begin
}

// rules are the rules that a sentence could be. earlier is a path from the
// sentence before.
func (s sentence) rules(earlier string) []string {
	if r := s.insteadOf(); r != nil {
		return r
	}
	if r := s.passive(); r != nil {
		return r
	}
	var out []string
	for _, w := range s.wants() {
		out = append(out, s.deedRules(w, earlier)...)
	}
	return out
}

// wants finds what is forbidden or to be asked: the verbs right behind a negation, or
// behind "ask before".
func (s sentence) wants() []want {
	var out []want
	for i, t := range s {
		switch {
		case t.is(negations), t.low == "ніколи", t.low == "не", t.begins("заборон"), t.is(" no "), strings.HasSuffix(t.low, "n't"):
			if i > 0 && t.is(" not ") && s[i-1].is(" is are was were if why or ") && !(i+1 < len(s) && s[i+1].is(" allowed ")) {
				continue
			}
			if t.is(" no ") {
				return s.noThings(i)
			}
			for _, w := range s.verbsBehind(i+1, s.denyOrAsk(i+1)) {
				if !slices.Contains(out, w) { // "never push, and never force-push"
					out = append(out, w)
				}
			}
		case len(out) > 0:
		case t.is(asks) || t.begins(asksStems):
			for j := i + 1; j < len(s) && j < i+8; j++ {
				if s[j].is(before) || s[j].is(beforeUk) {
					if list := s.verbsBehind(j+1, "ask"); list != nil {
						return list
					}
					return s.commandBehind(j + 1)
				}
			}
		}
	}
	return out
}

// commandBehind is "ask before any `git push`".
func (s sentence) commandBehind(i int) []want {
	if i < len(s) && s[i].is(" any every a each ") {
		i++
	}
	if i < len(s) && s[i].code && isProgram(s[i].text) {
		return []want{{"ask", i - 1}}
	}
	return nil
}

// denyOrAsk is ask where a negation has its "without asking".
func (s sentence) denyOrAsk(from int) string {
	for i := from; i < len(s); i++ {
		w, limit := consent, i+4
		switch {
		case s[i].is(unless):
			w = unlessWho
		case !s[i].is(without):
			continue
		}
		for j := i + 1; j < len(s) && j < limit; j++ {
			if s[j].is(w) || s[j].begins(consentUk) {
				return "ask"
			}
		}
	}
	return "deny"
}

// verbsBehind are the verbs from a token on: the first word but for fillers, and those
// joined to it by or.
func (s sentence) verbsBehind(from int, verb string) []want {
	var out []want
	joined := true
	for i := from; i < len(s); i++ {
		t := s[i]
		switch {
		case t.is(fillers) || t.is(" як ніж тим тим, ") || t.is(" тим ") || t.low == "не":
		case t.is(" or nor and чи або "):
			joined = len(out) > 0
		case !joined:
			if !t.end && !t.is(" to anything in із ") {
				// The object of the last verb: a further verb comes behind or, if at all.
				continue
			}
		case t.is(turned) && !(t.is(" skip ") && s.names(i, "hook")):
			return out
		case deedOf(t) != noDeed:
			out = append(out, want{verb, i})
			joined = t.end
		default:
			if len(out) == 0 {
				return nil
			}
			joined = false
		}
	}
	return out
}

// names tells whether a word with a stem stands behind a token.
func (s sentence) names(from int, stem string) bool {
	for i := from; i < len(s); i++ {
		if strings.Contains(s[i].low, stem) {
			return true
		}
	}
	return false
}

// noThings is "no new dependencies without asking". "No dependency on X" only
// describes.
func (s sentence) noThings(i int) []want {
	for j := i + 2; j < len(s) && j < i+4; j++ {
		if s[i+1].is(" new additional further extra ") && s[j].is(things) {
			return []want{{s.denyOrAsk(j), -1}}
		}
	}
	return nil
}

// insteadOf is "use A, not B" and "A instead of B", where B is a program.
func (s sentence) insteadOf() []string {
	use := false
	for i, t := range s {
		use = use || t.is(" use uses ") && (i == 0 || !s[i-1].is(negations))
		if i+1 >= len(s) || !use {
			continue
		}
		next := s[i+1]
		if t.is(" of ") && i > 0 && s[i-1].is(" instead ") || t.is(" not ") && i > 0 && s[i-1].end {
			if strings.Contains(programs, " "+next.low+" ") && (i+2 == len(s) || next.code || s[i+2].is(stops)) {
				return []string{"deny command " + next.low}
			}
		}
	}
	return nil
}

// passive is "X must not be changed", "X is forbidden", "changes to X need approval".
func (s sentence) passive() []string {
	for i, t := range s {
		verb := ""
		switch {
		case i == 0:
		case t.is(forbidden) && s[i-1].is(" is are "):
			verb = "deny"
		case t.is(" not ") && i+2 < len(s) && s[i+1].is(" be "):
			verb = s.denyOrAsk(i)
		case t.is(needs) && s.names(i, "approval"):
			verb = "ask"
		}
		if verb == "" {
			continue
		}
		subject := s[:i]
		if tool := subject.tool(0); tool != "" {
			return []string{verb + " tool " + tool}
		}
		for j, w := range subject {
			if d := deedOf(w); d != noDeed && d != edits {
				return subject.deedRules(want{verb, j}, "")
			}
		}
		p := subject.firstPath(0)
		if p == "" || !t.is(needs) && !t.is(forbidden) && deedOf(s[i+2]) != edits {
			return nil
		}
		return []string{verb + " edit " + p}
	}
	return nil
}

// tool is the first tool named from a token on.
func (s sentence) tool(from int) string {
	for i := from; i < len(s); i++ {
		if t := s[i]; strings.Contains(toolNames, " "+t.low+" ") && t.text != t.low {
			return t.text
		}
	}
	return ""
}
