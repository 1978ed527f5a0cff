package secrets

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed rules.txt
var rulesText string

// The kinds of rule. In the file a kind is a word.
type kind uint8

const (
	kindNamed    kind = iota // keyword, a sign such as "=", then the expression
	kindAnchored             // the expression begins with the keyword
	kindWindow               // the expression somewhere around the keyword
	kindCode                 // a function looks at the place
)

// A rule says what one kind of credential looks like.
type rule struct {
	id, why   string
	kind      kind
	rank      int
	entropy   float64 // bits a byte that the credential must have more of; 0: any
	group     int     // which group is the credential; 0: the first that is not empty, or all
	boundary  bool    // no letter, digit or _ before it
	dash      bool    // and no dash
	back      int     // bytes to look at before the keyword
	reach     int     // bytes to look at from the keyword on (named: from the value on)
	solid     int     // bytes without white space that a match begins with
	keywords  []string
	re        lazy
	check     func(secret string) bool                                   // own rules: false rejects
	code      func(text string, at, after int) (start, end int, ok bool) // kindCode
	own       bool
	except    exceptions
	allowLine lazy // on the match from the name on
}

// Exceptions are what a credential is not.
type exceptions struct {
	allow    lazy
	stop     string // words, separated by spaces
	stopOnce sync.Once
	stopSet  wordSet
}

// A lazy is a regular expression that is compiled when it is used. One that does
// not compile never matches; a test compiles them all.
type lazy struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

func (l *lazy) get() *regexp.Regexp {
	l.once.Do(func() {
		if l.text != "" {
			l.re, _ = regexp.Compile(l.text)
		}
	})
	return l.re
}

func (l *lazy) matches(s string) bool {
	if l.text == "" {
		return false
	}
	re := l.get()
	return re != nil && re.MatchString(s)
}

// load reads the rules and builds the index.
func (f *Finder) load() {
	stops := map[string]string{}
	for line := range strings.SplitSeq(rulesText, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '*':
			name, value, _ := strings.Cut(line[1:], "\t")
			switch name {
			case "allow":
				f.global.allow.text = value
			case "stop":
				f.global.stop = value
			default:
				stops[strings.TrimPrefix(name, "stop ")] = value
			}
		default:
			if r := parseRule(line); r != nil {
				r.except.stop = stops[r.id]
				f.rules = append(f.rules, r)
			}
		}
	}
	f.rules = append(f.rules, own()...)
	f.index.entries = make([]entry, 0, 1024)
	for i, r := range f.rules {
		for _, k := range r.keywords {
			f.index.add(k, i)
		}
	}
}

// parseRule reads a line of rules.txt, nil if it is none. The order of fields is
// in the head of the file.
func parseRule(line string) *rule {
	var fields [13]string
	n := 0
	for field := range strings.SplitSeq(line, "\t") {
		if n == len(fields) {
			return nil
		}
		fields[n] = field
		n++
	}
	if n != len(fields) {
		return nil
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	r := &rule{
		id: fields[0], group: number(fields[3]), boundary: fields[4] != "", dash: fields[4] == "b-",
		back: number(fields[5]), reach: number(fields[6]), solid: number(fields[7]),
		keywords: strings.Split(fields[8], " "), why: fields[9],
	}
	r.entropy, _ = strconv.ParseFloat(fields[2], 64)
	r.except.allow.text, r.allowLine.text = fields[11], fields[12]
	switch fields[1] {
	case "named":
		r.kind, r.rank = kindNamed, rankNamed
	case "anchored":
		r.kind = kindAnchored
	case "window":
		r.kind = kindWindow
	}
	if r.id == "generic-api-key" {
		r.rank = rankGeneric
	}
	r.setRegexp(fields[10])
	return r
}

func (r *rule) setRegexp(re string) {
	if r.kind != kindWindow {
		re = "^(?:" + re + ")"
	}
	r.re.text = re
}

// hold reports whether the exceptions are true for the credential.
func (x *exceptions) hold(secret string) bool {
	if x.allow.matches(secret) {
		return true
	}
	if x.stop == "" {
		return false
	}
	x.stopOnce.Do(func() { x.stopSet = newWordSet(x.stop) })
	return x.stopSet.within(secret)
}

// A wordSet tells whether one of many words is in a string, by the first three
// bytes of each, as index does.
type wordSet struct {
	words []string
	first map[int][]int // trigram to words
}

func newWordSet(list string) wordSet {
	w := wordSet{words: strings.Split(list, " "), first: map[int][]int{}}
	for i, word := range w.words {
		if len(word) >= 3 {
			w.first[trigram(word)] = append(w.first[trigram(word)], i)
		}
	}
	return w
}

func (w wordSet) within(s string) bool {
	for i := range max(0, len(s)-2) {
		for _, n := range w.first[trigram(s[i:])] {
			if hasFold(s[i:], w.words[n]) {
				return true
			}
		}
	}
	return false
}
