// Command evalextract measures package extract without a model: on generated
// sessions what it finds of the facts that were planted and what it makes of the
// rest, and on MemPalace's labelled set what it says of texts that it was not made
// for. Sessions are written as logs of Claude Code and read by package transcript.
// The table has n and 95 % Wilson intervals, the last line is one JSON object with
// the same figures.
//
//	DATA=../shared/data SEED=1 N=150 go run ./internal/tools/evalextract
//
// N is the number of people, each with four sessions, of a language. Wordings and
// values are parted in a half that rules were written on and one that is held out.
// HALF=build takes the first; HALF=fresh, fresh2, fresh3 and fresh4 are further
// wordings, each written before a rule was changed for it and measured at once. What
// rules were changed for since says "seen" in the table, and its wrong answers are
// printed; of the others only totals are, and only they say what rules are worth.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"dormouse/internal/tools/evalkit"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "evalextract:", err)
		os.Exit(1)
	}
}

func run() error {
	seed, err := evalkit.Number("SEED", 1)
	if err != nil {
		return err
	}
	n, err := evalkit.Number("N", 150)
	if err != nil {
		return err
	}
	h := held
	if s := os.Getenv("HALF"); s != "" {
		h = half(s)
	}
	if !slices.Contains(halves, h) {
		return fmt.Errorf("HALF=%q is none of %v", h, halves)
	}
	var results []*result
	for i, lang := range []string{"en", "uk"} {
		r, err := measure(rand.New(rand.NewPCG(seed, uint64(i))), lang, h, int(n))
		if err != nil {
			return err
		}
		results = append(results, r)
		r.print(os.Stdout)
	}
	fmt.Printf("wordings: %s, %s\n", h, map[bool]string{true: "seen by the rules", false: "not seen by the rules"}[h.seen()])
	all := together(results)
	all.print(os.Stdout)
	data := os.Getenv("DATA")
	if data == "" {
		data = "../shared/data"
	}
	set, err := memPalace(data)
	if err != nil {
		return err
	}
	fmt.Println(set)
	return json.NewEncoder(os.Stdout).Encode(struct {
		Seed      uint64    `json:"seed"`
		N         uint64    `json:"n"`
		Half      half      `json:"half"`
		Results   []*result `json:"results"`
		MemPalace *palace   `json:"mempalace"`
	}{seed, n, h, append(results, all), set})
}
