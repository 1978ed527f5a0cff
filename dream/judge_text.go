package dream

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a model says of statements is held against their words. Which words are the
// same matters little where one of them turns what is said: "before" is no "after",
// "only" no "all", and who does what to whom is in the order of the words.

// A reading is a statement as it is held against what a model says of it.
type reading struct {
	binds map[string]map[string]bool // what binds, to the words it stands before
	parts map[string][]meant         // "" is what stands in none behind a word of order
	order []string                   // stems of what is said, who does it first, without days
	all   []meant
	heard []string // numbers, and names, as they come
}

// A meant is a word that says something.
type meant struct {
	low, stem string
	classes   []string
	plain     bool
	day       bool

	left, right uint32 // lists of opposites
}

// A reader makes readings.
type reader struct {
	v       *vocabulary
	binding map[string]string // words to what they say
	cadence map[string]string // words to what they say in two

	opposites [][2]side
}

func newReader() *reader {
	r := &reader{v: newVocabulary(), binding: wordLists(binding), cadence: wordLists(cadence)}
	for _, line := range opposites {
		a, b, _ := strings.Cut(line, "|")
		r.opposites = append(r.opposites, [2]side{sideOf(a), sideOf(b)})
	}
	return r
}

// wordLists are the words of lists, a line each, to the names of the lists.
func wordLists(lists string) map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(lists), "\n") {
		name, words, _ := strings.Cut(line, ": ")
		for w := range strings.FieldsSeq(words) {
			out[w] = name
		}
	}
	return out
}

const pause = "\x1f" // stands for a comma

// words are those of a text in lower case, phrases as one, commas as pause.
func (r *reader) words(text string) []string {
	low := strings.ToLower(strings.NewReplacer("’", "'", "ʼ", "'", ", ", " "+pause+" ", "; ", " "+pause+" ", " — ", " "+pause+" ", " – ", " "+pause+" ").Replace(text))
	low = strings.Join(plainWords(low), " ")
	for _, p := range bound {
		low = strings.ReplaceAll(" "+low+" ", " "+p+" ", " "+strings.ReplaceAll(p, " ", "-")+" ")
	}
	var out []string
	for w := range strings.FieldsSeq(low) {
		if long := r.cadence[w]; long != "" {
			out = append(out, strings.Fields(long)...)
			continue
		}
		out = append(out, strings.TrimSuffix(w, "'s"))
	}
	return out
}

func (r *reader) read(text string) *reading {
	heard, _ := named(text)
	out := &reading{binds: map[string]map[string]bool{}, parts: map[string][]meant{}, heard: heard}
	part, paused, last := "", true, ""
	var open []string // what binds the next word
	agent, by := []string(nil), false
	verb, passive := -1, false
	bind := func(stem string) {
		for _, kind := range open {
			if kind == "all" && strings.Contains(days, " "+stem+" ") {
				continue
			}
			if out.binds[kind] == nil {
				out.binds[kind] = map[string]bool{}
			}
			out.binds[kind][stem] = true
		}
		open = nil
	}
	for _, w := range r.words(text) {
		kind := r.binding[w]
		switch {
		case w == pause:
			by, paused = false, true
			if strings.HasPrefix(part, "+") { // a part between two commas, or the first one
				part = ""
			}
			continue
		case kind != "" && strings.Contains(parting, " "+kind+" "):
			bind(last)
			if part = kind; paused {
				part = "+" + kind
			}
			open, by, paused = append(open, kind), false, false
			continue
		case strings.Contains(denials, " "+w+" "):
			open, paused = append(open, denial), false
			continue
		case kind != "":
			open, paused = append(open, kind), false
			continue
		}
		paused = false
		if strings.Contains(grammatical, " "+w+" ") {
			passive = strings.Contains(auxiliary, " "+w+" ")
			by = w == "by" || by && strings.Contains(" the a an our your their its ", " "+w+" ")
			continue
		}
		m := r.word(w)
		bind(m.stem)
		last = m.stem
		out.all = append(out.all, m)
		name := strings.TrimPrefix(part, "+")
		out.parts[name] = append(out.parts[name], m)
		switch {
		case name != "" || m.plain || moves(w):
		case by:
			agent = append(agent, m.stem)
		default:
			if passive {
				verb = len(out.order)
			}
			out.order = append(out.order, m.stem)
		}
		passive = passive && strings.HasSuffix(w, "ly")
	}
	bind(last) // "for admins only"
	if len(agent) > 0 {
		if verb >= 0 {
			agent = append(agent, out.order[verb])
			out.order = slices.Delete(out.order, verb, verb+1)
		}
		out.order = append(agent, out.order...)
	}
	return out
}

