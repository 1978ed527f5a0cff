package claim

import (
	"cmp"
	"slices"
	"sync"

	"dormouse/claim/token"
)

// What bounds the candidates of a statement.
const (
	rarest   = 5  // words of a statement that it is found by
	crowded  = 32 // statements with one key that are all compared
	window   = 12 // of a larger number, how many neighbours are
	nominees = 10 // statements that one is compared with at most, the likeliest
)

// A key is a term or class, or two of them, that statements are found by.
type key uint64

// An entry of the index.
type posting struct {
	key key
	u   int32
}

const classBase = 1 << 28 // above all terms

// keysOf returns what a statement is found by, the rarest first.
func (c *crowd) keysOf(s *said) []int32 {
	var terms []int32
	for i := range s.parts {
		p := &s.parts[i]
		m := c.x.entries[p.entry].means
		if isValuePart(*p) || m != nil && m.weak || p.reason || slices.Contains(terms, p.term) {
			continue
		}
		terms = append(terms, p.term)
	}
	df := c.x.df
	slices.SortFunc(terms, func(a, b int32) int { return cmp.Or(cmp.Compare(df[a], df[b]), cmp.Compare(a, b)) })
	terms = terms[:min(len(terms), rarest)]
	s.in.each(func(n int) { terms = append(terms, classBase+int32(n)) })
	return terms
}

func (c *crowd) candidates() [][]int32 {
	sizes := map[int32]int32{}
	keys := make([][]int32, len(c.said))
	for u := range c.said {
		keys[u] = c.keysOf(&c.said[u])
		for _, k := range keys[u] {
			sizes[k]++
		}
	}
	index := make([]posting, 0, 4*len(c.said))
	for u := range c.said {
		index = c.post(index, int32(u), keys[u], sizes)
	}
	slices.SortFunc(index, func(a, b posting) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.u, b.u)) })
	return c.nominate(index)
}

// post enters a statement under its rare keys, and under two at once of which
// neither is rare.
func (c *crowd) post(index []posting, u int32, keys []int32, sizes map[int32]int32) []posting {
	common := 0
	for _, k := range keys {
		if sizes[k] <= crowded {
			if sizes[k] > 1 {
				index = append(index, posting{key(k), u})
			}
			continue
		}
		keys[common] = k
		common++
	}
	if common == 1 {
		index = append(index, posting{key(keys[0]) | 1<<62, u})
	}
	for i, k := range keys[:common] {
		for _, l := range keys[i+1 : common] {
			index = append(index, posting{key(min(k, l))<<31 | key(max(k, l)) | 1<<63, u})
		}
		if k >= classBase && c.pure(&c.said[u], int(k-classBase)) {
			index = append(index, posting{key(k) | 1<<61, u})
		}
	}
	return index
}

// pure reports whether a statement says nothing but a choice.
func (c *crowd) pure(s *said, class int) bool {
	for i := range s.parts {
		m := c.x.entries[s.parts[i].entry].means
		if m == nil || !m.weak && !m.tasks.has(class) && !m.in.has(class) {
			return false
		}
	}
	return true
}

// nominate chooses for each statement those that it shares most with.
func (c *crowd) nominate(index []posting) [][]int32 {
	at := make([][]int32, len(c.said)) // where the statement is in the index
	counts := make([]int32, len(c.said)+1)
	for _, p := range index {
		counts[p.u]++
	}
	flat := make([]int32, len(index))
	n := 0
	for u := range at {
		at[u] = flat[n : n : n+int(counts[u])]
		n += int(counts[u])
	}
	for i, p := range index {
		at[p.u] = append(at[p.u], int32(i))
	}
	first := make([]int32, len(index)) // of the run that the posting is in
	for i := range index {
		if i > 0 && index[i].key == index[i-1].key {
			first[i] = first[i-1]
		} else {
			first[i] = int32(i)
		}
	}
	out := make([][]int32, len(c.said))
	owners := make([]int32, len(c.said))
	for u := range c.said {
		if owners[u] = c.said[u].alone; c.said[u].fixed {
			owners[u] = onlyFixed
		}
	}
	halves(len(c.said), func(from, to int) {
		v := votes{c: c, owners: owners, index: index, first: first, score: make([]float32, len(c.said))}
		for u := from; u < to; u++ {
			out[u] = v.of(int32(u), at[u])
		}
	})
	return out
}

// halves runs f over two halves at once.
func halves(n int, f func(from, to int)) {
	var wg sync.WaitGroup
	wg.Go(func() { f(0, n/2) })
	f(n/2, n)
	wg.Wait()
}

// onlyFixed stands for all sources that are not compared with each other.
const onlyFixed = -2

type votes struct {
	c      *crowd
	owners []int32 // of each statement the only source, -1, or onlyFixed
	index  []posting
	first  []int32
	score  []float32
	met    []int32
}

