package dream

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/claim"
	"dormouse/draft"
	"dormouse/dream/spelled"
)

// Statements that differ in one place only are found by their words with that place
// left out: no two of them are compared that have no such form in common. What
// differs decides: a slip of the finger makes them the same, a value that only one
// can hold makes them a contradiction, a name nothing.

const (
	maxWords  = 32 // of a statement
	maxBucket = 12 // statements that have one form in common
)

// nearby adds what statements have to do with each other that differ in one place.
func (w *web) nearby(live []*leaf, fixed []claim.Source) {
	forms := map[uint64][]*cell{}
	words, formed := map[*cell][]string{}, map[*cell][]uint64{}
	var cells []*cell
	for _, l := range live {
		for _, c := range l.cells {
			toks := plainWords(c.text)
			if len(toks) < fewWords || len(toks) > maxWords || strings.HasSuffix(c.text, ":") {
				continue
			}
			words[c] = toks
			cells = append(cells, c)
			formed[c] = formsOf(toks)
			for _, f := range formed[c] {
				forms[f] = append(forms[f], c)
			}
		}
	}
	w.nearInstructions(cells, words, formed, fixed)
	w.inOtherWords(cells)
	for _, c := range cells {
		seen := map[*cell]bool{}
		for _, f := range formed[c] {
			if len(forms[f]) > maxBucket {
				continue
			}
			for _, o := range forms[f] {
				if o.leaf == c.leaf || seen[o] || w.keys[o] == w.keys[c] {
					continue
				}
				seen[o] = true
				w.near(c, o, words[c], words[o])
			}
		}
	}
}

// nearInstructions finds what contradicts the instructions in one place.
func (w *web) nearInstructions(cells []*cell, words map[*cell][]string, formed map[*cell][]uint64, fixed []claim.Source) {
	type said struct {
		toks []string
		at   Place
	}
	forms := map[uint64][]said{}
	for _, f := range fixed {
		for _, c := range claim.Split(f.Text) {
			x := said{plainWords(c.Text), Place{File: strings.TrimPrefix(f.Name, "~"), Line: c.Line, Claim: c.Text}}
			if len(x.toks) < fewWords || len(x.toks) > maxWords {
				continue
			}
			for _, form := range formsOf(x.toks) {
				forms[form] = append(forms[form], x)
			}
		}
	}
	if len(forms) == 0 {
		return
	}
	for _, c := range cells {
		if dependent(c.text) {
			continue
		}
		seen := map[Place]bool{}
		for _, e := range w.edges[c] {
			if e.to == nil {
				seen[e.at] = e.kind == claim.Conflict
			}
		}
		for _, form := range formed[c] {
			for _, x := range forms[form] {
				d, y, tail := differ(words[c], x.toks)
				if len(forms[form]) > maxBucket || seen[x.at] || otherThing(c.text, x.at.Claim) || !denies(words[c], x.toks) && !onlyOne(words[c], x.toks, d, y, tail, fields(c.text, x.at.Claim, d, y)) {
					continue
				}
				seen[x.at] = true
				w.edges[c] = append(w.edges[c], edge{kind: claim.Conflict, why: "one says otherwise than the other", at: x.at})
			}
		}
	}
}

// near adds an edge from c to o, if what differs tells how they relate.
func (w *web) near(c, o *cell, a, b []string) {
	at := slices.IndexFunc(w.edges[c], func(e edge) bool { return e.to == o })
	e := edge{to: o}
	x, y, tail := differ(a, b)
	known := at >= 0 && w.edges[c][at].kind != claim.None && w.edges[c][at].kind != claim.Complement
	if known && !slips(x, y) && !denies(a, b) || otherThing(c.text, o.text) {
		return
	}
	switch {
	case slips(x, y):
		e.kind, e.why = claim.Same, "they differ in a slip of the finger"
	case dependent(c.text) || dependent(o.text):
		return
	case denies(a, b):
		e.kind, e.why = claim.Conflict, "one denies what the other says"
	case len(x) == 0 && adds(o.text, c.text):
		e.kind, e.more, e.why = claim.Within, true, "the other one says more"
	case len(y) == 0 && adds(c.text, o.text):
		e.kind, e.why = claim.Within, "it says more than the other one"
	case onlyOne(a, b, x, y, tail, fields(c.text, o.text, x, y)):
		e.kind, e.why = claim.Conflict, strings.Join(x, " ")+", not "+strings.Join(y, " ")
	default:
		return
	}
	if at >= 0 {
		w.edges[c][at] = e
		return
	}
	w.edges[c] = append(w.edges[c], e)
}

