package dream

import (
	"slices"
	"strings"
	"unicode"

	"dormouse/claim"
)

// Before a statement goes because another one says it, or decides against it, the two
// are held against each other word by word. What is found elsewhere only says which
// two to look at.

// grammar are the words that a light edit adds or takes away.
const grammar = ` a an the is are was were be been being am it its please always note remember reminder that this our we us my your you their has have had do does did will would shall so just also really very simply currently now today
 це є був була було були будь ласка завжди наш наша наше наші свій своя своє зараз тепер наразі просто дуже я ми ви мій моя моє й і та що `

// amounts are the words that say how much or how often of something is meant.
const amounts = ` all some most many few several both half only first last again every-other second third once twice usually often sometimes rarely mostly partly about approximately around almost nearly roughly least maximum minimum more less fewer older newer same other another next previous
 усі всі деякі кілька більшість багато мало обидва половина тільки лише перший останній останнього знову рідко часто іноді інколи зазвичай переважно частково приблизно близько майже щонайменше щонайбільше більше менше старші новіші той інший інша інше наступний попередній друга другий двічі `

// told is a statement taken apart, made when it is asked for.
func (w *web) told(c *cell) *told {
	if w.tolds[c] == nil {
		w.tolds[c] = theVocabulary().tell(c, plainWords(c.text))
	}
	return w.tolds[c]
}

// allSaid reports whether o says all that c says, so that nothing is lost without c.
func (w *web) allSaid(c, o *cell) bool {
	a, b := w.told(c), w.told(o)
	if goesOn(c.text, o.text) {
		return true
	}
	switch {
	case a.no != b.no || amount(a.toks) != amount(b.toks):
		return false
	case a.when == b.when && sameMatter(c.text, o.text):
		return true
	case a.scope != b.scope || a.state != b.state:
		return false
	}
	if a.when == b.when && a.follows(b) {
		return true
	}
	x, y := a.beside(b), b.beside(a)
	return x.known && y.known && x.values+y.values == 0 && a.atOneTime(b) && a.sameTime(b) && a.sayOneThing(b)
}

// amount is how much or how often of something a statement means.
func amount(toks []string) string {
	out := make([]string, 0, len(toks))
	for _, t := range toks {
		low := strings.ToLower(t)
		if strings.Contains(` full whole entire complete весь вся все всі `, " "+low+" ") {
			low = "all"
		}
		out = append(out, low)
	}
	return among(out, amounts)
}

// sameMatter reports whether two statements say the same in words that package claim
// takes for the same, one for one and in their order: locally, and on this machine.
// A reason is not looked at there.
func sameMatter(a, b string) bool {
	if hasAny(plainWords(a), reasons) || hasAny(plainWords(b), reasons) || claim.Compare(a, b).Kind != claim.Same {
		return false
	}
	x := claim.Terms(a)
	return len(x) > 1 && slices.Equal(x, claim.Terms(b))
}

const reasons = ` because since so as for due if when unless while until without with by бо оскільки тому через якщо коли поки щоб без з із `

// goesOn reports whether a longer text is a shorter one that goes on behind a comma:
// "…, and the docs say the same".
func goesOn(shorter, longer string) bool {
	words := plainWords(shorter)
	rest, ok := strings.CutPrefix(strings.ToLower(longer), strings.ToLower(strings.TrimRight(strings.TrimSpace(shorter), ".!")))
	if !ok || len(words) < fewWords {
		return false
	}
	rest, ok = strings.CutPrefix(rest, ", ")
	next, _, more := strings.Cut(rest, " ")
	return ok && more && strings.Contains(additions+"which що який яка яке which це ", " "+next+" ")
}

// follows reports whether the words of a stand in b in their order, and b has no
// others, or goes on behind them to say more.
func (t *told) follows(o *told) bool {
	k := 0
	for i := range o.words {
		y := &o.words[i]
		if k < len(t.words) && sameWord(&t.words[k], y) {
			k++
			continue
		}
		if k < len(t.words) && tellsNothing(&t.words[k]) {
			k++
			if skipTo(t, &k, y) {
				continue
			}
		}
		if !tellsNothing(y) {
			return k == len(t.words) && strings.Contains(additions, " "+strings.ToLower(o.words[i].text)+" ") && len(t.words) >= fewWords
		}
	}
	for ; k < len(t.words); k++ {
		if !tellsNothing(&t.words[k]) {
			return false
		}
	}
	return true
}

