package dream

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"dormouse/claim"
)

// What a project's notes say of a thing has often one value at a time: the port of
// a service, who owns it, where somebody lives. Two statements that say it in other
// words are found by the thing, and compared word by word: each word of one is a
// word of the other, or one that says the same, or tells nothing by itself. What is
// left then decides: another value is a contradiction, and so is a denial; nothing
// left is the same said again. A word that is not known makes no decision.

// states are the words that say that something holds no longer, not yet, or in part.
const states = ` removed deprecated gone old former formerly broken disabled planned will soon temporary temporarily also another second other only except instead was were used until replaced видалено вимкнено застаріл старий колишній також ще інший другий тільки лише крім замість був була було `

// scopes are the words that say where or for whom something holds.
const scopes = ` staging stage production prod dev development local locally ci qa sandbox preview canary eu us europe america asia linux macos windows mobile desktop android ios internal external public private old new primary secondary replica weekdays weekends monday tuesday wednesday thursday friday saturday sunday стейджі стейджинг стейдж проді продакшні прод локально тестовому понеділок вівторок середа середу четвер пʼятниця п'ятниця субота неділя `

// A told is a statement taken apart.
type told struct {
	c            *cell
	toks         []string
	words        []word
	scope, state string
	when, often  string   // before or after what; each day, each week
	no           bool     // it says that something is not, or need not be
	subjects     []string // stems of what it can be about
	classes      []string
}

// A word of a statement.
type word struct {
	text, stem   string
	classes      []string
	plain, turns bool // it tells nothing by itself; it turns what is said
	named        bool // it looks like a name, or a value
	unit         string
}

// Of a statement the rarest words are what it is looked up by.
const (
	rarest = 4   // so many
	common = 200 // a word of more statements tells nothing of which are alike
)

// inOtherWords adds how statements relate that are worded differently. They are looked
// up by a rare word and a class, or by two rare words, so the work grows with the text.
func (w *web) inOtherWords(cells []*cell) {
	list := make([]*told, 0, len(cells))
	seen := map[string]int{}
	for _, c := range cells {
		if dependent(c.text) {
			continue
		}
		t := w.told(c)
		for _, s := range t.subjects {
			seen[s]++
		}
		list = append(list, t)
	}
	by := map[uint64][]*told{}
	for _, t := range list {
		for _, k := range t.keys(seen) {
			by[k] = append(by[k], t)
		}
	}
	for _, t := range list {
		met := map[*told]bool{t: true}
		for _, k := range t.keys(seen) {
			if len(by[k]) > maxBucket {
				continue
			}
			for _, o := range by[k] {
				if !met[o] {
					met[o] = true
					w.otherWords(t, o)
				}
			}
		}
	}
}

// keys are what a statement is looked up by, given in how many each word comes.
func (t *told) keys(seen map[string]int) []uint64 {
	var rare []string
	for _, s := range t.subjects {
		if seen[s] > 1 && seen[s] <= common {
			rare = append(rare, s)
		}
	}
	slices.SortStableFunc(rare, func(a, b string) int { return cmp.Or(cmp.Compare(seen[a], seen[b]), strings.Compare(a, b)) })
	rare = rare[:min(len(rare), rarest)]
	var out []uint64
	for i, s := range rare {
		for _, class := range t.classes {
			out = append(out, hash(3, []string{s, class}))
		}
		for _, o := range rare[i+1:] {
			out = append(out, hash(4, []string{min(s, o), max(s, o)}))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tell takes a statement apart.
func (v *vocabulary) tell(c *cell, toks []string) *told {
	t := &told{c: c, toks: toks, scope: scoped(toks), state: stated(toks), when: called(toks, times()), often: called(toks, cadences()), no: turned(toks)}
	for i, text := range toks {
		low := strings.TrimSuffix(strings.ToLower(text), "'s")
		x := word{text: text, stem: claimStem(low), turns: turns(low)}
		switch {
		case valued(text), hard(text), compound(text):
			x.named = true
			if i+1 < len(toks) {
				x.unit = units()[strings.ToLower(toks[i+1])]
				x.stem += x.unit
			}
			if class := classOf(text); class != "" && !slices.Contains(t.classes, class) {
				t.classes = append(t.classes, class)
			}
		default:
			x.classes, x.plain = v.of(low), v.plain[x.stem] && !letter(text, i)
			x.named = !x.plain && capital(text) && (i > 0 || len(x.classes) == 0)
		}
		t.words = append(t.words, x)
		for _, class := range x.classes {
			if !slices.Contains(t.classes, class) {
				t.classes = append(t.classes, class)
			}
		}
		digit := text[0] >= '0' && text[0] <= '9'
		if !x.plain && !x.turns && !digit && len(x.classes) == 0 && !slices.Contains(t.subjects, x.stem) {
			t.subjects = append(t.subjects, x.stem)
		}
	}
	return t
}

// letter reports whether a word is a letter that names something: service A.
func letter(text string, i int) bool {
	return i > 0 && len(text) == 1 && text != "I" && capital(text)
}

// classOf is what a value tells by its look: a version has two points, a feature flag
// is written like a constant.
func classOf(t string) string {
	switch {
	case strings.Contains(t, "://"):
		return "url"
	case t == strings.ToUpper(t) && strings.Contains(t, "_"):
		return "flag"
	case strings.Contains(t, " "):
		return "run"
	case strings.Count(t, ".") >= 2 && strings.Trim(strings.TrimPrefix(t, "v"), "0123456789.") == "":
		return "version"
	}
	return ""
}

// compound reports whether a word is written like the name of a service or a file:
// billing-api.
func compound(t string) bool {
	i := strings.IndexAny(t, "-_")
	return i > 0 && i < len(t)-1 && t == strings.ToLower(t) && strings.IndexFunc(t, func(r rune) bool { return r > 'z' }) < 0
}

// times and cadences are made when they are first asked for: the words that say when and how often something is done, by
// what they say.
var times = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"before": "before", "до": "before", "prior": "before", "ahead": "before", "until": "before", "перед": "before", "перш": "before",
		"after": "after", "once": "after", "після": "after", "щойно": "after",
		"when": "when", "whenever": "when", "if": "when", "коли": "when", "якщо": "when",
	}
})