// word is a word in lower case that says something.
func (r *reader) word(w string) meant {
	m := meant{low: w, stem: claimStem(w), classes: r.v.of(w)}
	m.plain = r.v.plain[m.stem]
	m.left, m.right = r.sides(w, m.stem)
	if strings.Contains(days, " "+w+" ") {
		m.stem, m.day = strings.TrimSuffix(w, "s"), true
	}
	return m
}

// moves reports whether a word can stand anywhere: "at night", "directly".
func moves(w string) bool {
	return strings.Contains(days+moments, " "+w+" ") || strings.HasSuffix(w, "ly")
}

// inOrder reports whether what two lists have both comes in one order in them. Words
// that come twice say nothing.
func inOrder(a, b []string) bool {
	at := map[string]int{}
	for i, w := range b {
		if _, twice := at[w]; twice {
			i = -1
		}
		at[w] = i
	}
	last := -1
	for i, w := range a {
		if slices.Index(a, w) != i || slices.Contains(a[i+1:], w) {
			continue
		}
		k, ok := at[w]
		if !ok || k < 0 {
			continue
		}
		if k < last {
			return false
		}
		last = k
	}
	return true
}

func has(list []meant, stem string) bool {
	return slices.ContainsFunc(list, func(m meant) bool { return m.stem == stem })
}

// known reports whether a word stands in a list, in any form, or one that the rules
// know as saying the same there, beside a value or not. exact tells that it is the
// word.
func known(m meant, list []meant, valued bool) (is, exact bool) {
	if has(list, m.stem) {
		return true, true
	}
	if m.plain {
		return true, false
	}
	for _, o := range list {
		if !opposed(m, o) && slices.ContainsFunc(m.classes, func(c string) bool {
			return slices.Contains(o.classes, c) && (valued || strings.Contains(deeds, " "+c+" "))
		}) {
			return true, false
		}
	}
	return false, false
}

// foreign are the words of a statement that another one has in no form, part by part,
// and that the rules don't know as saying the same as one of it.
func (a *reading) foreign(b *reading) (out []string, exact bool) {
	exact = true
	valued := a.oneValue(b)
	for _, part := range slices.Sorted(maps.Keys(a.parts)) {
		for _, m := range a.parts[part] {
			is, just := known(m, b.parts[part], valued)
			if !is {
				out = append(out, m.low)
			}
			exact = exact && (just || m.plain)
		}
	}
	return out, exact
}

// oneValue reports whether two statements name a number, a name or a day both.
func (a *reading) oneValue(b *reading) bool {
	return slices.ContainsFunc(a.heard, func(w string) bool { return slices.Contains(b.heard, w) }) ||
		slices.ContainsFunc(a.all, func(m meant) bool { return m.day && has(b.all, m.stem) })
}

// otherBinds is what binds one statement and not the other: "only", "before".
func (a *reading) otherBinds(b *reading) string {
	for _, x := range [][2]*reading{{a, b}, {b, a}} {
		for _, kind := range slices.Sorted(maps.Keys(x[0].binds)) {
			if x[1].binds[kind] == nil {
				return kind
			}
			for _, w := range slices.Sorted(maps.Keys(x[0].binds[kind])) {
				if !x[1].binds[kind][w] && !x[0].alike(w, x[1], x[1].binds[kind]) {
					return kind
				}
			}
		}
	}
	return ""
}

// alike reports whether a word of one statement says what one of some words of the
// other does.
func (a *reading) alike(stem string, b *reading, stems map[string]bool) bool {
	i := slices.IndexFunc(a.all, func(m meant) bool { return m.stem == stem })
	if i < 0 {
		return stem == ""
	}
	var there []meant
	for _, m := range b.all {
		if stems[m.stem] {
			there = append(there, m)
		}
	}
	is, _ := known(a.all[i], there, a.oneValue(b))
	return is
}

