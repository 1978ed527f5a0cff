package main

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"dormouse/note"
)

const (
	shingle = 5 // runes
	hashes  = 128
	bands   = 32
	enough  = 0.8
)

// minHash keeps one of each group of notes whose texts have an estimated Jaccard
// similarity of 0.8 or more: shingles of five characters, 128 hashes, candidates
// from 32 bands of four.
func (w *world) minHash() *output {
	r := rand.New(rand.NewPCG(1, 2))
	var mul, add [hashes]uint64
	for i := range hashes {
		mul[i], add[i] = r.Uint64()|1, r.Uint64()
	}
	marks := make([][hashes]uint64, len(w.notes))
	buckets := map[[5]uint64][]int{}
	gone := make([]bool, len(w.notes))
	var keep []source
	for i, n := range w.notes {
		marks[i] = markOf(string(note.Parse(n.bytes).Body()), &mul, &add)
		for b := range bands {
			k := [5]uint64{uint64(b), marks[i][4*b], marks[i][4*b+1], marks[i][4*b+2], marks[i][4*b+3]}
			for _, j := range buckets[k] {
				gone[i] = gone[i] || !gone[j] && alike(&marks[i], &marks[j]) >= enough
			}
			buckets[k] = append(buckets[k], i)
		}
		if !gone[i] {
			keep = append(keep, n)
		}
	}
	return w.withNotes(keep)
}

// markOf is the MinHash signature of a text.
func markOf(text string, mul, add *[hashes]uint64) [hashes]uint64 {
	var m [hashes]uint64
	for i := range m {
		m[i] = ^uint64(0)
	}
	runes := []rune(strings.Join(strings.Fields(strings.ToLower(text)), " "))
	for i := 0; i+shingle <= len(runes); i++ {
		h := fnv.New64a()
		h.Write([]byte(string(runes[i : i+shingle])))
		x := h.Sum64()
		for k := range m {
			// The upper bits of a product are mixed best.
			if v := (x*mul[k] + add[k]) >> 8; v < m[k] {
				m[k] = v
			}
		}
	}
	return m
}

// alike estimates the Jaccard similarity of two texts.
func alike(a, b *[hashes]uint64) float64 {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return float64(n) / hashes
}