var cadences = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"hourly": "h", "щогодини": "h", "daily": "d", "nightly": "d", "everyday": "d", "щодня": "d", "щоночі": "d", "щодоби": "d",
		"weekly": "w", "щотижня": "w", "monthly": "mo", "щомісяця": "mo", "quarterly": "q", "щокварталу": "q", "yearly": "y", "щороку": "y",
		"twice": "2", "двічі": "2", "biweekly": "2w",
	}
})

// called are the names of the words that a statement has of a list.
func called(toks []string, list map[string]string) string {
	var out []string
	for _, t := range toks {
		if name := list[strings.ToLower(t)]; name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// units are the units of measure, by their spellings.
var units = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ms": "ms", "millisecond": "ms", "milliseconds": "ms", "мс": "ms", "мілісекунд": "ms", "мілісекунди": "ms",
		"s": "s", "sec": "s", "secs": "s", "second": "s", "seconds": "s", "секунд": "s", "секунди": "s", "секунду": "s", "секунда": "s", "с": "s",
		"min": "min", "mins": "min", "minute": "min", "minutes": "min", "хвилин": "min", "хвилини": "min", "хвилину": "min", "хв": "min",
		"h": "h", "hour": "h", "hours": "h", "годин": "h", "години": "h", "годину": "h", "год": "h",
		"day": "d", "days": "d", "дні": "d", "днів": "d", "день": "d", "доби": "d", "діб": "d",
		"week": "w", "weeks": "w", "тижні": "w", "тижнів": "w", "тиждень": "w",
		"month": "mo", "months": "mo", "місяці": "mo", "місяців": "mo", "місяць": "mo",
		"year": "y", "years": "y", "роки": "y", "років": "y", "рік": "y",
		"kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "кб": "kb", "мб": "mb", "гб": "gb", "тб": "tb", "%": "%", "percent": "%", "відсотків": "%",
	}
})

func turns(low string) bool {
	return strings.Contains(denials, " "+low+" ") || strings.Contains(negatives, " "+low+" ")
}

// turned reports whether a statement says that something is not, or need not be,
// done: an odd number of words that deny. "Never … without asking" denies twice,
// "ніколи не" once.
func turned(toks []string) bool {
	n, last := 0, -2
	for i, t := range toks {
		if !turns(strings.ToLower(t)) {
			continue
		}
		if i != last+1 {
			n++
		}
		last = i
	}
	return n%2 == 1
}

// otherWords adds how b relates to a.
func (w *web) otherWords(a, b *told) {
	if a.c.leaf == b.c.leaf || a.state != b.state || a.scope != b.scope || w.keys[a.c] == w.keys[b.c] || longerName(a.toks, b.toks) || longerName(b.toks, a.toks) {
		return
	}
	x, y := a.beside(b), b.beside(a)
	if !x.known || !y.known || x.values != y.values || x.values > 1 || !a.meets(b) {
		return
	}
	switch {
	case x.values == 0 && a.no != b.no:
		if a.sameTime(b) {
			w.relateAs(a.c, b.c, edge{to: b.c, kind: claim.Conflict, sure: true, why: "one says it and the other denies it"})
		}
	case a.no != b.no:
	case x.values == 1 && a.atOneTime(b) && a.asOften(b):
		if a.several(b, x.value) || x.unit != y.unit || shape(x.value) != shape(y.value) || !a.valueOf(b, x) || !b.valueOf(a, y) {
			return
		}
		w.relateAs(a.c, b.c, edge{to: b.c, kind: claim.Conflict, sure: true, why: x.value + ", not " + y.value})
	case a.order(b) == b.order(a) && a.when == b.when && a.asOften(b) && !a.elsewhere(b):
		w.relateAs(a.c, b.c, edge{to: b.c, kind: claim.Same, why: "the same is said of the same thing, in other words"})
	}
}

