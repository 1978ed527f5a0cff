package recall

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/recall/words"
)

// How much a word counts by where it stands, in halves of a word: the title says
// what a text is about, the summary too, and the lead of the body more than what
// comes after it. In a block of code much stands that nobody would ask for.
const (
	inTitle   = 6
	inSummary = 4
	inLead    = 3
	inProse   = 2
	inCode    = 1

	leadWords = 30
)

// A Builder collects documents for an index. It keeps of each what the index
// needs, not its text.
type Builder struct {
	keys   map[string]uint32 // by key as written, to the term's number+1; 0: a stop word
	terms  map[string]uint32 // by stem, to its number+1
	names  []string          // of terms, by number
	tokens []token           // of all documents, one after the other
	docs   []built
}

// A token is a term at its place, and in the lowest bits how much it counts there.
type token uint32

const weightBits = 3

func newToken(term uint32, weight uint8) token { return token(term<<weightBits | uint32(weight)) }

func (t token) term() uint32  { return uint32(t) >> weightBits }
func (t token) weight() uint8 { return uint8(t & (1<<weightBits - 1)) }

// built is one document in a Builder.
type built struct {
	id, typ, group string
	kind           Kind
	when           int64
	seq            int
	links          []string
	asks           bool
	first          int    // of its tokens
	fields         [3]int // tokens in the title, the summary, the body
	length         int    // in halves of a word
}

// NewBuilder returns a builder of an empty index.
func NewBuilder() *Builder {
	return &Builder{keys: map[string]uint32{}, terms: map[string]uint32{}}
}

// Len returns the number of documents added.
func (b *Builder) Len() int { return len(b.docs) }

// Add puts a document into the index. Of two with one ID both are found.
func (b *Builder) Add(d Doc) {
	doc := built{
		id: d.ID, kind: d.Kind, typ: d.Type, group: d.Group, seq: d.Seq, links: slices.Clone(d.Links),
		first: len(b.tokens), asks: d.Kind == Turn && asks(d.Body),
	}
	if !d.When.IsZero() {
		doc.when = d.When.Unix()
	}
	doc.fields[0] = b.text(&doc, d.Title, inTitle)
	doc.fields[1] = b.text(&doc, d.Summary, inSummary)
	code := false
	for part := range strings.SplitSeq(d.Body, "```") {
		weight := uint8(inProse)
		if code {
			weight = inCode
		}
		doc.fields[2] += b.text(&doc, part, weight)
		code = !code
	}
	body := b.tokens[doc.first+doc.fields[0]+doc.fields[1]:]
	for i, t := range body[:min(leadWords, len(body))] {
		if t.weight() == inProse {
			body[i] = newToken(t.term(), inLead)
		}
	}
	b.docs = append(b.docs, doc)
}

// text adds the words of a text to a document and returns how many they are.
func (b *Builder) text(doc *built, text string, weight uint8) int {
	before := len(b.tokens)
	words.Each(text, func(t words.Token) {
		if n := b.term(t.Key); n > 0 {
			b.tokens = append(b.tokens, newToken(n-1, weight))
			if !t.Within {
				doc.length += int(min(weight, inProse))
			}
		}
	})
	return len(b.tokens) - before
}

// asks reports whether the last sentence of a text is a question.
func asks(text string) bool {
	at := strings.LastIndexAny(text, ".!?…。！？")
	return at >= 0 && (text[at] == '?' || strings.HasPrefix(text[at:], "？"))
}

// term returns the number of a key's stem plus one, 0 for a stop word.
func (b *Builder) term(key []byte) uint32 {
	if n, ok := b.keys[string(key)]; ok {
		return n
	}
	var n uint32
	k := string(key)
	if !words.IsStop(key) {
		stem := words.Stem(k)
		if n = b.terms[stem]; n == 0 {
			b.names = append(b.names, stem)
			n = uint32(len(b.names))
			b.terms[stem] = n
		}
	}
	b.keys[k] = n
	return n
}

// Index returns the index of what was added. Documents of one group stand beside
// each other there, by their place in it; otherwise they keep their order.
func (b *Builder) Index() *Index {
	order := make([]uint32, len(b.docs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(x, y uint32) int {
		dx, dy := &b.docs[x], &b.docs[y]
		return cmp.Or(cmp.Compare(dx.group, dy.group), cmp.Compare(dx.seq, dy.seq))
	})
	e := encoder{b: b, order: order, pooled: map[string]ref{}}
	e.documents()
	e.names()
	e.identities()
	e.streams()
	e.postings()
	return e.index()
}
