package dream

import (
	"slices"
	"strings"

	"dormouse/claim"
)

// What a project's notes say of a thing has often one value at a time: the port of
// a service, who owns it, where somebody lives. Two statements that say it in
// different words are found by the thing and by what of it they tell.

// slots are the words by which a statement tells what it tells, by the beginnings
// of words, in lower case. A statement with words of two slots tells the one that it
// has more words of.
var slots = map[string]string{
	"port":      "port listen bind binds bound serve traffic reachable порт слуха приймає",
	"retention": "retention retain kept keeps stored purge purged ttl логи логів лог зберіга трима видаля",
	"timeout":   "timeout times time-out waits wait gives abort тайм-аут таймаут чека обрива",
	"owner":     "owner own owns owned ownership responsible maintain contact on-call steward looks charge власни опіку відповіда стоїть веде підтриму доглядає",
	"city":      "city town home live lives living based moved moving relocated resides works місто місті живе мешка переїха працює осел",
	"editor":    "editor edits ide writes code codes редактор редагує пише код",
	"version":   "version pinned pins pin built locked depends requires upgraded версі закріпл збира зафікс залеж",
	"flag":      "flag toggle gated behind switch прапор перемика схован вмика",
	"bucket":    "bucket exports export uploads бакет експорт вивантаж",
	"dashboard": "dashboard panel board charts дашборд панел графік",
	"backup":    "backup backups snapshot dump резервн бекап",
	"tests":     "test tests testing suite тест",
	"branch":    "branch гілк",
	"region":    "region регіон",
	"channel":   "channel slack канал",
	"license":   "license licence ліцензі",
	"deadline":  "deadline due дедлайн",
	"database":  "database баз",
	"queue":     "queue broker черг",
	"replicas":  "replica replicas instances репліка реплік",
	"level":     "level рівень рівн",
	"schedule":  "schedule cron розклад",
	"formatter": "formatter formatted форматер",
}

// states are the words that say that something holds no longer, not yet, or in part.
const states = ` removed deprecated gone old former formerly broken disabled planned will soon temporary temporarily also another second other only except instead was were used before until replaced видалено вимкнено застаріл старий колишній також ще інший другий тільки лише крім замість був була було раніше `

// scopes are the words that say where or for whom something holds.
const scopes = ` staging stage production prod dev development test local locally ci qa sandbox preview canary eu us europe america asia linux macos windows mobile desktop android ios internal external public private old new primary secondary master replica стейджі стейджинг проді продакшні локально тестовому `

// names finds what words are listed under, by their first letters.
type names map[string][]named

type named struct{ word, name string }

const firstLetters = 3

func newNames(lists map[string]string) names {
	out := names{}
	for _, name := range sortedNames(lists) {
		for w := range strings.FieldsSeq(lists[name]) {
			k := first(w)
			out[k] = append(out[k], named{w, name})
		}
	}
	return out
}

func first(w string) string {
	n := 0
	for i := range w {
		if n == firstLetters {
			return w[:i]
		}
		n++
	}
	return w
}

// of is the name under which most of the words are found; of equals the first in
// the alphabet.
func (x names) of(toks []string) string {
	hits := map[string]int{}
	for _, t := range toks {
		low := strings.ToLower(t)
		counted := ""
		for _, e := range x[first(low)] {
			if e.name != counted && (low == e.word || len([]rune(e.word)) > firstLetters && strings.HasPrefix(low, e.word)) {
				hits[e.name]++
				counted = e.name
			}
		}
	}
	best := ""
	for name, n := range hits {
		if best == "" || n > hits[best] || n == hits[best] && name < best {
			best = name
		}
	}
	return best
}