// beside is what a statement says that another one does not.
type beside struct {
	known       bool // no word of it is without a counterpart there
	values      int  // names and values, those that stand side by side as one
	value, unit string
	at          int  // the place of the value
	last        bool // nothing but grammar follows it
}

func (t *told) beside(o *told) beside {
	out, last := beside{known: true}, -2
	for i := range t.words {
		x := &t.words[i]
		if !x.plain && i != last+1 {
			out.last = false
		}
		switch {
		case x.plain, x.turns, o.has(x):
		case slices.ContainsFunc(x.classes, func(c string) bool { return slices.Contains(o.classes, c) }):
		case x.named && t.like(i) == likePerson && t.partly(o, i):
			out.known = false // somebody else of the same name
			return out
		case x.named && i == last+1 && t.like(i) == likePerson && t.like(last) == likePerson && t.adjoin(last):
			out.value, out.last, last = out.value+" "+x.text, true, i
		case x.named:
			out.values++
			out.value, out.unit, out.at, out.last, last = x.text, x.unit, i, true, i
			continue
		default:
			out.known = false
			return out
		}
	}
	return out
}

// How much a word looks like what a statement is about, and not like what it says of
// it: a service has an owner, a person has a home, and not the other way round.
const (
	likeValue = iota
	likeName
	likePerson
	likeThing
)

func (t *told) like(i int) int {
	x := &t.words[i]
	switch {
	case valued(x.text), strings.Contains(t.c.text, "`"+x.text+"`"):
		return likeValue
	case compound(x.text):
		return likeThing
	case hard(x.text):
		return likeValue
	case !x.named:
		return likeThing
	case t.besideName(i):
		return likePerson
	}
	return likeName
}

// besideName reports whether a name is one of several words.
func (t *told) besideName(i int) bool {
	name := func(k int) bool {
		return t.words[k].named && capital(t.words[k].text) && !hard(t.words[k].text)
	}
	return i > 0 && name(i-1) && t.adjoin(i-1) || i+1 < len(t.words) && name(i+1) && t.adjoin(i)
}

// partly reports whether a word of a name stands beside one that the other statement
// has.
func (t *told) partly(o *told, i int) bool {
	return i > 0 && t.words[i-1].named && t.adjoin(i-1) && o.has(&t.words[i-1]) ||
		i+1 < len(t.words) && t.words[i+1].named && t.adjoin(i) && o.has(&t.words[i+1])
}

// adjoin reports whether nothing but white space stands between a word and the next
// one.
func (t *told) adjoin(i int) bool {
	return strings.Contains(t.c.text, t.toks[i]+" "+t.toks[i+1])
}

// valueOf reports whether what only t says is a value of what both are about.
func (t *told) valueOf(o *told, only beside) bool {
	about, at, named := likeValue, -1, false
	for i := range t.words {
		x := &t.words[i]
		if !slices.Contains(t.subjects, x.stem) || !slices.Contains(o.subjects, x.stem) || named && !x.named {
			continue
		}
		if like := t.like(i); like >= about || x.named && !named {
			about, at, named = like, i, named || x.named
		}
	}
	mine := t.like(only.at)
	return about > mine || about == mine && at >= 0 && at < only.at && only.last
}

// has reports whether a statement has a word, in any form.
func (t *told) has(x *word) bool {
	return slices.ContainsFunc(t.words, func(y word) bool { return x.stem == y.stem })
}

// meets reports whether two statements are about one thing, and tell the same of it:
// they name two things both, or one, and have a word of one class.
func (t *told) meets(o *told) bool {
	subjects := 0
	for _, s := range t.subjects {
		if slices.Contains(o.subjects, s) {
			subjects++
		}
	}
	classes := slices.ContainsFunc(t.classes, func(c string) bool { return slices.Contains(o.classes, c) })
	return subjects > 1 || subjects == 1 && classes
}

// both reports whether two statements have a word of a class both.
func (t *told) both(o *told, class string) bool {
	return slices.Contains(t.classes, class) && slices.Contains(o.classes, class)
}

// places are the classes of which what is said has one place.
var places = []string{"path", "dashboard", "bucket", "backup"}