// skipTo goes on over the words of grammar of t to one that is like y.
func skipTo(t *told, k *int, y *word) bool {
	for ; *k < len(t.words); *k++ {
		if sameWord(&t.words[*k], y) {
			*k++
			return true
		}
		if !tellsNothing(&t.words[*k]) {
			return false
		}
	}
	return false
}

func tellsNothing(x *word) bool {
	if x.named {
		return false
	}
	low := strings.ToLower(x.text)
	return strings.Contains(grammar, " "+low+" ") || strings.Contains(grammar, " "+low+"\n")
}

// sameWord reports whether two words are forms of one, or one is the other with a slip
// of the finger.
func sameWord(x, y *word) bool {
	if strings.EqualFold(x.text, y.text) || slips([]string{x.text}, []string{y.text}) {
		return true
	}
	return x.stem == y.stem && !x.named && !y.named && (x.text[0] < 0x80 || x.plain)
}

// sayOneThing reports whether two statements tell a value of a thing, and the same
// one: there the order of the words tells nothing.
func (t *told) sayOneThing(o *told) bool {
	if !t.meets(o) || t.order(o) != o.order(t) || t.elsewhere(o) || !t.asOften(o) {
		return false
	}
	var names []string
	for i := range t.words {
		if x := &t.words[i]; (t.isName(i) && o.has(x) || o.names(x)) && !slices.Contains(names, x.stem) {
			names = append(names, x.stem)
		}
	}
	return len(names) > 1 || len(names) == 1 && slices.ContainsFunc(t.subjects, func(s string) bool {
		return s != names[0] && slices.Contains(o.subjects, s)
	})
}

// isName reports whether a word is written like a name or a value: a capital letter
// tells nothing where a sentence begins.
func (t *told) isName(i int) bool {
	x := &t.words[i]
	return number(x.text) || x.named && (i > 0 || hard(x.text) || compound(x.text))
}

// names reports whether a statement has a word as a name.
func (t *told) names(x *word) bool {
	for i := range t.words {
		if t.words[i].stem == x.stem && t.isName(i) {
			return true
		}
	}
	return false
}

// answering are the verbs of those who answer for something.
const answering = ` owns owned maintains maintained leads stewards веде підтримує доглядає володіє опікується відповідає `

// opposed reports whether two statements that look like a contradiction are one: they
// say something else of the same thing, and not the same of something else, and of
// what they say only one can hold.
func (w *web) opposed(c, o *cell, sure bool) bool {
	a, b := w.told(c), w.told(o)
	if a.scope != b.scope || a.when != b.when && !sure || a.happened() || b.happened() {
		return false
	}
	x, y, tail := differ(a.toks, b.toks)
	if hasAny(a.toks, answering) && hasAny(b.toks, answering) {
		// Somebody may answer for several things, and a thing has one who does.
		if p, q := a.beside(b), b.beside(a); p.values == 1 && q.values == 1 {
			return a.like(p.at) == likeName || a.like(p.at) == likePerson
		} else if tail == 0 && !slices.ContainsFunc(x, capital) {
			return false
		}
	}
	head := len(a.toks) - len(x) - tail
	switch {
	case a.no != b.no || len(x) == 0 || len(y) == 0:
		return !limits(x) && !limits(y)
	case sameWords(a, b): // in another order
		return denied(a.toks)
	}
	if head+tail < max(len(x), len(y)) { // worded differently
		p, q := a.beside(b), b.beside(a)
		return sure || p.known && q.known || chosen(a.toks, b.toks)
	}
	return !otherSubject(a, b, x, y, head, tail) && !a.oneOfSeveral(x) && !b.oneOfSeveral(y)
}

// limits reports whether words make an exception: never, but for this.
func limits(words []string) bool {
	return hasAny(words, ` without unless except until but besides only крім окрім без поки доки лише тільки хіба `)
}

