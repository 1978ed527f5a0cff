package scan

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Kind is a family of rules.
type Kind string

// The kinds of findings.
const (
	Hidden      Kind = "hidden"      // characters that are not seen
	Markup      Kind = "markup"      // text that a rendered page does not show
	Encoded     Kind = "encoded"     // instructions in base64, hex, rot13, escapes
	Spoof       Kind = "spoof"       // forged delimiters, roles, ends of the memory
	Instruction Kind = "instruction" // requests to the agent with something they reach for
	Frontmatter Kind = "frontmatter" // a head that claims trust or plays tricks
	Secret      Kind = "secret"      // keys, tokens, passwords
	Personal    Kind = "personal"    // e-mail, phone, account and card numbers
)

// A Level says how much a finding weighs.
type Level int

// The levels, least first.
const (
	Warn       Level = iota + 1 // show it to whoever reads the note
	Quarantine                  // keep it out of what loads until a person approves
	Block                       // nothing honest looks like this
)

// String returns the level as a word.
func (l Level) String() string {
	switch l {
	case Warn:
		return "warn"
	case Quarantine:
		return "quarantine"
	case Block:
		return "block"
	}
	return "none"
}

// A Finding is one thing that a rule found.
type Finding struct {
	Rule       string // stable: "hidden/tags"
	Kind       Kind
	Level      Level
	Start, End int    // bytes of the text given; Start < End
	Line       int    // of Start, from 1
	Column     int    // of Start, from 1, in runes; a byte that is no UTF-8 counts as one
	Shown      string // what stands there, fit for any terminal, secrets masked
	Why        string // the rule in fixed words, never words of the text
}

// Options choose what Scan reports beside the rules that are always on.
type Options struct {
	Personal   bool     // rules for personal data
	AllowHosts []string // hosts of this project, with all below them
}

// A Scanner finds poison in texts. It is safe for concurrent use: what it
// builds on first use never changes after.
type Scanner struct {
	once     sync.Once
	compiled *compiled
}

// New returns a Scanner. It is cheap; word lists and rules are read on the
// first Scan or Actions (2 to 4 ms) and kept.
func New() *Scanner { return &Scanner{} }

// compiled is what the rules need.
type compiled struct {
	words   *lexicon
	own     *builtin
	rules   *index
	actions *index
	// ruleIDs and actionKinds name the rules of the two by their numbers.
	ruleIDs, actionKinds []string

	byID    map[string]Rule
	agent   set // words that name the agent
	secrets secretFinder
}

func (s *Scanner) get() *compiled {
	s.once.Do(func() { s.compiled = compile() })
	return s.compiled
}

const (
	// perRule and overall cap findings: a text with more is judged by then.
	perRule = 64
	overall = 1024
)

// Scan returns what the rules find in text, in order of place. Of each rule the
// first 64 findings are given, 1,024 in all.
func (s *Scanner) Scan(text string, o Options) []Finding {
	r := newRun(s.get(), text, o.AllowHosts)
	r.scan(o)
	return r.results()
}

// A run is the work on one text.
type run struct {
	*compiled
	text  string
	view  view
	hosts hosts
	found []Finding
	count map[string]int
	masks []span // secrets in the text, in order
	depth int    // of decoding
	left  *int   // bytes that may still be decoded

	regions []region
	asked   bool // attacks is known
	attacks bool // the text talks of attacks
	sorted  bool // regions are in order of start
}

// A span is a stretch of the text, in bytes.
type span struct{ start, end int }

func newRun(c *compiled, text string, allow []string) *run {
	left := decodeLimit
	return &run{compiled: c, text: text, hosts: hosts{allow}, count: map[string]int{}, left: &left}
}

func (r *run) scan(o Options) {
	r.view = viewOf(r.text)
	r.findSecrets()
	hidden(r.text, r.add)
	r.homoglyphs()
	r.frontmatter()
	r.findRegions()
	r.spoofs()
	r.sentences()
	r.encoded()
	if o.Personal {
		r.personal()
	}
	r.judgeRegions()
}

