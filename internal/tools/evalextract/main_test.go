package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"dormouse/transcript"
)

func TestEveryHalfOfEveryLanguageCanBeFilledAndIsReadBack(t *testing.T) {
	for _, lang := range []string{"en", "uk"} {
		for _, h := range halves {
			t.Run(lang+" "+string(h), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, 2))
				for i := range 10 {
					w, err := newWorld(r, lang, h)
					if err != nil {
						t.Fatal(err)
					}
					if err := w.build(i); err != nil {
						t.Fatal(err)
					}
					for _, s := range w.sessions {
						readBack(t, s)
					}
				}
			})
		}
	}
}

// readBack makes sure that what was planted comes back as the person's words on the
// line that is noted, and what tools say does not.
func readBack(t *testing.T, s *session) {
	t.Helper()
	person := map[int]string{}
	if _, err := transcript.Read(bytes.NewReader(s.log.buf.Bytes()), nil, func(turn *transcript.Turn) error {
		for _, b := range turn.Blocks {
			if b.Origin == transcript.Person {
				person[turn.Line] += b.Text
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, f := range s.facts {
		if f.line > 0 && person[f.line] != f.text {
			t.Errorf("line %d is %q, planted was %q", f.line, person[f.line], f.text)
		}
	}
	for _, text := range person {
		if strings.Contains(text, toolMark) || strings.Contains(text, recallMark) {
			t.Errorf("%q counts as the person's", text)
		}
	}
}

func TestTheHalvesShareNoWording(t *testing.T) {
	for _, file := range []string{"en.txt", "uk.txt", "en_not.txt", "uk_not.txt"} {
		a, err := sections(file, false)
		if err != nil {
			t.Fatal(err)
		}
		b, err := sections(file, true)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, s := range a {
			for _, l := range s.lines {
				seen[l] = true
			}
		}
		for _, s := range b {
			if len(s.lines) == 0 {
				t.Errorf("%s: no wordings of %q are held out", file, s.name)
			}
			for _, l := range s.lines {
				if seen[l] {
					t.Errorf("%s: %q is in both halves", file, l)
				}
			}
		}
	}
}