// several reports whether what a statement says of a value can be said of another one
// as well: which files to ask about, what to run before a push.
func (t *told) several(o *told, value string) bool {
	switch {
	case strings.Contains(value, "://"):
		return false
	case strings.Contains(value, "/") && !strings.Contains(value, " "):
		return !slices.ContainsFunc(places, func(c string) bool { return t.both(o, c) })
	}
	return t.both(o, "ask") || (strings.Contains(value, " ") || directs(t.toks) || directs(o.toks)) && (atTimes(t.toks) || atTimes(o.toks))
}

// elsewhere reports whether two statements are worded alike but for one place, in
// which they have words that do not say the same: that is how two matters look.
func (t *told) elsewhere(o *told) bool {
	x, y, _ := differ(t.toks, o.toks)
	if len(x) == 0 || len(y) == 0 || 2*len(x) > len(t.toks) || 2*len(y) > len(o.toks) {
		return false
	}
	in := func(list []string, t *told) (classes []string) {
		for i := range t.words {
			if slices.Contains(list, t.words[i].text) {
				classes = append(classes, t.words[i].classes...)
			}
		}
		return classes
	}
	theirs := in(y, o)
	return !slices.ContainsFunc(in(x, t), func(c string) bool { return slices.Contains(theirs, c) })
}

// asOften reports whether two statements speak of the same rhythm. What is done at an
// hour of the day is done each day.
func (t *told) asOften(o *told) bool {
	daily := func(t, o *told) bool { return t.often == "d" && o.often == "" && slices.ContainsFunc(o.toks, clock) }
	return t.often == o.often || daily(t, o) || daily(o, t)
}

// order are the things and the persons that two statements name both, each as they
// come in this one: who waits for whom is another matter the other way round.
func (t *told) order(o *told) string {
	var out []string
	for i := range t.words {
		if x := &t.words[i]; x.named && t.like(i) > likeValue && o.has(x) && !slices.Contains(out, x.stem) {
			out = append(out, string(rune('0'+t.like(i)))+x.stem)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return int(a[0]) - int(b[0]) })
	return strings.Join(out, " ")
}

// sameTime reports whether two statements speak of the same time: not to push before
// the tests ran is no denial of running them before a push.
func (t *told) sameTime(o *told) bool {
	a, b := t.afterTime(), o.afterTime()
	switch {
	case a == nil && b == nil:
		return true
	case a == nil:
		return o.sameTime(t)
	case b == nil:
		return o.has(a) || slices.ContainsFunc(a.classes, func(c string) bool { return slices.Contains(o.classes, c) })
	}
	return a.stem == b.stem || slices.ContainsFunc(a.classes, func(c string) bool { return slices.Contains(b.classes, c) })
}

// atOneTime reports whether both name the same time, or one names it only as what the
// other speaks of anyway.
func (t *told) atOneTime(o *told) bool {
	return t.when == o.when || (t.when == "" || o.when == "") && t.sameTime(o)
}

// afterTime is the first word that tells something behind "before" or "after".
func (t *told) afterTime() *word {
	at := slices.IndexFunc(t.toks, func(s string) bool { return atTimes([]string{s}) })
	if at < 0 {
		return nil
	}
	for i := at + 1; i < len(t.words); i++ {
		if x := &t.words[i]; !x.plain && !x.turns {
			return x
		}
	}
	return nil
}

// relateAs adds how b relates to a, unless more is known of the two.
func (w *web) relateAs(a, b *cell, e edge) {
	at := slices.IndexFunc(w.edges[a], func(e edge) bool { return e.to == b })
	switch {
	case at < 0:
		w.edges[a] = append(w.edges[a], e)
	case e.kind == claim.Conflict, e.kind == claim.Same && w.edges[a][at].kind == claim.Within, w.edges[a][at].kind == claim.None, w.edges[a][at].kind == claim.Complement:
		w.edges[a][at] = e
	}
}

func denied(toks []string) bool { return hasAny(toks, denials) }

// stated are the words of a statement that say in how far it holds.
func stated(toks []string) string { return among(toks, states) }

// scoped are the words of a statement that say where it holds.
func scoped(toks []string) string { return among(toks, scopes) }

func among(toks []string, list string) string {
	var out []string
	for _, t := range toks {
		if low := strings.ToLower(t); strings.Contains(list, " "+low+" ") {
			out = append(out, low)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// shape is what a value looks like: two of another shape are not values of one
// thing.
func shape(v string) string {
	var out []rune
	for _, r := range v {
		switch {
		case r >= '0' && r <= '9':
			r = '0'
		case letterOrDigit(r):
			r = 'a'
		}
		if len(out) == 0 || out[len(out)-1] != r {
			out = append(out, r)
		}
	}
	s := string(out)
	switch {
	case strings.Contains(v, "://"):
		return "url"
	case strings.Trim(s, "a _-") == "" && s != "":
		return "name"
	}
	return s
}
