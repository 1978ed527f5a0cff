package claim

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dormouse/claim/token"
)

// A mark tells which of several things of one name is meant: team A, the EU
// cluster, API v2, the old API. What is said of one is not said of the other, in
// whatever value they differ.
type mark struct {
	noun  int32 // term
	kind  labelKind
	value int32
}

// maxLabels is how many labels of a statement are kept.
const maxLabels = 4

// A labelKind is labels of which a thing has one: who is old is not new, and may well
// be internal.
type labelKind uint8

const (
	noLabel  labelKind = iota
	byLetter           // team A; only where the letter is a capital one
	byRegion           // the EU cluster
	byNumber           // queue 1, API v2; only where another value is said of it
	byAge
	byOrder
	byRank
	bySide
	byAccess
	byPrice
	byColour
)

// labelOf finds the group of a word in lower case that can label a thing, and
// which one of the group it is.
func labelOf(w string) (labelKind, int32) {
	if r, n := utf8.DecodeRuneInString(w); n == len(w) && unicode.IsLetter(r) {
		return byLetter, r
	}
	switch w {
	case "old", "legacy", "former", "старий", "стара", "старе", "старі", "старого", "старої", "старому", "старій":
		return byAge, 1
	case "new", "новий", "нова", "нове", "нові", "нового", "нової", "новому", "новій":
		return byAge, 2
	case "first", "перший", "перша", "перше", "першого", "першої", "першому", "першій":
		return byOrder, 1
	case "second", "другий", "друга", "друге", "другого", "другої", "другому", "другій":
		return byOrder, 2
	case "third", "третій", "третя", "третє", "третього", "третьої":
		return byOrder, 3
	case "fourth", "четвертий", "четверта", "четвертого", "четвертої":
		return byOrder, 4
	case "primary", "основний", "основна", "основної", "основного":
		return byRank, 1
	case "secondary", "standby", "резервний", "резервна", "резервної", "резервного":
		return byRank, 2
	case "internal", "inner", "внутрішній", "внутрішня", "внутрішнього", "внутрішньої":
		return bySide, 1
	case "external", "outer", "зовнішній", "зовнішня", "зовнішнього", "зовнішньої":
		return bySide, 2
	case "public", "публічний", "публічна", "публічного", "публічної":
		return byAccess, 1
	case "private", "приватний", "приватна", "приватного", "приватної":
		return byAccess, 2
	case "free", "безкоштовний", "безкоштовного":
		return byPrice, 1
	case "paid", "premium", "платний", "платного":
		return byPrice, 2
	case "blue":
		return byColour, 1
	case "green":
		return byColour, 2
	case "eu", "us", "usa", "uk", "ua", "apac", "emea", "latam", "na", "ny", "nyc", "la", "sf", "єс", "сша":
		v := int32(0)
		for _, r := range w {
			v = v<<8 | r&0xff
		}
		return byRegion, v
	}
	return noLabel, 0
}

// numbered reports whether things of that name, in lower case, go by number or
// letter: one behind the word says which, and not how many.
func numbered(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "queue", "team", "shard", "server", "cluster", "worker", "phase", "api", "group", "room", "floor", "pool", "channel", "partition", "replica", "building",
		"environment", "env", "bucket", "lane", "slot", "site", "warehouse", "office", "shop", "plant", "zone", "region", "line", "tier", "device", "release", "plan", "hall", "gate":
		return true
	}
	return hasAnyPrefix(w, "черг", "команд", "сервер", "вуз", "кластер", "груп", "склад", "офіс", "магазин", "цех", "зал", "пул", "канал", "будин", "реліз")
}