// add records a finding of a rule in the text. A run of hidden characters that
// touches the one before, of the same rule, is the same finding.
func (r *run) add(rule string, start, end int) {
	if end <= start || end > len(r.text) {
		return
	}
	if n := len(r.found); n > 0 {
		if last := &r.found[n-1]; last.Rule == rule && last.End == start && strings.HasPrefix(rule, "hidden/") {
			last.End = end
			return
		}
	}
	if r.count[rule] >= perRule || len(r.found) >= overall {
		return
	}
	r.count[rule]++
	d := r.byID[rule]
	r.found = append(r.found, Finding{Rule: rule, Kind: d.Kind, Level: d.Level, Start: start, End: end, Why: d.Why})
}

// addView records a finding at a place of the view.
func (r *run) addView(rule string, start, end int) {
	s := r.viewSpan(start, end)
	r.add(rule, s.start, s.end)
}

func (r *run) viewSpan(start, end int) span {
	a, b := r.view.span(start, end)
	return span{a, b}
}

// results completes the findings: order, places, excerpts.
func (r *run) results() []Finding {
	slices.SortStableFunc(r.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
	})
	r.found = slices.CompactFunc(r.found, func(a, b Finding) bool {
		return a.Rule == b.Rule && a.Start == b.Start && a.End == b.End
	})
	p := places{text: r.text}
	for i := range r.found {
		f := &r.found[i]
		f.Line, f.Column = p.of(f.Start)
		f.Shown = r.excerpt(f.Start, f.End)
	}
	return r.found
}

const (
	// shownBefore and shownBytes bound an excerpt, in bytes of the text.
	shownBefore = 24
	shownBytes  = 160
)

// excerpt returns text[start:end] with a little before and after, in one line,
// as Visible shows it, with secrets masked.
func (r *run) excerpt(start, end int) string {
	from, to := max(0, start-shownBefore), min(len(r.text), start+shownBytes, end+shownBefore)
	for from > 0 && !utf8.RuneStart(r.text[from]) {
		from--
	}
	for to < len(r.text) && !utf8.RuneStart(r.text[to]) {
		to++
	}
	if n := strings.LastIndexByte(r.text[from:start], '\n'); n >= 0 {
		from += n + 1
	}
	var b strings.Builder
	for at := from; at < to; {
		if m := r.maskAt(at); m.end > at {
			b.WriteString(maskWord)
			at = m.end
			continue
		}
		stop := to
		if next := r.maskAfter(at); next < stop {
			stop = next
		}
		b.WriteString(Visible(r.text[at:stop]))
		at = stop
	}
	line := strings.NewReplacer("\n", " ", "\t", " ").Replace(b.String())
	return strings.TrimSpace(line)
}

// maskWord stands for a secret in excerpts.
const maskWord = "<secret>"

// maskAt returns the secret that covers offset at.
func (r *run) maskAt(at int) span {
	i := r.maskIndex(at)
	if i < len(r.masks) && r.masks[i].start <= at {
		return r.masks[i]
	}
	return span{}
}

// maskAfter returns where the next secret after at begins.
func (r *run) maskAfter(at int) int {
	i := r.maskIndex(at)
	if i < len(r.masks) {
		return r.masks[i].start
	}
	return len(r.text)
}

// maskIndex returns the first secret that ends after at.
func (r *run) maskIndex(at int) int {
	i, _ := slices.BinarySearchFunc(r.masks, at, func(m span, at int) int {
		if m.end <= at {
			return -1
		}
		return 1
	})
	return i
}

// sentences runs the rules over the view.
func (r *run) sentences() {
	l := lexer{text: r.view.text, words: r.words, hosts: &r.hosts, own: r.own}
	for l.next() {
		r.sentence(&l.s)
	}
}

// sentence runs the rules over one sentence.
func (r *run) sentence(s *sentence) {
	if s.all.empty() {
		return
	}
	hits, secrecy := 0, false
	r.rules.matches(s, func(rule, first, last int) bool {
		if s.reported(r.own, first) {
			return false
		}
		id := r.ruleIDs[rule]
		r.addView(id, s.tokens[first].start, s.tokens[last].end)
		hits++
		secrecy = secrecy || id == "instruction/secrecy"
		return true
	})
	if secrecy && hits > 1 {
		r.addView("instruction/hidden-action", s.tokens[0].start, s.tokens[len(s.tokens)-1].end)
	}
	r.packages(s)
	r.rot13(s)
	if len(r.regions) > 0 {
		r.agentInRegion(s)
	}
}
