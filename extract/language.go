package extract

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed rules/*.txt
var ruleFiles embed.FS

// A language is the rules of one file of rules/, or of several: uk.txt, uk_forms.txt.
// They are read when the first turn comes: a process that extracts nothing pays nothing.
type language struct {
	name     string
	me, user string
	sayAhead string // how a date that was relative is written: "on $"
	sayWeek  string // what stands before the Monday of a week
	classes  map[string][]phrase
	sets     map[string]*wordSet // of classes, when they were asked for
	rules    []*rule
	drops    []*rule
	byWord   map[string][]int // patterns by a word that they need
	byPrefix map[string][]int // by the first letters of one
	special  []int            // by no word
	patterns []*pattern
	words    map[string]bool     // all of the rules'
	slips    map[string][]string // those words with one letter left out
	weekday  map[string]int
	month    map[string]int
	number   map[string]int
	unit     map[string]string
	person   map[string]string // "i'm" -> "is"
	also     map[string]string // "my" -> "their"
	agent    map[string]string // "me" -> "the user"
	adverbs  map[string]bool
	endings  [][2]string       // of verbs in the first person, and in the third
	verbs    map[string]string // verbs in the first person -> in the third
	noI      bool              // "I" may be left out
	other    bool              // writes another script than Latin
}

// A rule is patterns that say one thing. For drops, kind is why; for dates, what
// is worked out.
type rule struct {
	kind    Kind
	conf    float64
	typ     string
	why     string
	after   bool // only right after the agent did or said something
	offered bool // only when the agent had offered a choice
	bare    bool // says what to use and what not, and not that it is for good
	then    bool // only right behind a correction in the same text, or behind "why npm?"
	asked   bool // may have the form of a question: why do you keep …?
	weak    bool // by words that stand somewhere in the sentence: only where no other rule matches
	blunt   bool // may say that something is wrong or broken, as a tale of what happened does
	wish    bool // may have that of a wish: it would be nice if you stopped …
	order   int
}

func parseLanguage(name, text string) (*language, error) {
	l := &language{
		name: name, classes: map[string][]phrase{}, sets: map[string]*wordSet{}, byWord: map[string][]int{}, byPrefix: map[string][]int{}, words: map[string]bool{},
		slips: map[string][]string{}, weekday: map[string]int{}, month: map[string]int{}, number: map[string]int{}, unit: map[string]string{},
		person: map[string]string{}, also: map[string]string{}, agent: map[string]string{}, adverbs: map[string]bool{}, verbs: map[string]string{},
	}
	var now *rule
	lines := strings.Split(text, "\n")
	for _, line := range lines { // first, so that a pattern may use a class from below
		if strings.HasPrefix(line, "class ") {
			if _, err := l.line(line); err != nil {
				return nil, fmt.Errorf("rules of %s, %q: %w", name, line, err)
			}
		}
	}
	for _, line := range lines {
		body := strings.TrimSpace(line)
		if body == "" || body[0] == '#' || strings.HasPrefix(line, "class ") {
			continue
		}
		var err error
		if line[0] == ' ' {
			err = l.pattern(now, body)
		} else {
			now, err = l.line(body)
		}
		if err != nil {
			return nil, fmt.Errorf("rules of %s, %q: %w", name, body, err)
		}
	}
	l.index()
	return l, nil
}

func (l *language) line(s string) (*rule, error) {
	head, rest, _ := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	switch head {
	case "rule":
		return l.rule(rest)
	case "drop":
		r := &rule{kind: Kind(rest), order: len(l.drops)}
		l.drops = append(l.drops, r)
		return r, nil
	case "date":
		op, pat, ok := strings.Cut(rest, ":")
		if !ok {
			return nil, fmt.Errorf("a date needs a colon")
		}
		return nil, l.pattern(&rule{kind: Kind("date " + strings.TrimSpace(op))}, strings.TrimSpace(pat))
	case "script":
		l.other = rest != "latin"
	case "me":
		l.me = rest
	case "user":
		l.user = rest
	case "subject":
		l.noI = rest == "optional"
	case "sayahead":
		l.sayAhead = rest
	case "sayweek":
		l.sayWeek = rest + " "
	default:
		return nil, l.table(head, rest)
	}
	return nil, nil
}

func (l *language) rule(s string) (*rule, error) {
	head, why, ok := strings.Cut(s, "\"")
	why, flags, closed := strings.Cut(why, "\"")
	f := strings.Fields(head)
	if !ok || !closed || len(f) != 3 {
		return nil, fmt.Errorf("a rule has a kind, a confidence, a type and a reason in quotes")
	}
	conf, err := strconv.ParseFloat(f[1], 64)
	if err != nil {
		return nil, fmt.Errorf("confidence: %w", err)
	}
	r := &rule{kind: Kind(f[0]), conf: conf, typ: f[2], why: why, order: len(l.rules)}
	r.after, r.offered, r.bare = strings.Contains(flags, "after"), strings.Contains(flags, "offered"), strings.Contains(flags, "bare")
	r.weak = strings.Contains(flags, "weak")
	r.blunt = strings.Contains(flags, "blunt")
	r.then, r.asked, r.wish = strings.Contains(flags, "then"), strings.Contains(flags, "asked"), strings.Contains(flags, "wish")
	l.rules = append(l.rules, r)
	return r, nil
}

// table reads lines like "class X = …", "weekday 1 = …", "person i'm = is".
func (l *language) table(head, rest string) error {
	name, words, ok := strings.Cut(rest, " =")
	if !ok {
		if name, words, ok = strings.Cut(rest, "= "); !ok && head != "adverbs" {
			return fmt.Errorf("%s needs =", head)
		}
	}
	name, words = strings.TrimSpace(name), strings.TrimSpace(words)
	n, _ := strconv.Atoi(name)
	key := strings.ReplaceAll(name, "_", " ")
	for _, w := range strings.Fields(words) {
		plain := strings.ReplaceAll(w, "_", " ")
		switch head {
		case "class":
			l.classes[name] = append(l.classes[name], parsePhrase(w))
		case "weekday":
			l.weekday[w] = n
			l.learn("", []phrase{parsePhrase(w)})
		case "month":
			l.month[w] = n
			l.words[w] = true
		case "number":
			l.number[w] = n
			l.words[w] = true
		case "unit":
			l.unit[w] = name
			l.words[w] = true
		case "adverbs":
			l.adverbs[plain] = true
		}
	}
	switch head {
	case "person":
		l.person[key] = words
	case "also":
		l.also[key] = words
	case "agent":
		l.agent[key] = words
	case "verb":
		l.verbs[key] = words
	case "ending":
		l.endings = append(l.endings, [2]string{key, words})
	case "class", "weekday", "month", "number", "unit", "adverbs":
	default:
		return fmt.Errorf("%q is not known here", head)
	}
	return nil
}

// loadLanguages reads all files of rules.
func loadLanguages() ([]*language, error) {
	dir, err := ruleFiles.ReadDir("rules")
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	var names []string
	texts := map[string]string{}
	for _, f := range dir {
		b, err := ruleFiles.ReadFile("rules/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		name, _, _ := strings.Cut(strings.TrimSuffix(f.Name(), ".txt"), "_")
		if texts[name] == "" {
			names = append(names, name)
		}
		texts[name] += string(b) + "\n"
	}
	var out []*language
	for _, name := range names {
		l, err := parseLanguage(name, texts[name])
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}
