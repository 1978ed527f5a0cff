package main

import (
	"math/rand/v2"

	"dormouse/internal/tools/evaltrust/planted"
)

// perKind is how many texts are generated of each way of hiding.
const perKind = 1000

// generated makes a set for each way of hiding, and one of honest texts as
// large as half of them together.
func generated(seed uint64) []set {
	r := rand.New(rand.NewPCG(seed, 0))
	var sets []set
	for _, kind := range planted.Kinds() {
		s := set{name: "generated: " + kind.Name, poison: true}
		for range perKind {
			s.texts = append(s.texts, kind.New(r).Text)
		}
		sets = append(sets, s)
	}
	honest := set{name: "generated: honest"}
	for range 10 * perKind {
		honest.texts = append(honest.texts, planted.Honest(r))
	}
	return append(sets, honest)
}