// labelled reads what a word says of which thing is meant. A letter or a region
// stands behind its noun or before it, a number behind, the others before.
func (p *parser) labelled(n int32, e *entry) {
	behind := p.prev != nil && p.prev.role == content && !p.gap && len(p.c.parts) > 0
	switch {
	case e.kind == token.Value && behind && !e.counted():
		noun := &p.x.entries[p.c.parts[len(p.c.parts)-1].entry]
		if e.versioned() && (noun.means == nil || !noun.means.attr) || e.sort == plainNumber && (numbered(noun.plain) || noun.plain == "node") {
			p.label(p.c.parts[len(p.c.parts)-1].term, byNumber, e.term)
		}
	case e.kind == token.Value && e.versioned() && p.of && len(p.c.parts) > 0: // the limit of v1
		p.label(p.c.parts[len(p.c.parts)-1].term, byNumber, e.term)
	case e.kindred == noLabel:
	case e.kindred != byLetter && e.kindred != byRegion:
		p.which, p.whichOne = e.kindred, e.one
	case n&capital == 0 && !p.inSmall(e, behind):
	case behind:
		p.label(p.c.parts[len(p.c.parts)-1].term, e.kindred, e.one)
	case p.prev != nil && e.plain != "i" || e.kindred == byRegion:
		p.which, p.whichOne = e.kindred, e.one
	}
}

// inSmall reports whether a letter or a region that is written small is a label all
// the same: team b has …, us cluster. Elsewhere it may be an article or a pronoun.
func (p *parser) inSmall(e *entry, behind bool) bool {
	more := len(p.rest) > 0 && p.rest[0] >= 0 && p.x.entries[p.rest[0]&number].role == content
	switch {
	case e.kindred == byLetter:
		return behind && !more && numbered(p.x.entries[p.c.parts[len(p.c.parts)-1].entry].plain)
	case e.plain == "us" || e.plain == "la" || e.plain == "na":
		return p.prev == nil && more
	}
	return true
}

// versioned reports whether a value is a version: 1.2.0, v2.
func (e *entry) versioned() bool {
	return e.sort == version || len(e.plain) > 1 && e.plain[0] == 'v' && e.plain[1] >= '0' && e.plain[1] <= '9'
}

// counted reports whether a value is a weekday or a month, which name no thing.
func (e *entry) counted() bool { return e.sort == weekday || e.sort == month }

func (p *parser) label(noun int32, g labelKind, value int32) {
	if p.c.nLabels < maxLabels {
		p.c.labels[p.c.nLabels] = mark{noun, g, value}
		p.c.nLabels++
	}
}

// otherThing reports whether the statements name two things of one name by
// different labels, neither of which the other statement names too.
func (x *lexicon) otherThing(a, b *statement) bool {
	for _, p := range a.labels[:a.nLabels] {
		for _, q := range b.labels[:b.nLabels] {
			if p.noun == q.noun && p.kind == q.kind && p.value != q.value && !b.has(p) && !a.has(q) &&
				(p.kind != byNumber || a.differsElsewhere(b, p.value, q.value, x)) {
				return true
			}
		}
	}
	return false
}

func (s *statement) has(l mark) bool {
	for _, have := range s.labels[:s.nLabels] {
		if have == l {
			return true
		}
	}
	return false
}

// differsElsewhere reports whether two statements differ in more than these two
// numbers: who says that of queue 1 and this of queue 2 tells of both, and of a
// version only another value tells.
func (s *statement) differsElsewhere(t *statement, mine, other int32, x *lexicon) bool {
	only := func(s, t *statement, not int32) (word, value bool) {
		for i := range s.parts {
			p := &s.parts[i]
			if p.term == not || placeIn(t, p.term) >= 0 {
				continue
			}
			word, value = word || p.kind == token.Word, value || p.kind == token.Value
		}
		return word, value
	}
	wordA, valueA := only(s, t, mine)
	wordB, valueB := only(t, s, other)
	return valueA && valueB || wordA && wordB && x.goesByNumber(s, mine) && x.goesByNumber(t, other)
}

// goesByNumber reports whether a number stands behind the name of a thing that has
// numbers.
func (x *lexicon) goesByNumber(s *statement, number int32) bool {
	i := placeIn(s, number)
	return i > 0 && numbered(x.entries[s.parts[i-1].entry].plain)
}

// severalPlaces reports whether one statement names several places of a kind and
// the other one of them: which clause says what of it can't be told.
func severalPlaces(a, b uint8) bool {
	return a != b && a&b != 0 && (a&(a-1) != 0 || b&(b-1) != 0)
}

// elsewhere reports whether a word sets a statement in all places but one that was
// named before.
func elsewhere(w string) bool {
	return w == "elsewhere" || strings.HasPrefix(w, "деінде")
}
