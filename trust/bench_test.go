package trust

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/note"
	"dormouse/store"
)

// BenchmarkLook judges a store of 1,000 notes.
func BenchmarkLook(b *testing.B) {
	files := map[string]string{}
	for i := range 1000 {
		text, err := note.New(note.Fields{Name: fmt.Sprintf("n%d", i), Description: fmt.Sprintf("part %d of the build", i)}, strings.Repeat("The build of this part takes its options from one file. ", 8))
		if err != nil {
			b.Fatal(err)
		}
		files[fmt.Sprintf("n%d.md", i)] = string(text)
	}
	p := at(b, Policy{}, files)
	p.look()
	for b.Loop() {
		p.look()
	}
}

// BenchmarkJudge judges one note of 4 KB.
func BenchmarkJudge(b *testing.B) {
	g := NewGuard(Policy{})
	l := Read(nil)
	text := []byte(strings.Repeat("The staging database listens on port 5433 and is filled anew each night. ", 56))
	g.Judge(l, text)
	for b.Loop() {
		g.Judge(l, text)
	}
}

// BenchmarkRead makes the ledger of 1,000 changes.
func BenchmarkRead(b *testing.B) {
	var history []store.Entry
	for i := range 1000 {
		history = append([]store.Entry{{ID: i + 1, Actor: store.Human, Op: "remember", Changes: []store.Change{{Path: fmt.Sprintf("n%d.md", i), After: fmt.Sprint(i)}}}}, history...)
	}
	for b.Loop() {
		Read(history)
	}
}
