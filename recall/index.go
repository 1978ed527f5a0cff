package recall

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
)

// An index is one piece of bytes: a head, then sections one after the other, of
// which the head tells the ends. Numbers are little-endian. Nothing is taken
// apart when it is loaded, so a mapped file costs what a question reads of it.
const (
	magic   = "DMRECALL"
	version = 1

	atVersion  = len(magic)
	atSum      = atVersion + 4 // the checksum of all behind it
	atDocs     = atSum + 8
	atTerms    = atDocs + 4
	atClasses  = atTerms + 4
	atGroups   = atClasses + 4
	atTurns    = atGroups + 4
	atLength   = atTurns + 8
	atSections = atLength + 8
	headSize   = atSections + 8*sectionCount
)

// The sections. The columns of documents have one entry a document, in order.
const (
	docFlags   = iota // 1 byte
	docLengths        // 1 byte: the code of the length
	docClasses        // 4 bytes: which kind and type
	docGroups         // 4 bytes
	docTimes          // 8 bytes: seconds since 1970, 0: not known
	docStarts         // 8 bytes: where its stream starts
	docIDs            // 20 bytes: the ID, where its links start, how many, its place in the group
	docByID           // 4 bytes: documents by their ID
	docLinks          // 8 bytes a link: the ID that it leads to
	docStreams        // of each document its terms as they follow each other
	classTable        // 16 bytes a class: kind, type
	groupTable        // 16 bytes a group: name, length of all, first document
	termTable         // 16 bytes a term, by name, and one more behind the last
	termNames
	termLists // the documents of each term
	pool      // all other strings
	sectionCount
)

const (
	flagFirst = 1 << iota // the first document of its group
	flagTurn
	flagAsks // its last sentence is a question
)

// An Index is a set of documents that can be searched. It is never changed and
// may be used by several goroutines; its bytes must stay as they are.
type Index struct {
	bytes    []byte
	sections [sectionCount][]byte
	docs     int
	terms    int
	classes  int
	groups   int
	turns    int
	length   uint64 // of all documents, in halves of a word
}

// ErrFormat is the error for bytes that are no index of this version.
var ErrFormat = errors.New("not an index of this version")

// Load reads an index from what Bytes returned, which it keeps and does not
// copy. It goes over the bytes once, for the checksum. The error wraps ErrFormat.
func Load(b []byte) (*Index, error) {
	le := binary.LittleEndian
	switch {
	case len(b) < headSize:
		return nil, fmt.Errorf("%w: %d bytes are fewer than its head has", ErrFormat, len(b))
	case string(b[:atVersion]) != magic:
		return nil, fmt.Errorf("%w: another kind of file", ErrFormat)
	case le.Uint32(b[atVersion:]) != version:
		return nil, fmt.Errorf("%w: version %d, not %d", ErrFormat, le.Uint32(b[atVersion:]), version)
	case le.Uint64(b[atSum:]) != checksum(b[atSum+8:]):
		return nil, fmt.Errorf("%w: damaged, its checksum differs", ErrFormat)
	}
	return open(b)
}

// open takes the head apart. Somebody may have planted a file with the right
// checksum: what the sections hold is compared with where they end at each use.
func open(b []byte) (*Index, error) {
	le := binary.LittleEndian
	number := func(at int) int { return int(le.Uint32(b[at:])) }
	x := &Index{
		bytes: b, docs: number(atDocs), terms: number(atTerms), classes: number(atClasses), groups: number(atGroups),
		turns: number(atTurns), length: le.Uint64(b[atLength:]),
	}
	start := uint64(headSize)
	for i := range x.sections {
		end := le.Uint64(b[atSections+8*i:])
		if end < start || end > uint64(len(b)) {
			return nil, fmt.Errorf("%w: a section lies outside of it", ErrFormat)
		}
		x.sections[i] = b[start:end:end]
		start = end
	}
	for _, fixed := range [...]struct{ section, size, count int }{
		{docFlags, 1, x.docs},
		{docLengths, 1, x.docs},
		{docClasses, 4, x.docs},
		{docGroups, 4, x.docs},
		{docTimes, 8, x.docs},
		{docStarts, 8, x.docs},
		{docIDs, idSize, x.docs},
		{docByID, 4, x.docs},
		{classTable, 16, x.classes},
		{groupTable, 16, x.groups},
		{termTable, termSize, x.terms + 1},
	} {
		if len(x.sections[fixed.section]) != fixed.size*fixed.count {
			return nil, fmt.Errorf("%w: a section is not as long as its head says", ErrFormat)
		}
	}
	if start != uint64(len(b)) {
		return nil, fmt.Errorf("%w: bytes behind its end", ErrFormat)
	}
	return x, nil
}

