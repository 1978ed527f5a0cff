package recall

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// An encoder writes the sections of one index.
type encoder struct {
	b        *Builder
	order    []uint32 // documents as they will stand
	sorted   []uint32 // terms by name
	place    []uint32 // of a term among them
	pool     []byte
	pooled   map[string]ref
	sections [sectionCount][]byte
	classes  int
	groups   int
	turns    int
	length   uint64 // of all documents, in halves of a word
}

// A ref is a string in the pool.
type ref struct{ at, n uint32 }

func (e *encoder) doc(i int) *built { return &e.b.docs[e.order[i]] }

// text puts a string into the pool once.
func (e *encoder) text(s string) ref {
	if r, ok := e.pooled[s]; ok {
		return r
	}
	r := ref{uint32(len(e.pool)), uint32(len(s))}
	e.pool = append(e.pool, s...)
	e.pooled[s] = r
	return r
}

func appendRef(b []byte, r ref) []byte { return appendU32(b, r.at, r.n) }

func appendU32(b []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// documents writes the columns of documents: what a search looks at for many of
// them stands together.
func (e *encoder) documents() {
	type class struct{ kind, typ string }
	classes := map[class]uint32{}
	s := &e.sections
	groupLength := uint32(0)
	for i := range e.order {
		d := e.doc(i)
		c := class{string(d.kind), d.typ}
		n, ok := classes[c]
		if !ok {
			n = uint32(len(classes))
			classes[c] = n
			s[classTable] = appendRef(appendRef(s[classTable], e.text(c.kind)), e.text(c.typ))
		}
		flags := byte(0)
		if i == 0 || e.doc(i-1).group != d.group {
			flags |= flagFirst
			e.groups++
			groupLength = 0
			s[groupTable] = appendU32(appendRef(s[groupTable], e.text(d.group)), 0, uint32(i))
		}
		if d.kind == Turn {
			flags |= flagTurn
			e.turns++
		}
		if d.asks {
			flags |= flagAsks
		}
		groupLength += uint32(d.length)
		e.length += uint64(d.length)
		binary.LittleEndian.PutUint32(s[groupTable][len(s[groupTable])-8:], groupLength)
		s[docFlags] = append(s[docFlags], flags)
		s[docLengths] = append(s[docLengths], lengthCode(d.length))
		s[docClasses] = appendU32(s[docClasses], n)
		s[docGroups] = appendU32(s[docGroups], uint32(e.groups-1))
		s[docTimes] = binary.LittleEndian.AppendUint64(s[docTimes], uint64(d.when))
	}
	e.classes = len(classes)
}

// names writes the terms in their order.
func (e *encoder) names() {
	names := e.b.names
	e.sorted = make([]uint32, len(names))
	for i := range e.sorted {
		e.sorted[i] = uint32(i)
	}
	slices.SortFunc(e.sorted, func(x, y uint32) int { return cmp.Compare(names[x], names[y]) })
	e.place = make([]uint32, len(names))
	for i, t := range e.sorted {
		e.place[t] = uint32(i)
	}
}

// identities writes the IDs, what documents link to, and the order of the IDs.
func (e *encoder) identities() {
	s := &e.sections
	ids := make([]uint32, len(e.order))
	for i := range ids {
		ids[i] = uint32(i)
		d := e.doc(i)
		s[docIDs] = appendRef(s[docIDs], e.text(d.id))
		s[docIDs] = appendU32(s[docIDs], uint32(len(s[docLinks])/8), uint32(len(d.links)), uint32(d.seq))
		for _, l := range d.links {
			s[docLinks] = appendRef(s[docLinks], e.text(l))
		}
	}
	slices.SortStableFunc(ids, func(x, y uint32) int { return cmp.Compare(e.doc(int(x)).id, e.doc(int(y)).id) })
	s[docByID] = appendU32(nil, ids...)
}

// streams writes of each document its terms as they follow each other.
func (e *encoder) streams() {
	var starts, streams []byte
	for i := range e.order {
		d := e.doc(i)
		starts = binary.LittleEndian.AppendUint64(starts, uint64(len(streams)))
		n := 0
		for _, f := range d.fields {
			streams = binary.AppendUvarint(streams, uint64(f))
			n += f
		}
		for _, t := range e.b.tokens[d.first : d.first+n] {
			streams = binary.AppendUvarint(streams, uint64(e.place[t.term()]))
		}
	}
	e.sections[docStarts], e.sections[docStreams] = starts, streams
}

// postings writes the table of terms and, for each, the documents that hold it.
func (e *encoder) postings() {
	counts := make([]uint32, len(e.sorted)+1)
	total := 0
	weights := make([]uint8, len(e.sorted))
	e.eachWeight(weights, func(_ int, term uint32, _ uint8) { counts[term+1]++; total++ })
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	next := slices.Clone(counts)
	docs, weight := make([]uint32, total), make([]uint8, total)
	e.eachWeight(weights, func(doc int, term uint32, w uint8) {
		p := &next[term]
		docs[*p], weight[*p] = uint32(doc), w
		*p++
	})
	var table, names, lists []byte
	entry := func(count uint32) {
		table = appendU32(table, uint32(len(names)), count)
		table = binary.LittleEndian.AppendUint64(table, uint64(len(lists)))
	}
	for i, t := range e.sorted {
		entry(counts[i+1] - counts[i])
		names = append(names, e.b.names[t]...)
		before := uint32(0)
		for p := counts[i]; p < counts[i+1]; p++ {
			lists = appendPosting(lists, docs[p]-before, weight[p])
			before = docs[p]
		}
	}
	entry(0) // tells where the last term ends
	e.sections[termTable], e.sections[termNames], e.sections[termLists] = table, names, lists
}

// appendPosting writes one document of a list: how far it is from the one before
// it, and the term's weight there, which most often is that of one word of prose
// and then takes no byte.
func appendPosting(list []byte, step uint32, weight uint8) []byte {
	if weight == inProse {
		return binary.AppendUvarint(list, uint64(step)<<1|1)
	}
	return append(binary.AppendUvarint(list, uint64(step)<<1), weight)
}

// eachWeight calls f for each term of each document with its weight there, the
// documents in order. All of weights is 0 before and after.
func (e *encoder) eachWeight(weights []uint8, f func(doc int, term uint32, weight uint8)) {
	var seen []uint32
	for i := range e.order {
		d := e.doc(i)
		seen = seen[:0]
		for _, t := range e.b.tokens[d.first : d.first+d.fields[0]+d.fields[1]+d.fields[2]] {
			term := e.place[t.term()]
			w := weights[term]
			if w == 0 {
				seen = append(seen, term)
			}
			weights[term] = uint8(min(int(w)+int(t.weight()), 255))
		}
		for _, term := range seen {
			f(i, term, weights[term])
			weights[term] = 0
		}
	}
}

// index joins the sections under a head.
func (e *encoder) index() *Index {
	e.sections[pool] = e.pool
	size := headSize
	for _, s := range e.sections {
		size += len(s)
	}
	out := make([]byte, headSize, size)
	copy(out, magic)
	le := binary.LittleEndian
	le.PutUint32(out[atVersion:], version)
	le.PutUint32(out[atDocs:], uint32(len(e.order)))
	le.PutUint32(out[atTerms:], uint32(len(e.sorted)))
	le.PutUint32(out[atClasses:], uint32(e.classes))
	le.PutUint32(out[atGroups:], uint32(e.groups))
	le.PutUint32(out[atTurns:], uint32(e.turns))
	le.PutUint64(out[atLength:], e.length)
	x := &Index{
		docs: len(e.order), terms: len(e.sorted), classes: e.classes, groups: e.groups, turns: e.turns, length: e.length,
	}
	for i, s := range e.sections {
		start := len(out)
		out = append(out, s...)
		x.sections[i] = out[start:len(out):len(out)]
		le.PutUint64(out[atSections+8*i:], uint64(len(out)))
	}
	le.PutUint64(out[atSum:], checksum(out[atSum+8:]))
	x.bytes = out
	return x
}
