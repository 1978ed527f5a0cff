// Command evalclaims measures package claim: on generated pairs of statements
// what of the conflicts and duplicates it finds, and what it finds where there is
// none; on SICK what it says of pairs of image captions, which it was not made
// for. The table has n and 95 % Wilson intervals, the last line is one JSON object
// with the same figures.
//
//	DATA=../shared/data SEED=1 N=2000 go run ./internal/tools/evalclaims
//
// N is the number of pairs of a language and half. Slots and wordings are parted
// in a half that rules were written on and one that is held out. With HALF=build
// the wrong answers of the first are printed; of the held half only totals are,
// and of a third set, HALF=third, which was written before the second round.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"

	"dormouse/internal/tools/evalkit"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "evalclaims:", err)
		os.Exit(1)
	}
}

func run() error {
	seed, err := evalkit.Number("SEED", 1)
	if err != nil {
		return err
	}
	n, err := evalkit.Number("N", 2000)
	if err != nil {
		return err
	}
	name := os.Getenv("HALF")
	if name == "" {
		name = "held"
	}
	var results []result
	for i, lang := range []string{"en", "uk"} {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		g := newGenerator(r, lang, name != "build")
		if name == "third" {
			g = newThird(r, lang)
		}
		results = append(results, measure(g, int(n), name == "build")...)
	}
	data := os.Getenv("DATA")
	if data == "" {
		data = "../shared/data"
	}
	sick, err := sick(data)
	if err != nil {
		return err
	}
	results = append(results, sick...)
	for _, r := range results {
		fmt.Println(r)
	}
	return json.NewEncoder(os.Stdout).Encode(struct {
		Seed uint64   `json:"seed"`
		N    uint64   `json:"n"`
		Half string   `json:"half"`
		Sets []result `json:"sets"`
	}{seed, n, name, results})
}
