package extract

import (
	"strings"
	"testing"

	"dormouse/transcript"
)

func TestTheRulesOfAllLanguagesCanBeRead(t *testing.T) {
	ls, err := loadLanguages()
	if err != nil {
		t.Fatal(err)
	}
	if len(ls) < 2 {
		t.Fatalf("%d languages", len(ls))
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := loadLanguages(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTurn(b *testing.B) {
	for name, text := range map[string]string{
		"task": "please fix the failing test in server.go and run the linter again",
		"rule": "no, we use pnpm in this repo, never npm, a teammate lost a day because of it",
		"long": strings.Repeat("the quick brown fox jumps over the lazy dog and files a report about it\n", 800),
	} {
		b.Run(name, func(b *testing.B) {
			r := New()
			t := &transcript.Turn{Role: transcript.User, Time: monday, Blocks: []transcript.Block{{Kind: transcript.Text, Origin: transcript.Person, Text: text}}}
			r.Turn(t)
			b.ReportAllocs()
			for b.Loop() {
				r.Turn(t)
				r.now = sessionState{}
			}
		})
	}
}