const (
	idSize   = 20
	termSize = 16
)

// Bytes returns the index as Load reads it. They belong to the index.
func (x *Index) Bytes() []byte { return x.bytes }

// Len returns the number of documents.
func (x *Index) Len() int { return x.docs }

// ID returns the ID of a document, "" where there is none.
func (x *Index) ID(doc int) string {
	if doc < 0 || doc >= x.docs {
		return ""
	}
	return string(x.id(doc))
}

// Find returns the document that has an ID, of several one of them.
func (x *Index) Find(id string) (doc int, ok bool) {
	low, high := 0, x.docs
	for low < high {
		mid := int(uint(low+high) >> 1)
		if string(x.id(x.byID(mid))) < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == x.docs {
		return 0, false
	}
	doc = x.byID(low)
	return doc, string(x.id(doc)) == id
}

// Has reports whether the index holds a document with this ID.
func (x *Index) Has(id string) bool {
	_, ok := x.Find(id)
	return ok
}

// byID returns a document by its place in the order of the IDs.
func (x *Index) byID(i int) int {
	return min(int(binary.LittleEndian.Uint32(x.sections[docByID][4*i:])), x.docs-1)
}

func (x *Index) id(doc int) []byte { return x.pooled(x.sections[docIDs][doc*idSize:]) }

// pooled returns the string that the first bytes of a record tell.
func (x *Index) pooled(record []byte) []byte {
	start := uint64(binary.LittleEndian.Uint32(record))
	end := start + uint64(binary.LittleEndian.Uint32(record[4:]))
	if p := x.sections[pool]; end <= uint64(len(p)) {
		return p[start:end]
	}
	return nil
}

func (x *Index) class(doc int) int {
	return int(binary.LittleEndian.Uint32(x.sections[docClasses][4*doc:]))
}

// classOf returns the kind and type that are a class.
func (x *Index) classOf(n int) (Kind, string) {
	r := x.sections[classTable][16*n:]
	return Kind(x.pooled(r)), string(x.pooled(r[8:]))
}

func (x *Index) group(doc int) int {
	return int(binary.LittleEndian.Uint32(x.sections[docGroups][4*doc:]))
}

// groupOf returns the name of a group, its length in halves of a word, and
// whether it is a session.
func (x *Index) groupOf(n int) (name []byte, length int, session bool) {
	r := x.sections[groupTable][16*n:]
	first := int(binary.LittleEndian.Uint32(r[12:]))
	return x.pooled(r), int(binary.LittleEndian.Uint32(r[8:])), first < x.docs && x.isTurn(first)
}

func (x *Index) isTurn(doc int) bool { return x.sections[docFlags][doc]&flagTurn != 0 }

// when returns the time of a document, the zero time where it is not known.
func (x *Index) when(doc int) time.Time {
	if s := int64(binary.LittleEndian.Uint64(x.sections[docTimes][8*doc:])); s != 0 {
		return time.Unix(s, 0).UTC()
	}
	return time.Time{}
}

// Links returns the IDs that a document links to, as they were given.
func (x *Index) Links(doc int) []string {
	if doc < 0 || doc >= x.docs {
		return nil
	}
	r := x.sections[docIDs][doc*idSize:]
	start, n := uint64(binary.LittleEndian.Uint32(r[8:])), uint64(binary.LittleEndian.Uint32(r[12:]))
	all := x.sections[docLinks]
	if 8*(start+n) > uint64(len(all)) {
		return nil
	}
	var links []string
	for i := start; i < start+n; i++ {
		links = append(links, string(x.pooled(all[8*i:])))
	}
	return links
}

// A stream is the terms of a document in their order.
type stream struct {
	fields [3]int // how many are in the title, the summary, the body
	terms  []uint32
}

// maxStream is how many terms of a document are looked at one by one.
const maxStream = 4096

// stream reads the terms of a document into s, which it uses again.
func (x *Index) stream(doc int, s *stream) {
	s.terms, s.fields = s.terms[:0], [3]int{}
	all := x.sections[docStreams]
	at := binary.LittleEndian.Uint64(x.sections[docStarts][8*doc:])
	if at > uint64(len(all)) {
		return
	}
	rest := all[at:]
	total := 0
	for i := range s.fields {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)) {
			return
		}
		s.fields[i] = int(n)
		total += int(n)
		rest = rest[size:]
	}
	for range min(total, maxStream) {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n >= uint64(x.terms) {
			return
		}
		s.terms = append(s.terms, uint32(n))
		rest = rest[size:]
	}
}