// sides are the lists of opposites that a word is in, a bit each: before the bar, and
// behind it.
func (r *reader) sides(low, stem string) (left, right uint32) {
	for i, o := range r.opposites {
		if o[0].has(low, stem) {
			left |= 1 << i
		}
		if o[1].has(low, stem) {
			right |= 1 << i
		}
	}
	return left, right
}

// A side is a list of words, by stem, and of beginnings.
type side struct {
	stems  map[string]bool
	begins []string
}

func sideOf(words string) side {
	s := side{stems: map[string]bool{}}
	for w := range strings.FieldsSeq(words) {
		if b, ok := strings.CutSuffix(w, "-"); ok {
			s.begins = append(s.begins, b)
		} else {
			s.stems[claimStem(w)] = true
		}
	}
	return s
}

func (s *side) has(low, stem string) bool {
	return s.stems[stem] || slices.ContainsFunc(s.begins, func(b string) bool { return strings.HasPrefix(low, b) })
}

// opposed reports whether two words say the opposite of each other.
func opposed(a, b meant) bool { return a.left&b.right|a.right&b.left != 0 }

// opposite is a word of one statement whose opposite stands in the other, and that
// the other does not have.
func (a *reading) opposite(b *reading) bool {
	return slices.ContainsFunc(a.all, func(m meant) bool {
		return !has(b.all, m.stem) && slices.ContainsFunc(b.all, func(o meant) bool { return !has(a.all, o.stem) && opposed(m, o) })
	})
}

// maxCompared is how long in bytes a statement is that is compared word by word: the
// work grows faster than the text.
const maxCompared = 2 << 10

// unlike tells by what two statements can't be said to say the same; "" for nothing.
func (r *reader) unlike(a, b string) string {
	if len(a)+len(b) > 2*maxCompared {
		return "the two are too long to be compared"
	}
	x, y := r.read(a), r.read(b)
	if kind := x.otherBinds(y); kind != "" {
		return fmt.Sprintf("the two differ in a word that binds what is said (%s)", kind)
	}
	if x.opposite(y) {
		return "the two have words that say the opposite"
	}
	more, exactly := x.foreign(y)
	back, exact := y.foreign(x)
	if more = append(more, back...); len(more) > 0 {
		return fmt.Sprintf("%q is only in one of the two", more[0])
	}
	if exactly && exact && !inOrder(x.order, y.order) || !inOrder(x.heard, y.heard) {
		return "the two have their words in another order"
	}
	return ""
}

// alien reports whether what a statement speaks of first is nowhere in the other.
func (a *reading) alien(b *reading) bool {
	if len(a.all) == 0 {
		return false
	}
	is, _ := known(a.all[0], b.all, true)
	return !is
}

// twoThings reports whether two statements differ in their names and numbers in more
// than one place, or in a name that says of what they say the same: "Olena Koval works
// in Lviv" and "Ivan Bondar works in Lviv".
func twoThings(a, b string) bool {
	x, at := named(a)
	y, by := named(b)
	p, tail := 0, 0
	for p < len(x) && p < len(y) && x[p] == y[p] {
		p++
	}
	for tail < len(x)-p && tail < len(y)-p && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	if p == len(x)-tail || p == len(y)-tail {
		return false
	}
	apart := func(at []int) bool {
		for i := 1; i < len(at); i++ {
			if at[i] != at[i-1]+1 {
				return true
			}
		}
		return false
	}
	return tail > 0 || apart(at[p:len(x)-tail]) || apart(by[p:len(y)-tail])
}

// named are the names and numbers of a text, and where they stand among its words.
func named(text string) (out []string, at []int) {
	words := plainWords(text)
	for i, w := range words {
		low := strings.ToLower(strings.TrimSuffix(w, "'s"))
		if _, spelled := numerals[low]; hard(w) || spelled || capital(w) && !strings.Contains(days, " "+low+" ") && (i > 0 || len(words) > 1 && capital(words[1]) && !hard(words[1])) {
			out, at = append(out, claimStem(low)), append(at, i)
		}
	}
	return out, at
}

