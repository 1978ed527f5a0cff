package claim

import (
	"cmp"
	"slices"
	"strings"

	"dormouse/claim/token"
)

// maxStatement is how many bytes of a statement are read.
const maxStatement = 4 << 10

// A crowd is all statements of all sources.
type crowd struct {
	x       *lexicon
	sources []Source
	order   []int32 // of the sources by name; all numbers of sources below are places in it
	claims  [][]Claim
	texts   []uint64 // hash of the words of each source
	counts  []int32  // statements of each source
	twins   []Twin   // of the same text
	copies  []bool   // of an earlier source

	said   []said
	byHash map[uint64]int32
	seq    []int32
	total  int
	links  []link
}

// said is what one or more sources say, word for word.
type said struct {
	statement
	seq    []int32
	where  []place
	own    int32 // words that no table knows
	values int32
	alone  int32 // the only source of it, -1 for several
	fixed  bool  // only Fixed sources
}

// A place is one statement of one source; at is -1 for the Lead.
type place struct{ source, at int32 }

// A link is two statements that relate.
type link struct {
	u, v int32
	bare bool // see matcher
	Relation
}

func newCrowd(sources []Source) *crowd {
	c := &crowd{x: newLexicon(), sources: sources, byHash: map[uint64]int32{}}
	c.order = make([]int32, len(sources))
	for i := range c.order {
		c.order[i] = int32(i)
	}
	slices.SortStableFunc(c.order, func(a, b int32) int {
		p, q := &sources[a], &sources[b]
		return cmp.Or(strings.Compare(p.Name, q.Name), strings.Compare(p.Text, q.Text), strings.Compare(p.Lead, q.Lead))
	})
	n := len(sources)
	c.claims, c.texts, c.counts, c.copies = make([][]Claim, n), make([]uint64, n), make([]int32, n), make([]bool, n)
	return c
}

func (c *crowd) source(i int32) *Source { return &c.sources[c.order[i]] }

// read takes all statements in, the same words once.
func (c *crowd) read() {
	first := map[uint64]int32{}
	size := 0
	for i := range c.sources {
		size += len(c.sources[i].Text) + len(c.sources[i].Lead)
	}
	c.seq = make([]int32, 0, size/5)
	for i := range int32(len(c.order)) {
		src := c.source(i)
		claims := src.Claims
		if claims == nil {
			claims = Split(src.Text)
		}
		c.claims[i] = claims
		all := uint64(0)
		hashes, seqs := make([]uint64, len(claims)), make([][]int32, len(claims))
		for j := range claims {
			seqs[j], hashes[j] = c.sequence(claims[j].Text)
			all = mix(all, hashes[j])
		}
		c.texts[i] = all
		if at, ok := first[all]; ok && len(claims) > 0 && !(src.Fixed && c.source(at).Fixed) {
			c.twins = append(c.twins, Twin{int(at), int(i), Relation{Kind: Exact, Score: 1, Why: "the same text"}})
			if c.copies[i] = src.Fixed == c.source(at).Fixed; c.copies[i] {
				continue
			}
		} else if !ok {
			first[all] = i
		}
		for j := range claims {
			if !label(claims[j].Text) {
				c.add(seqs[j], hashes[j], place{i, int32(j)}, claims[j].Text)
			}
		}
		if src.Lead != "" {
			seq, h := c.sequence(src.Lead)
			c.add(seq, h, place{i, -1}, src.Lead)
		}
	}
}

// sequence reads a statement and returns the hash of its words.
func (c *crowd) sequence(text string) ([]int32, uint64) {
	from := len(c.seq)
	c.seq = c.x.read(text[:token.CutAt(text, maxStatement)], -1, c.seq)
	seq := c.seq[from:len(c.seq):len(c.seq)]
	h := uint64(0)
	for _, n := range seq {
		if n >= 0 {
			h = mix(h, uint64(n&number)+1)
		}
	}
	return seq, h
}

// mix is one step of a hash; what it hashes is numbered in an order that input
// can't choose.
func mix(h, n uint64) uint64 {
	h = (h ^ n) * 0x9E3779B97F4A7C15
	return h ^ h>>29
}

// label reports whether a statement only leads to what follows it.
func label(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, " *_"), ":")
}

// unsure reports whether a text asks, or tells of a change: what it names first
// holds no more.
func unsure(text string) bool {
	return strings.HasSuffix(text, "?") || explains(text) || strings.Contains(text, "→") || strings.Contains(text, "->") || strings.Contains(text, "~~")
}

// explains reports whether a statement says why or when another one came to be.
func explains(text string) bool {
	text = strings.TrimLeft(text, "*_ ")
	for _, lead := range []string{"Why", "Reason", "Because", "Чому", "Причина"} {
		if rest, ok := strings.CutPrefix(text, lead); ok {
			return strings.HasPrefix(strings.TrimLeft(rest, "*_ "), ":")
		}
	}
	return false
}

func (c *crowd) add(seq []int32, h uint64, at place, text string) {
	n, ok := c.byHash[h]
	for ok && !wordForWord(c.said[n].seq, seq) { // another text of the same hash
		h = mix(h, 1)
		n, ok = c.byHash[h]
	}
	if !ok {
		s := c.x.statement(text, seq)
		n = int32(len(c.said))
		own, values := c.x.countOwn(&s)
		c.said = append(c.said, said{statement: s, seq: seq, own: own, values: values, alone: at.source, fixed: true})
		c.byHash[h] = n
	}
	s := &c.said[n]
	if len(s.parts) == 0 {
		return
	}
	c.total++
	if at.at >= 0 {
		c.counts[at.source]++
	}
	if s.alone != at.source {
		s.alone = -1
	}
	s.fixed = s.fixed && c.source(at.source).Fixed
	s.where = append(s.where, at)
}

// weigh counts in how many statements each term comes.
func (c *crowd) weigh() {
	for i := range c.said {
		for _, p := range c.said[i].parts {
			if c.x.last[p.term] != int32(i) {
				c.x.last[p.term] = int32(i)
				c.x.df[p.term]++
			}
		}
	}
}
