package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// journaled is a store with a journal of several changes.
func journaled(t *testing.T) (Config, *Store) {
	t.Helper()
	c := layIn(t, t.TempDir(), map[string]string{"old.md": "old\n"})
	s := open(t, c)
	for _, n := range []string{"a", "b", "c"} {
		add(t, s, n, "about "+n)
	}
	must[*Done](t)(s.Forget(human, "b.md"))
	if _, err := s.Verify(); err != nil {
		t.Fatal(err)
	}
	return c, s
}

func TestVerifyFindsWhatWasDoneToTheJournal(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file string
		do         func([]byte) []byte // nil: the file goes
	}{
		{"the last change is another one", "journal.jsonl", func(b []byte) []byte {
			at := bytes.LastIndex(b, []byte(`"human"`))
			return append(append(bytes.Clone(b[:at]), `"agent"`...), b[at+len(`"human"`):]...)
		}},
		{"the last change is cut off", "journal.jsonl", func(b []byte) []byte {
			return b[:bytes.LastIndex(b, []byte(`{"id":`))]
		}},
		{"the end is torn", "journal.jsonl", func(b []byte) []byte { return b[:len(b)-30] }},
		{"nothing is left", "journal.jsonl", func([]byte) []byte { return nil }},
		{"the log is gone", "journal.jsonl", nil},
		{"the contents are gone", "contents", nil},
		{"the contents are empty", "contents", func([]byte) []byte { return nil }},
		{"a content is another one", "contents", func(b []byte) []byte { return bytes.Replace(b, []byte("about c."), []byte("about d."), 1) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, s := journaled(t)
			path := filepath.Join(s.j.Dir(), tc.file)
			b, err := os.ReadFile(path)
			if err == nil && tc.do == nil {
				err = os.Remove(path)
			} else if err == nil {
				err = os.WriteFile(path, tc.do(b), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Verify(); !errors.Is(err, ErrBroken) {
				t.Errorf("verify: %v", err)
			}
			if tc.file == "contents" {
				return
			}
			// What is written afterwards does not hide it.
			add(t, s, "after", "about after")
			found := false
			for _, e := range must2(s.History("")) {
				found = found || e.Op == opDamaged
			}
			if _, err := s.History(""); !found && !errors.Is(err, ErrBroken) {
				t.Errorf("history after a write: %v, and no entry tells of it", err)
			}
		})
	}
}

func must2(entries []Entry, _ error) []Entry { return entries }

// TestVerifyFindsEveryFlippedBit flips bits of the log and of the contents at
// random.
func TestVerifyFindsEveryFlippedBit(t *testing.T) {
	t.Parallel()
	_, s := journaled(t)
	r := rand.New(rand.NewPCG(3, 5))
	for _, file := range []string{"journal.jsonl", "contents"} {
		path := filepath.Join(s.j.Dir(), file)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		missed := 0
		const n = 1000
		for range n {
			b := bytes.Clone(whole)
			at := r.IntN(len(b))
			b[at] ^= 1 << r.IntN(8)
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Verify(); !errors.Is(err, ErrBroken) {
				missed++
				start := max(0, at-30)
				t.Logf("%s: byte %d of %q: %v", file, at-start, b[start:min(len(b), at+30)], err)
			}
		}
		if missed > 0 {
			t.Errorf("%s: %d of %d were not found", file, missed, n)
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Verify(); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

func TestDamageIsToldUntilAPersonKnows(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(dir, heads string) error{
		"a changed line": func(dir, _ string) error {
			path := filepath.Join(dir, "journal.jsonl")
			b, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, bytes.Replace(b, []byte(`"human"`), []byte(`"agent"`), 1), 0o600))
		},
		"the head is gone": func(_, heads string) error { return os.RemoveAll(heads) },
		"the log is cut": func(dir, _ string) error {
			path := filepath.Join(dir, "journal.jsonl")
			b, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, b[:bytes.LastIndex(b, []byte(`{"id":`))], 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := journaled(t)
			if err := do(s.j.Dir(), filepath.Join(c.State, "heads")); err != nil {
				t.Fatal(err)
			}
			s = open(t, c)
			add(t, s, "after", "about after")
			for range 2 {
				if _, err := open(t, c).Verify(); !errors.Is(err, ErrBroken) {
					t.Errorf("verify: %v", err)
				}
			}
			if err := s.Acknowledge(By{Actor: Agent}); err != nil {
				t.Fatal(err)
			}
			if _, err := open(t, c).Verify(); !errors.Is(err, ErrBroken) {
				t.Errorf("after an agent acknowledged it: %v", err)
			}
			if err := s.Acknowledge(human); err != nil {
				t.Fatal(err)
			}
			if _, err := open(t, c).Verify(); err != nil {
				t.Errorf("acknowledged, and still: %v", err)
			}
		})
	}
}
