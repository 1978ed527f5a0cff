package extract_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/extract"
	"dormouse/transcript"
)

// want is what a recorded session has to give.
type want struct {
	Notes []struct {
		Type string
		Has  []string
	}
	Never []string
}

func TestRecordedSessionsGiveWhatTheyShouldAndNothingElse(t *testing.T) {
	files, err := filepath.Glob("testdata/*.want.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	token := "ghp" + "_" + strings.Repeat("aB3dE6", 6)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			w := readWant(t, f, token)
			log, err := os.ReadFile(strings.TrimSuffix(f, ".want.json") + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			found := readLog(t, bytes.ReplaceAll(log, []byte("@TOKEN@"), []byte(token)))
			checkNotes(t, w, found)
			all, err := json.Marshal(found)
			if err != nil {
				t.Fatal(err)
			}
			for _, never := range w.Never {
				for _, c := range kept(found) {
					if strings.Contains(c.Text, never) {
						t.Errorf("%q stands in %q", never, c.Text)
					}
				}
			}
			for _, secret := range []string{token, "hunter2secretvalue99"} {
				if bytes.Contains(all, []byte(secret)) {
					t.Errorf("a secret stands in what was found: %s", all)
				}
			}
		})
	}
}

func readWant(t *testing.T, file, token string) want {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var w want
	if err := json.Unmarshal(bytes.ReplaceAll(b, []byte("@TOKEN@"), []byte(token)), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

func readLog(t *testing.T, log []byte) *extract.Found {
	t.Helper()
	r := extract.New()
	if _, err := transcript.Read(bytes.NewReader(log), nil, func(turn *transcript.Turn) error {
		r.Turn(turn)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	found := r.End()
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func kept(f *extract.Found) []extract.Candidate {
	var out []extract.Candidate
	for _, c := range f.Candidates {
		if c.Confidence >= extract.Threshold {
			out = append(out, c)
		}
	}
	return out
}

func checkNotes(t *testing.T, w want, found *extract.Found) {
	t.Helper()
	notes := kept(found)
	if len(notes) != len(w.Notes) {
		t.Errorf("%d notes, want %d: %+v; dropped %+v", len(notes), len(w.Notes), notes, found.Dropped)
	}
	for _, n := range w.Notes {
		count := 0
		for _, c := range notes {
			if strings.Contains("|"+n.Type+"|", "|"+c.Type+"|") && holds(c, n.Has) {
				count++
			}
		}
		if count != 1 {
			t.Errorf("%d notes of type %s with %q in %+v", count, n.Type, n.Has, notes)
		}
	}
}

func holds(c extract.Candidate, has []string) bool {
	for _, h := range has {
		if h == "@thursday" {
			d := c.Time.AddDate(0, 0, 1)
			for d.Weekday() != time.Thursday {
				d = d.AddDate(0, 0, 1)
			}
			h = d.Format(time.DateOnly)
		}
		if !strings.Contains(strings.ToLower(c.Text), strings.ToLower(h)) {
			return false
		}
	}
	return true
}