func (v *votes) of(u int32, at []int32) []int32 {
	owner := v.owners[u] // of whose statements no relation with u would be told
	for _, i := range at {
		lo := v.first[i]
		hi := i + 1
		for int(hi) < len(v.index) && v.index[hi].key == v.index[i].key && hi-lo <= crowded {
			hi++
		}
		if hi-lo > crowded {
			lo, hi = max(lo, i-window), i
			for int(hi) < len(v.index) && v.index[hi].key == v.index[i].key && hi <= i+window {
				hi++
			}
		}
		worth := 1 / float32(1+hi-lo)
		for j := lo; j < hi; j++ {
			w := v.index[j].u
			if w == u || v.owners[w] == owner && owner != -1 {
				continue
			}
			if v.score[w] == 0 {
				v.met = append(v.met, w)
			}
			v.score[w] += 1 + worth
		}
	}
	var best [nominees]int32
	n := 0
	for _, w := range v.met {
		at := n
		for at > 0 && v.likelier(w, best[at-1]) {
			at--
		}
		if at < nominees {
			n = min(n+1, nominees)
			copy(best[at+1:n], best[at:])
			best[at] = w
		}
	}
	for _, w := range v.met {
		v.score[w] = 0
	}
	v.met = v.met[:0]
	return slices.Clone(best[:n])
}

// likelier orders candidates: by what they share, then the shorter first, which
// has less that could keep it apart.
func (v *votes) likelier(a, b int32) bool {
	switch {
	case v.score[a] != v.score[b]:
		return v.score[a] > v.score[b]
	case len(v.c.said[a].parts) != len(v.c.said[b].parts):
		return len(v.c.said[a].parts) < len(v.c.said[b].parts)
	}
	return a < b
}

// pair compares the candidates.
func (c *crowd) pair(candidates [][]int32) {
	for u, list := range candidates {
		for _, w := range list {
			if w < int32(u) && !slices.Contains(candidates[w], int32(u)) {
				candidates[w] = append(candidates[w], int32(u))
			}
		}
	}
	parts := make([][]link, 2)
	weight := c.x.weights(len(c.said))
	var wg sync.WaitGroup
	for half := range 2 {
		wg.Go(func() {
			m := &matcher{x: c.x, weight: weight, inA: make([]int32, len(c.x.df)), inB: make([]int32, len(c.x.df))}
			for u := half; u < len(candidates); u += 2 {
				parts[half] = c.compareWith(m, int32(u), candidates[u], parts[half])
			}
		})
	}
	wg.Wait()
	c.links = append(parts[0], parts[1]...)
	slices.SortFunc(c.links, func(a, b link) int { return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v)) })
}

// farApart reports early that both statements have too many words that the other
// does not have for any relation to be told.
func (m *matcher) farApart(a, b *said) bool {
	values := a.values > 0 && b.values > 0
	if a.own == 0 || b.own == 0 || !values && (int(a.own) <= mostOwn || int(b.own) <= mostOwn) {
		return false
	}
	shared, sameValues := 0, 0
	for i := range b.parts {
		switch p := &b.parts[i]; {
		case m.inA[p.term] == 0:
		case isValuePart(*p), isCodePart(*p):
			sameValues++
		case m.x.entries[p.entry].means == nil:
			shared++
		}
	}
	if int(min(a.own, b.own)) > shared && int(min(a.values, b.values)) > sameValues {
		return true // two things that have a value each
	}
	return shared < rewordedWords && int(a.own)-shared > mostOwn && int(b.own)-shared > mostOwn
}

// mostOwn is how many unknown words a statement can have that the other has not:
// a word in the place of another, or a verb and a unit around a value.
const mostOwn = 2

// countOwn counts words that no table knows, and values. Those of a reason or an aside, and
// the verb of a rule, keep nothing apart.
func (x *lexicon) countOwn(s *statement) (own, values int32) {
	for i := range s.parts {
		p := &s.parts[i]
		e := &x.entries[p.entry]
		if (isValuePart(*p) || isCodePart(*p)) && !p.reason && !p.extra {
			values++
		}
		if i > 0 && p.near && isValuePart(s.parts[i-1]) || measures(e.plain) {
			continue
		}
		if p.kind != token.Word || e.means != nil || p.reason || p.extra || p.place || p.wide || i == 0 && e.verb {
			continue
		}
		own++
	}
	return own, values
}

func (c *crowd) compareWith(m *matcher, u int32, list []int32, out []link) []link {
	s := &c.said[u].statement
	marked := false
	for _, w := range list {
		if w < u {
			continue
		}
		if !marked {
			m.markA(*s)
			marked = true
		}
		if m.farApart(&c.said[u], &c.said[w]) {
			continue
		}
		if r := m.relate(s, &c.said[w].statement); r.Kind > Complement {
			out = append(out, link{u, w, m.bare && r.Kind == Conflict, r})
		}
	}
	if marked {
		m.unmarkA(*s)
	}
	return out
}