func sortedNames(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// A slotted is what a statement says of a thing: the thing, and the value.
type slotted struct {
	c              *cell
	subject, value string
	toks           []string
	slot           string
	slots          names
}

// inOtherWords adds the contradictions of statements that are worded differently.
func (w *web) inOtherWords(cells []*cell, words map[*cell][]string) {
	by, slotNames := map[string][]slotted{}, newNames(slots)
	for _, c := range cells {
		if dependent(c.text) || directs(words[c]) && atTimes(words[c]) {
			continue
		}
		slot := slotNames.of(words[c])
		if slot == "" {
			continue
		}
		if s, ok := valueOf(words[c]); ok {
			s.c, s.slot, s.slots = c, slot, slotNames
			k := slot + "\x00" + s.subject + "\x00" + shape(s.value)
			by[k] = append(by[k], s)
		}
	}
	w.sayNo(cells, words)
	for _, list := range by {
		if len(list) > maxBucket {
			continue
		}
		for _, a := range list {
			for _, b := range list {
				w.otherWords(a, b)
			}
		}
	}
}

func (w *web) otherWords(a, b slotted) {
	if a.c.leaf == b.c.leaf || stated(a.toks) != stated(b.toks) || scoped(a.toks) != scoped(b.toks) || denied(a.toks) != denied(b.toks) {
		return
	}
	if strings.EqualFold(a.value, b.value) {
		if !sayNothingElse(a, b) || claim.Compare(a.c.text, b.c.text).Kind == claim.Complement {
			return
		}
		w.relateAs(a.c, b.c, edge{to: b.c, kind: claim.Same, why: "the same is said of the same thing, in other words"})
		return
	}
	w.relateAs(a.c, b.c, edge{to: b.c, kind: claim.Conflict, why: a.value + ", not " + b.value})
}

// neutral are the words that tell nothing by themselves beside a slot, a thing and
// its value.
const neutral = ` the a an of for to in on at is are was be been has have had uses use used set sets settled we our it its by with from and that this now currently goes go going run runs running start starts started done made time times value number name called address found find see located every each day days daily hour hours minute minutes second seconds note before after up out as into against using request requests incoming its own there live person works working work based all data service under key url link who what which one
 це є в у на до для з із за від про його її їх ми наш нам зараз час значення номер назва адреса знаходиться знайти дивись щодня день дні днів секунд секунди хвилин годин годину робиться стартує становить дорівнює через під над сервіс сервісу сервісом має мають стоїть лежить дані який яка яке хто що там тут перед після `

// sayNothingElse reports whether two statements tell nothing but what they tell of
// the thing: no word of one is without a counterpart in the other, in the slot, or
// among those that tell nothing.
func sayNothingElse(a, b slotted) bool {
	if otherPlaces(a.toks, b.toks) > 0 {
		return false // the same words about something else
	}
	other := func(x, y slotted) bool {
		return slices.ContainsFunc(x.toks, func(t string) bool {
			low := strings.ToLower(t)
			if strings.EqualFold(t, x.value) || strings.Contains(strings.ToLower(x.subject), low) || strings.Contains(strings.ToLower(x.value), low) || strings.Contains(strings.ReplaceAll(neutral, "\n", " "), " "+low+" ") || x.slots.of([]string{t}) == x.slot {
				return false
			}
			return !slices.ContainsFunc(y.toks, func(o string) bool { return claimStem(strings.ToLower(o)) == claimStem(low) })
		})
	}
	return !other(a, b) && !other(b, a)
}

// stated are the words of a statement that say in how far it holds.
func stated(toks []string) string {
	var out []string
	for _, t := range toks {
		if low := strings.ToLower(t); strings.Contains(states, " "+low+" ") {
			out = append(out, low)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// asked are the words by which a statement tells what is to be done, or left, with
// the things that it names.
var asked = map[string]string{
	"ask": "ask approval permission confirm питай дозвол погоджен",
	"run": "run execute запускай запуска виконуй",
	"use": "use uses using використову",
	"add": "commit add push comit комітити пуш",
}

// sayNo adds the contradictions of statements of which one says to do something
// with the same things, and the other not to.
func (w *web) sayNo(cells []*cell, words map[*cell][]string) {
	by, askedNames := map[string][]*cell{}, newNames(asked)
	for _, c := range cells {
		if dependent(c.text) {
			continue
		}
		var things []string
		for _, t := range words[c] {
			if hard(t) || strings.Contains(t, "-") && !strings.HasPrefix(strings.ToLower(t), "будь-") {
				things = append(things, strings.ToLower(t))
			}
		}
		slices.Sort(things)
		things = slices.Compact(things)
		what := askedNames.of(words[c])
		if len(things) >= 2 && what != "" {
			k := what + "\x00" + strings.Join(things, "\x00") + "\x00" + scoped(words[c])
			by[k] = append(by[k], c)
		}
	}
	for _, list := range by {
		if len(list) > maxBucket {
			continue
		}
		for _, a := range list {
			for _, b := range list {
				if a.leaf != b.leaf && denied(words[a]) != denied(words[b]) {
					w.relateAs(a, b, edge{to: b, kind: claim.Conflict, why: "one says to do it and the other not to"})
				}
			}
		}
	}
}

// relateAs adds how b relates to a, unless more is known of the two.
func (w *web) relateAs(a, b *cell, e edge) {
	at := slices.IndexFunc(w.edges[a], func(e edge) bool { return e.to == b })
	switch {
	case at < 0:
		w.edges[a] = append(w.edges[a], e)
	case w.edges[a][at].kind == claim.None || w.edges[a][at].kind == claim.Complement:
		w.edges[a][at] = e
	}
}

func denied(toks []string) bool { return hasAny(toks, denials) }

// scoped are the words of a statement that say where it holds.
func scoped(toks []string) string {
	var out []string
	for _, t := range toks {
		if low := strings.ToLower(t); strings.Contains(scopes, " "+low+" ") {
			out = append(out, low)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// valueOf finds the one thing and the one value of a statement. ok is false where
// it has several, or none.
func valueOf(toks []string) (slotted, bool) {
	var subjects, values, names []string
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case valued(t):
			values = append(values, t)
		case strings.Contains(t, "-") && strings.IndexFunc(t, func(r rune) bool { return r >= 'а' && r <= 'я' }) < 0 && t == strings.ToLower(t):
			subjects = append(subjects, t)
		case capital(t) && i+1 < len(toks) && capital(toks[i+1]) && !valued(toks[i+1]):
			name := strings.TrimSuffix(t+" "+toks[i+1], "'s")
			names = append(names, name)
			i++
		case capital(t) && i > 0:
			values = append(values, t)
		}
	}
	switch {
	case len(subjects) == 1 && len(values) == 1 && len(names) == 0:
		return slotted{subject: subjects[0], value: values[0], toks: toks}, true
	case len(subjects) == 1 && len(values) == 0 && len(names) == 1: // who owns it
		return slotted{subject: subjects[0], value: names[0], toks: toks}, true
	case len(subjects) == 2 && len(values) == 0 && len(names) == 0: // one of them in backticks, or the last is the value
		return slotted{}, false
	case len(subjects) == 0 && len(values) == 1 && len(names) == 1:
		return slotted{subject: strings.ToLower(names[0]), value: values[0], toks: toks}, true
	}
	return slotted{}, false
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
