package scan_test

import (
	"maps"
	"slices"
	"testing"

	"dormouse/scan"
)

func TestPoisonIsKeptOut(t *testing.T) {
	t.Parallel()
	s := scan.New()
	classes := poison()
	n := 0
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		for _, text := range classes[class] {
			n++
			if top(s.Scan(text, scan.Options{})) < scan.Quarantine {
				t.Errorf("%s: nothing found in %q", class, text)
			}
			if len(s.Actions(text)) == 0 && class != "markup" {
				t.Errorf("%s: no action in %q", class, text)
			}
		}
	}
	if n < 100 {
		t.Errorf("%d examples, want at least 100", n)
	}
}

func TestBenignNotesPass(t *testing.T) {
	t.Parallel()
	s := scan.New()
	texts := benign()
	for _, text := range texts {
		for _, f := range s.Scan(text, scan.Options{}) {
			t.Errorf("%s (%s) at %d:%d in %q: %s", f.Rule, f.Level, f.Line, f.Column, text, f.Shown)
		}
	}
	if len(texts) < 150 {
		t.Errorf("%d examples, want at least 150", len(texts))
	}
}

func top(found []scan.Finding) scan.Level {
	var level scan.Level
	for _, f := range found {
		level = max(level, f.Level)
	}
	return level
}