// plainWords are the words of a text without the signs around them. What is in
// backticks is one word.
func plainWords(text string) []string {
	text = strings.NewReplacer("’", "'", "ʼ", "'").Replace(text)
	var out []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			if code := strings.Join(strings.Fields(part), " "); code != "" {
				out = append(out, code)
			}
			continue
		}
		for _, f := range strings.Fields(part) {
			if f = strings.TrimFunc(f, isSign); f != "" {
				out = append(out, f)
			}
		}
	}
	return out
}

func isSign(r rune) bool {
	return strings.ContainsRune(".,;:!?()[]{}\"*_~…<>|“”«»„—–-='", r)
}

// formsOf are the forms of a statement with one or two words in a row left out,
// without what denies, and without what is added at its end; each by its hash.
func formsOf(toks []string) []uint64 {
	low := make([]string, len(toks))
	for i, t := range toks {
		low[i] = strings.ToLower(t)
	}
	out := make([]uint64, 0, 2*len(low)+4)
	out = append(out, hash(0, low))
	for n := 1; n <= 2; n++ {
		for i := 0; i+n <= len(low); i++ {
			out = append(out, hash(hash(1, low[:i])^left, low[i+n:]))
		}
	}
	out = append(out, hash(2, withoutDenial(low)))
	for i, t := range low {
		if i >= fewWords && strings.Contains(additions, " "+t+" ") {
			out = append(out, hash(0, low[:i]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// left stands for the words that were left out of a form.
const left = 0x9E3779B97F4A7C15

// hash goes on with a hash over words (FNV-1a). What two forms that meet by chance
// have in common is looked at word by word.
func hash(h uint64, words []string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h ^= offset
	for _, w := range words {
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * prime
		}
		h = (h ^ ' ') * prime
	}
	return h
}

// additions are the words with which a statement goes on to say more.
const additions = " and і та й also also, плюс а "

// certain are the words that say how often something holds, where it does not
// depend on it.
const certain = ` always завжди do does будь-коли ever any a an the будь-якою будь-який будь-яку `

func withoutDenial(low []string) []string {
	var out []string
	for _, t := range low {
		if !strings.Contains(denials, " "+t+" ") && !strings.Contains(certain, " "+t+" ") {
			out = append(out, t)
		}
	}
	return out
}

// differ are the words in which two statements differ, and how many are alike
// behind them.
func differ(a, b []string) (x, y []string, tail int) {
	p := 0
	for p < len(a) && p < len(b) && strings.EqualFold(a[p], b[p]) {
		p++
	}
	for tail < len(a)-p && tail < len(b)-p && strings.EqualFold(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	return a[p : len(a)-tail], b[p : len(b)-tail], tail
}

// slips reports whether words differ in slips of the finger only: a letter more, a
// letter less, another letter, two letters the other way round, in long words of
// letters.
func slips(x, y []string) bool {
	if len(x) != len(y) || len(x) == 0 {
		return len(x) == 0 && len(y) == 0
	}
	for i := range x {
		if strings.EqualFold(x[i], y[i]) {
			continue
		}
		if capital(x[i]) || capital(y[i]) || !slip([]rune(x[i]), []rune(y[i])) || !misspelled(x[i], y[i]) {
			return false
		}
	}
	return true
}

// misspelled reports whether one of two words that differ in a letter is none. Words of
// other languages than English, and those that no list has, are so where two letters
// have changed places.
func misspelled(x, y string) bool {
	a, b := spelled.Word(x), spelled.Word(y)
	if x[0] < utf8.RuneSelf && a != b {
		return true
	}
	return !a && !b && len(x) == len(y)
}

const shortWord = 5 // letters: of a shorter one a letter makes another word

func slip(a, b []rune) bool {
	if string(a) == string(b) {
		return true
	}
	if len(a) < shortWord || len(b) < shortWord || !letters(a) || !letters(b) || a[0] != b[0] && a[1] != b[1] {
		return false
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	p := 0
	for p < len(a) && a[p] == b[p] {
		p++
	}
	s := 0
	for s < len(a)-p && a[len(a)-1-s] == b[len(b)-1-s] {
		s++
	}
	ra, rb := a[p:len(a)-s], b[p:len(b)-s]
	switch {
	case len(ra) == 2 && len(rb) == 2:
		return ra[0] == rb[1] && ra[1] == rb[0]
	case len(ra) == 0 && len(rb) == 1:
		// A letter more at the end makes another form, and often another word.
		return s > 0
	}
	return false
}

func letters(r []rune) bool {
	return !slices.ContainsFunc(r, func(r rune) bool { return !unicode.IsLetter(r) })
}

// denies reports whether two statements are the same but for what denies in one of
// them.
func denies(a, b []string) bool {
	x, y := make([]string, len(a)), make([]string, len(b))
	for i, t := range a {
		x[i] = strings.ToLower(t)
	}
	for i, t := range b {
		y[i] = strings.ToLower(t)
	}
	// "Ніколи не" denies once.
	return slices.Equal(withoutDenial(x), withoutDenial(y)) && len(withoutDenial(x)) >= fewWords && hasAny(x, denials) != hasAny(y, denials)
}

// adds reports whether a longer statement is a shorter one that goes on: "…, and
// the proxy has to know". A condition is no addition.
func adds(longer, shorter string) bool {
	long, short := plainWords(longer), plainWords(shorter)
	if len(long) <= len(short)+1 || len(short) < fewWords {
		return false
	}
	for i, t := range short {
		if !strings.EqualFold(long[i], t) {
			return false
		}
	}
	return strings.Contains(additions, " "+strings.ToLower(long[len(short)])+" ")
}

// exclusive are the words of statements of which only one value can hold at a
// time: what something is, where somebody lives, who is responsible.
const exclusive = ` edits is are : was moved lives based works located sits resides owns owned owner maintained maintainer responsible port listens listening version pinned pins set kept retained expires default named called hosted deadline scheduled due equals city editor timeout limit ` +
	`редагує є це живе мешкає переїхав переїхала працює опікується відповідає власник власниця відповідальний відповідальна керує веде стоїть порт слухає версія закріплено типово зветься називається термін місто редактор тайм-аут ліміт пише розташовано зберігаються `

// onlyOne reports whether two statements name another value of one thing: they are
// alike up to the value at their end, and such a thing has one.
func onlyOne(a, b, x, y []string, tail int, field bool) bool {
	if len(x) == 0 || len(y) == 0 || len(x) > 2 || len(y) > 2 || tail > 1 || directs(a) {
		return false
	}
	if tail == 1 && hard(a[len(a)-1]) {
		return false
	}
	for _, list := range [...][]string{x, y} {
		for i, t := range list {
			if !hard(t) && !capital(t) && (i == 0 || !capital(list[0])) {
				return false
			}
		}
	}
	if hard(x[0]) != hard(y[0]) {
		return false
	}
	head := a[:len(a)-tail-len(x)]
	named := false
	for i, t := range head {
		if valued(t) {
			return false // the value is there already: what differs is where or when it holds
		}
		named = named || hard(t) || strings.Contains(t, "-") || capital(t) && (i > 0 || len(head) > 1 && capital(head[1]))
	}
	if !named && !field && !(valued(x[0]) && valued(y[0]) && contentful(head)) {
		return false
	}
	if clock(x[0]) && clock(y[0]) {
		return true // the same at another time
	}
	return field && !plural(head[len(head)-1]) || hasAny(head, exclusive)
}

// contentful reports whether words name something by themselves: two of them are
// no grammar.
func contentful(words []string) bool {
	n := 0
	for _, w := range words {
		if low := strings.ToLower(w); len([]rune(low)) > 3 && !draft.Grammatical(low) {
			n++
		}
	}
	return n >= 2
}

// fields reports whether two statements are of the form "what: value", with the
// values that differ.
func fields(a, b string, x, y []string) bool {
	is := func(text string, v []string) bool {
		return len(v) > 0 && (strings.Contains(text, ": "+v[0]) || strings.Contains(text, ": `"+v[0]))
	}
	return is(a, x) && is(b, y)
}

// clock reports whether a word is a time of the day.
func clock(w string) bool {
	h, m, ok := strings.Cut(w, ":")
	return ok && len(h) > 0 && len(h) < 3 && len(m) == 2 && strings.Trim(h+m, "0123456789") == ""
}

// plural reports whether a word names several things, of which there can be one
// more.
func plural(w string) bool {
	return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us")
}

// valued reports whether a word is a value: a number, a version, a command, an
// address.
func valued(t string) bool {
	return t[0] >= '0' && t[0] <= '9' || strings.Contains(t, " ") || strings.Contains(t, "://") || t == strings.ToUpper(t) && strings.Contains(t, "_")
}

// directs reports whether a statement says what to do with something, which can be
// said of another thing as well.
func directs(a []string) bool {
	if hasAny(a, " run ") && atTimes(a) {
		return true
	}
	for _, t := range a {
		if strings.Contains(ukDirections, " "+strings.ToLower(t)+" ") {
			return true
		}
	}
	return len(a) > 0 && (strings.Contains(directions, " "+strings.ToLower(a[0])+" ") ||
		len(a) > 1 && strings.Contains(" do please always never завжди ніколи спершу ", " "+strings.ToLower(a[0])+" ") && strings.Contains(directions, " "+strings.ToLower(a[1])+" "))
}

// runs reports whether what a statement says to do is to run something: with what
// is one choice, before what is none.
func runs(a []string) bool {
	return hasAny(a, ` run execute test запускай запусти виконай тестуй `)
}

func atTimes(a []string) bool {
	return hasAny(a, ` before prior ahead after when whenever if once перед перш після коли якщо щойно `)
}

func hasAny(a []string, words string) bool {
	return slices.ContainsFunc(a, func(t string) bool { return strings.Contains(words, " "+strings.ToLower(t)+" ") })
}

const (
	directions   = ` run ask see read check look consult execute call review test open start `
	ukDirections = ` ask запускай запусти питай спитай дивись дивіться див читай перевіряй перевір відкрий виконай тестуй `
)

// bothHold reports whether two statements that look like a contradiction can both
// hold: they send to two places, ask for two things, or are about two things of
// which one has the other's name in its own.
func bothHold(a, b string) bool {
	if otherThing(a, b) {
		return true
	}
	x, y := plainWords(a), plainWords(b)
	if differing(a, b) > 1 && differing(b, a) > 1 || otherPlaces(x, y) > 1 {
		return true // another thing, and another value of it
	}
	dx, dy, tail := differ(x, y)
	if hasAny(x, several) && hasAny(y, several) && denied(x) == denied(y) && !(slices.ContainsFunc(dx, valued) && slices.ContainsFunc(dy, valued)) {
		return true
	}
	if directs(x) && directs(y) && (!runs(x) || atTimes(x)) {
		return !denies(x, y) && (len(dx) > 0 && hard(dx[0]) || len(dx) > 1)
	}
	// What stands before the rest of the sentence is what it is about.
	path := func(list []string) bool { return len(list) == 1 && strings.Contains(list[0], "/") }
	return tail > 2 && path(dx) && path(dy)
}

// several are the verbs of which more than one thing can hold at a time: who speaks
// German can speak French.
const several = ` supports support speaks speak reviews review approves approve likes like knows know accepts contains contain includes include allows allow handles handle covers cover provides provide offers offer sends send returns return prefers enjoys loves hates dislikes підтримує підтримують розмовляє знає любить рев'юїть ревʼюїть затверджує містить вміє повертає надсилає перевіряє допомагає охоплює дозволяє погоджує `

// otherPlaces counts the places in which two statements of as many words differ.
func otherPlaces(x, y []string) int {
	if len(x) != len(y) {
		return 0
	}
	n, inside, value := 0, false, false
	for i := range x {
		other := !strings.EqualFold(x[i], y[i]) && !slips(x[i:i+1], y[i:i+1])
		if other && (!inside || valued(x[i]) != value) {
			n++
		}
		inside, value = other, valued(x[i])
	}
	if n > len(x)/2 {
		return 0 // they are worded differently
	}
	return n
}

// differing counts the names and values of a text that are not in another, those
// that stand side by side as one.
func differing(a, b string) int {
	have := map[string]bool{}
	for _, t := range plainWords(b) {
		have[strings.ToLower(t)] = true
	}
	n := 0
	a = strings.ReplaceAll(a, ": ", "; ") + " "
	for i, part := range strings.FieldsFunc(a, func(r rune) bool { return strings.ContainsRune(";()", r) }) {
		inside := false
		for k, t := range plainWords(part) {
			other := (hard(t) || strings.Contains(t, "-") || capital(t) && (i > 0 || k > 0)) && !have[strings.ToLower(t)]
			if other && !inside {
				n++
			}
			inside = other
		}
	}
	return n
}

// otherThing reports whether one of two statements names something of which the
// name in the other is a part: billing-api and billing-api-onyx.
func otherThing(a, b string) bool {
	x, y := plainWords(a), plainWords(b)
	return longerName(x, y) || longerName(y, x)
}

// longerName reports whether a word of a is a part of a word of b that a does not
// have.
func longerName(a, b []string) bool {
	for _, t := range b {
		if !strings.ContainsAny(t, "-_") || slices.ContainsFunc(a, func(o string) bool { return strings.EqualFold(o, t) }) {
			continue
		}
		low := strings.ToLower(t)
		for _, o := range a {
			o = strings.ToLower(o)
			if len(o) < 3 || o == low || slices.ContainsFunc(b, func(k string) bool { return strings.EqualFold(k, o) }) {
				continue
			}
			for _, sep := range "-_" {
				if strings.HasPrefix(low, o+string(sep)) || strings.HasSuffix(low, string(sep)+o) {
					return true
				}
			}
		}
	}
	return false
}