// contrast reports whether two statements could contradict each other at all: each
// says something of one thing that the other does not, or what binds them differs.
func (r *reader) contrast(a, b string) bool {
	if len(a)+len(b) > 2*maxCompared {
		return false
	}
	x, y := r.read(a), r.read(b)
	if !inOrder(x.heard, y.heard) {
		return true
	}
	turned := x.otherBinds(y) != "" || x.opposite(y)
	more, exactly := x.foreign(y)
	back, exact := y.foreign(x)
	others := x.alien(y) && y.alien(x)
	if twoThings(a, b) || others && (turned || len(more) > 1 && len(back) > 1) {
		return false
	}
	return turned || len(more) > 0 && len(back) > 0 || exactly && exact && !inOrder(x.order, y.order)
}

// made tells what is wrong with a text as what some statements say together; "" for
// nothing.
func (r *reader) made(texts []string, text string) string {
	if why := cutOff(texts, text); why != "" {
		return why
	}
	in, all := make([]*reading, len(texts)), &reading{binds: map[string]map[string]bool{}, parts: map[string][]meant{}}
	for i, t := range texts {
		if len(t) > maxCompared {
			return "a statement is too long to be compared"
		}
		x := r.read(t)
		in[i] = x
		all.all = append(all.all, x.all...)
		for kind, words := range x.binds {
			if all.binds[kind] == nil {
				all.binds[kind] = map[string]bool{}
			}
			maps.Copy(all.binds[kind], words)
		}
		for part, list := range x.parts {
			all.parts[part] = append(all.parts[part], list...)
		}
	}
	out := r.read(text)
	for _, m := range out.all {
		if !has(all.all, m.stem) {
			return "the text has a word that no statement has"
		}
	}
	if kind := out.otherBinds(all); kind != "" {
		return fmt.Sprintf("a word that binds what is said is another one in the text (%s)", kind)
	}
	for _, part := range slices.Sorted(maps.Keys(out.parts)) {
		for _, m := range out.parts[part] {
			if !m.plain && !has(all.parts[part], m.stem) {
				return "the text says of one thing what the statements say of another"
			}
		}
	}
	for _, x := range in {
		if lost, _ := x.foreign(out); len(lost) > 0 {
			return fmt.Sprintf("%q of a statement is not in the text", lost[0])
		}
	}
	if !ordered(out, in) {
		return "the text has the words of the statements in another order"
	}
	return ""
}

// ordered reports whether each two words of a text come as they do in a statement
// that has both.
func ordered(out *reading, in []*reading) bool {
	lists := make([][]string, len(in))
	heards := make([][]string, len(in))
	for i, x := range in {
		lists[i], heards[i] = x.order, x.heard
	}
	return pairwise(out.order, lists) && pairwise(out.heard, heards)
}

func pairwise(list []string, lists [][]string) bool {
	for i, a := range list {
		for _, b := range list[i+1:] {
			met, right := false, a == b
			for _, l := range lists {
				x, y := slices.Index(l, a), slices.Index(l, b)
				if x >= 0 && y >= 0 {
					met, right = true, right || x < y
				}
			}
			if met && !right {
				return false
			}
		}
	}
	return true
}

// cutOff tells that a text is less than a whole sentence, where the statements that
// it was made of are whole ones; "" for nothing.
func cutOff(texts []string, text string) string {
	const why = "the text is not a whole sentence"
	words := strings.Fields(strings.TrimRight(text, " .!?…*_`)\"'"))
	if len(words) < fewWords || strings.Contains(wanting, " "+strings.ToLower(strings.Trim(words[len(words)-1], ",;:"))+" ") || strings.HasSuffix(text, ",") || strings.HasSuffix(text, ":") {
		return why
	}
	if every(texts, ends) && !ends(text) || every(texts, begins) && !begins(text) {
		return why
	}
	return ""
}

func every(texts []string, is func(string) bool) bool {
	return !slices.ContainsFunc(texts, func(t string) bool { return !is(t) })
}

// ends reports whether a sentence has its end.
func ends(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " *_`)\"'”»"))
	return strings.ContainsRune(".!?…", r)
}

// begins reports whether a sentence begins as one does.
func begins(text string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, "*_(\"'“«"))
	return !unicode.IsLower(r)
}