// sameWords reports whether two statements have the same words.
func sameWords(a, b *told) bool {
	sorted := func(t *told) []string {
		var out []string
		for i := range t.words {
			if !tellsNothing(&t.words[i]) {
				out = append(out, t.words[i].stem)
			}
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(sorted(a), sorted(b))
}

// otherSubject reports whether what differs is what the statements are about: a verb
// follows it, and the same is said.
func otherSubject(a, b *told, x, y []string, head, tail int) bool {
	if tail == 0 || tail == 1 && !finite(strings.ToLower(a.toks[len(a.toks)-1])) {
		return false // what they end with: a value, or what kind of thing
	}
	if slices.ContainsFunc(x, opposing) || slices.ContainsFunc(y, opposing) || chosen(x, y) {
		return false
	}
	for i := head + len(x); i < len(a.toks); i++ {
		if a.words[i].named && a.like(i) > a.like(head) && b.like(head) < a.like(i) {
			return false // what is said of that thing comes first
		}
	}
	next := strings.ToLower(a.toks[head+len(x)])
	switch {
	case units()[next] != "":
		return false
	case finite(next):
		return true
	case slices.ContainsFunc(x, valued) || slices.ContainsFunc(y, valued):
		return head == 0
	}
	return true // names and words in the midst of what is the same
}

// chosen reports whether two words are alternatives of which one is chosen.
func chosen(x, y []string) bool {
	return slices.ContainsFunc(x, func(a string) bool {
		return slices.ContainsFunc(y, func(b string) bool { return claim.Alternatives(spaced(a), spaced(b)) })
	})
}

func spaced(w string) string { return strings.ReplaceAll(w, "-", " ") }

// finite reports whether a word is most likely the verb of a sentence.
func finite(low string) bool {
	if strings.Contains(` is are was were means mean has have must may can should will needs need fixed broke є був була було були означає має мають потребує відповідає лежить живе стоїть `, " "+low+" ") {
		return true
	}
	return len(low) > 4 && (strings.HasSuffix(low, "ed") || strings.HasSuffix(low, "es") || strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss"))
}

// opposing are words that are chosen by another one's refusal.
func opposing(t string) bool {
	low := strings.ToLower(t)
	return strings.Contains(` enable disable enabled disabled allow allows forbid forbids allowed forbidden include exclude accept reject accepts rejects increase decrease ascending descending synchronous asynchronous optional mandatory required with without left right on off yes no true false keep drop увімкни вимкни увімкнено вимкнено дозволено заборонено `, " "+low+" ")
}

// oneOfSeveral reports whether what a statement says can be said of more than one: a
// file to change, a variable to set, what somebody wants.
func (t *told) oneOfSeveral(x []string) bool {
	if hasAny(t.toks, several) || hasAny(t.toks, ` wants want wanted asks asked set bump import matters handles handled fails failed caused хоче хочуть просить просив `) && !slices.ContainsFunc(x, number) {
		return true
	}
	path := func(w string) bool {
		return strings.Contains(w, "/") && !strings.Contains(w, "://") && !strings.Contains(w, " ")
	}
	return slices.ContainsFunc(x, path) && !slices.ContainsFunc(t.words, func(k word) bool {
		return k.named && !slices.Contains(x, k.text)
	})
}

func number(w string) bool { return w[0] >= '0' && w[0] <= '9' }

// happened reports whether a statement tells of something that was done once: the
// next time it is done takes nothing back.
func (t *told) happened() bool {
	for i := range t.words {
		low := strings.ToLower(t.words[i].text)
		if i == 0 || strings.Contains(` moved switched migrated renamed settled agreed decided changed upgraded adopted replaced relocated standardised standardized `, " "+low+" ") {
			continue
		}
		past := strings.HasSuffix(low, "ed") && len(low) > 4 || strings.Contains(` broke wrote took made gave found went said came lost got saw `, " "+low+" ")
		before := strings.ToLower(t.words[i-1].text)
		if past && !strings.Contains(` is are be been being was were gets get must may can should will has have had not never always only and or to by `, " "+before+" ") && (t.words[i-1].named || !finite(before)) && letters([]rune(low)) && (i+1 == len(t.words) || unicode.IsLetter([]rune(t.words[i+1].text)[0])) {
			return true
		}
	}
	return false
}
