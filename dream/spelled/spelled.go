// Package spelled knows the common English words, so that a slip of the finger can
// be told from another word: contry is one, county is none.
//
// The words are those of 5 letters and more of SCOWL's list "american-english-small"
// (see NOTICE), kept as a Bloom filter that cmd internal/tools/wordfilter makes.
package spelled

import _ "embed"

//go:embed words.bloom
var filter []byte

// Hashes is how many bits of the filter a word sets.
const Hashes = 5

// Word reports whether w, in lower case, is a common English word. In one of 2,000 that
// are none it is wrong and says yes.
func Word(w string) bool { return Has(filter, w) }

// Has reports whether all bits of a word are set in a filter.
func Has(filter []byte, w string) bool {
	ok := true
	each(filter, w, func(at, bit uint64) { ok = ok && filter[at]&(1<<bit) != 0 })
	return ok
}

// Set sets the bits of a word in a filter.
func Set(filter []byte, w string) {
	each(filter, w, func(at, bit uint64) { filter[at] |= 1 << bit })
}

func each(filter []byte, w string, do func(at, bit uint64)) {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for i := range len(w) {
		h = (h ^ uint64(w[i])) * prime
	}
	a, b := h>>32, h&(1<<32-1)|1
	for i := range uint64(Hashes) {
		n := (a + i*b) % (uint64(len(filter)) * 8)
		do(n/8, n%8)
	}
}