// term returns the name of a term.
func (x *Index) term(n int) []byte {
	t, names := x.sections[termTable], x.sections[termNames]
	start := binary.LittleEndian.Uint32(t[n*termSize:])
	end := binary.LittleEndian.Uint32(t[(n+1)*termSize:])
	if start > end || uint64(end) > uint64(len(names)) {
		return nil
	}
	return names[start:end]
}

// lookup returns the number of the term with a name, -1 where it is in no
// document.
func (x *Index) lookup(name string) int {
	if n := x.after(name); n < x.terms && string(x.term(n)) == name {
		return n
	}
	return -1
}

// after returns the number of the first term that does not come before a name.
func (x *Index) after(name string) int {
	low, high := 0, x.terms
	for low < high {
		mid := int(uint(low+high) >> 1)
		if string(x.term(mid)) < name {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// count returns how many documents hold a term.
func (x *Index) count(term int) int {
	return int(binary.LittleEndian.Uint32(x.sections[termTable][term*termSize+4:]))
}

// walk calls f for each document of a term with the term's weight there. Bytes
// that make no sense end it.
func (x *Index) walk(term int, f func(doc int, weight uint8)) {
	t, lists := x.sections[termTable], x.sections[termLists]
	start := binary.LittleEndian.Uint64(t[term*termSize+8:])
	end := binary.LittleEndian.Uint64(t[(term+1)*termSize+8:])
	if start > end || end > uint64(len(lists)) {
		return
	}
	list := lists[start:end]
	doc := uint64(0)
	for i := 0; i < len(list); {
		v := uint64(list[i])
		i++
		if v >= 0x80 {
			w, size := binary.Uvarint(list[i-1:])
			if size <= 0 {
				return
			}
			v, i = w, i-1+size
		}
		weight := uint8(inProse)
		if v&1 == 0 {
			if i == len(list) {
				return
			}
			weight = list[i]
			i++
		}
		doc += v >> 1
		if doc >= uint64(x.docs) {
			return
		}
		f(int(doc), weight)
	}
}

// Lengths are kept as the power of lengthStep that they are: exact enough for a
// norm, and a table of 256 norms serves all documents.
const lengthStep = 1.0905077326652577 // the eighth root of 2

// lengthCode returns the code of a length: lengthStep to the power of it is about
// one more than the length.
func lengthCode(length int) uint8 {
	return uint8(min(math.Round(8*math.Log2(float64(length)+1)), 255))
}
