package extract

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A match is what an atom of a pattern may be.
type atom struct {
	kind byte // '=' word, '*' beginning, '$' ending, '<' special
	text string
}

// A phrase is atoms that follow each other.
type phrase []atom

// An element is one place of a pattern.
type element struct {
	op   byte // 'a' alternatives, '.' gap, '^' clause, '$' end, '[' and ']', '!' not here
	alts []phrase
	set  *wordSet // of many alternatives, by their first word
	opt  bool
	gap  int
}

// A pattern is elements that have to match one after the other.
type pattern struct {
	rule   *rule
	index  int // in the file
	els    []element
	say    string // "Use $"
	anchor bool
	loose  bool // begins with any words: not with greetings
}

func parsePhrase(s string) phrase {
	if strings.HasPrefix(s, "<") {
		return phrase{{'<', strings.Trim(s, "<>")}}
	}
	var p phrase
	for _, w := range strings.Split(s, "_") {
		switch {
		case w == "":
		case strings.HasSuffix(w, "*"):
			p = append(p, atom{'*', w[:len(w)-1]})
		case strings.HasPrefix(w, "*"):
			p = append(p, atom{'$', w[1:]})
		default:
			p = append(p, atom{'=', w})
		}
	}
	return p
}

// special atoms are no classes: they look at how a token is written, or nowhere.
func isSpecial(name string) bool {
	switch name {
	case "any", "url", "code", "local", "date", "name", "number", "unit", "weekday", "month", "day", "year", "isodate", "offered", "recent", "colon", "comma", "channel":
		return true
	}
	return false
}

func (l *language) alternatives(s string) ([]phrase, error) {
	var out []phrase
	for _, a := range strings.Split(s, "|") {
		p := parsePhrase(a)
		if len(p) == 1 && p[0].kind == '<' && !isSpecial(p[0].text) {
			class, ok := l.classes[p[0].text]
			if !ok {
				return nil, fmt.Errorf("no class %q", p[0].text)
			}
			l.learn(a, class)
			if s == a {
				return class, nil
			}
			out = append(out, class...)
			continue
		}
		if len(p) > 0 {
			l.learn("", []phrase{p})
			out = append(out, p)
		}
	}
	return out, nil
}

// manyAlternatives are looked up by their first word.
const manyAlternatives = 8

func (l *language) pattern(r *rule, s string) error {
	if r == nil {
		return fmt.Errorf("a pattern without a rule")
	}
	p := &pattern{rule: r, index: len(l.patterns)}
	body, say, _ := strings.Cut(s, "=>")
	p.say = strings.TrimSpace(say)
	for _, w := range strings.Fields(body) {
		var e element
		switch w {
		case "^":
			p.anchor = true
			continue
		case "[", "]", "$":
			e.op = w[0]
		case "..":
			e = element{op: '.', gap: 3}
		case "....":
			e = element{op: '.', gap: 8}
		case "...":
			e = element{op: '.', gap: maxTokens}
		default:
			e.op = 'a'
			if strings.HasPrefix(w, "!") {
				e.op, w = '!', w[1:]
			}
			if strings.HasSuffix(w, "?") {
				e.opt, w = true, w[:len(w)-1]
			}
			var err error
			if e.alts, err = l.alternatives(w); err != nil {
				return err
			}
			if class := strings.Trim(w, "<>"); len(e.alts) > manyAlternatives && e.op == 'a' {
				if e.set = l.sets[class]; e.set == nil {
					e.set = newWordSet(e.alts)
					if w == "<"+class+">" {
						l.sets[class] = e.set
					}
				}
			}
		}
		p.els = append(p.els, e)
	}
	for _, w := range strings.Fields(body) {
		if w != "^" && w != "[" {
			p.loose = strings.Contains(w, "<verb>") || strings.Contains(w, "<infinitive>")
			break
		}
	}
	for _, e := range p.els {
		if e.op == '[' || e.op == '!' || p.loose {
			continue
		}
		p.loose = e.op == '.' || e.op == 'a' && slices.ContainsFunc(e.alts, func(p phrase) bool { return p[0].kind == '<' || p[0].kind == '$' })
		break
	}
	l.patterns = append(l.patterns, p)
	return nil
}

// index finds for each pattern the words that a sentence must have one of.
func (l *language) index() {
	common := map[string]bool{}
	for _, p := range l.classes["common"] {
		common[p[0].text] = true
	}
	for i, p := range l.patterns {
		best, cost := -1, 1<<30
		for j, e := range p.els {
			if e.op != 'a' || e.opt {
				continue
			}
			if c, ok := keyCost(e, common); ok && c < cost {
				best, cost = j, c
			}
		}
		if best < 0 {
			l.special = append(l.special, i)
		} else {
			l.keys(i, p.els[best])
		}
	}
}

// prefixKey is how many letters of a beginning are looked up.
const prefixKey = 3

func keyCost(e element, common map[string]bool) (int, bool) {
	cost := len(e.alts)
	for _, p := range e.alts {
		switch a := p[0]; {
		case a.kind == '=':
			if common[a.text] {
				cost += 1000
			}
		case a.kind == '*' && utf8.RuneCountInString(a.text) >= prefixKey:
		case a.kind == '<' && hasKey(a.text):
		default:
			return 0, false
		}
	}
	return cost, len(e.alts) > 0
}

// hasKey tells whether tokens are looked up by this special atom.
func hasKey(name string) bool {
	switch name {
	case "url", "date", "offered", "recent", "weekday", "month", "unit", "isodate":
		return true
	}
	return false
}

func (l *language) keys(i int, e element) {
	seen := map[string]bool{}
	for _, p := range e.alts {
		a := p[0]
		k := string(a.kind) + a.text
		if a.kind == '*' {
			k = "*" + firstRunes(a.text, prefixKey)
		}
		if seen[k] {
			continue
		}
		seen[k] = true
		switch a.kind {
		case '*':
			l.byPrefix[k[1:]] = append(l.byPrefix[k[1:]], i)
		case '<':
			l.byWord["<"+a.text] = append(l.byWord["<"+a.text], i)
		default:
			l.byWord[a.text] = append(l.byWord[a.text], i)
		}
	}
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// learn remembers the words of the rules that a slip of the finger may hide.
func (l *language) learn(class string, alts []phrase) {
	if class != "" {
		if l.words["\x00"+class] {
			return
		}
		l.words["\x00"+class] = true
	}
	for _, p := range alts {
		for _, a := range p {
			if a.kind != '=' || l.words[a.text] {
				continue
			}
			l.words[a.text] = true
			if n := utf8.RuneCountInString(a.text); n < 5 || n > 14 {
				continue
			}
			for _, s := range withoutOne(a.text) {
				l.slips[s] = append(l.slips[s], a.text)
			}
		}
	}
}

// withoutOne is a word with each letter but the first left out.
func withoutOne(w string) []string {
	var out []string
	first := true
	for i, r := range w {
		if first {
			first = false
			continue
		}
		out = append(out, w[:i]+w[i+utf8.RuneLen(r):])
	}
	return out
}
