package dream_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dormouse/dream"
	"dormouse/store"
	"dormouse/trust"
)

// scripted answers every cluster with the same operations.
type scripted struct{ ops []dream.Op }

func (s scripted) Judge(context.Context, dream.Cluster) ([]dream.Op, error) { return s.ops, nil }

// FuzzModel: whatever a model answers, no statement is lost, nothing is made up,
// and nothing is trusted more than what it was made of.
func FuzzModel(f *testing.F) {
	for _, seed := range []string{
		`[{"op":"same","claims":[1,2],"keep":1}]`,
		`[{"op":"merge","claims":[1,2],"text":"The mail service retries three times."}]`,
		`[{"op":"merge","claims":[1,2],"text":"../../etc/passwd"}]`,
		`[{"op":"conflict","claims":[2,1,3]}]`,
		`[{"op":"same","claims":[1,1,-4,99],"keep":7},{"op":"rm -rf","claims":[1,2]}]`,
		`[{"op":"same","claims":[2,1],"keep":1},{"op":"same","claims":[1,2],"keep":2},{"op":"merge","claims":[1,2],"text":""}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, answer []byte) {
		var ops []dream.Op
		if json.Unmarshal(answer, &ops) != nil {
			return
		}
		in := dream.Input{Judge: scripted{ops}, MaxArchived: 1, Notes: []dream.Note{
			n(t, "mail", "project", "2026-01-01", "s1", "The mail service retries a failed delivery three times."),
			n(t, "mail-2", "project", "2026-02-01", "s2", "A failed delivery of the mail service is tried again three times."),
			n(t, "mail-3", "feedback", "2026-02-01", "s2", "Failed mail delivery should never be tried more than five times.\n\n**Why:** the provider blocks us."),
			n(t, "mail-4", "reference", "2026-03-01", "s3", "The mail service of delivery failed in `retry.go` with code 17."),
		}}
		in.Notes[0].Origin = trust.UserTurn
		r, err := dream.Dream(context.Background(), in)
		if err != nil {
			t.Fatal(err) // the check of the result failed
		}
		var all strings.Builder
		for _, x := range r.Files {
			all.Write(x.Bytes)
		}
		for _, x := range r.Archive {
			all.Write(x.Bytes)
		}
		for _, x := range in.Notes {
			body := string(x.Bytes)
			body = body[strings.LastIndex(body, "---\n")+4:]
			for line := range strings.Lines(body) {
				if line = strings.TrimSpace(line); line != "" && !strings.Contains(all.String(), line) {
					t.Errorf("%q is lost", line)
				}
			}
		}
		for _, x := range r.Files {
			if x.List {
				continue
			}
			if strings.ContainsAny(x.Rel, "/\\") || store.ValidName(x.Rel) != nil {
				t.Errorf("a file %q", x.Rel)
			}
			for _, word := range strings.Fields(strings.ToLower(string(x.Bytes))) {
				if strings.Contains(word, "passwd") {
					t.Errorf("%q was made up", word)
				}
			}
		}
	})
}

// FuzzNotes: whatever notes hold, a dream ends, passes its own checks, says where
// every statement is, and a second one changes nothing.
func FuzzNotes(f *testing.F) {
	for _, seed := range [][3]string{
		{"---\nname: a\ndescription: b\n---\n\n- Use `` pnpm.\n- Never use npm.\n", "The port is 5432.\n", "- [a](a.md) — b\n"},
		{"# H\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| x | 1 |\n", "\ufeffThe port\r\nis 5433.\r\n", "text\n"},
		{"We moved yesterday. See [[b]] and [c](c.md).", "**Why:** it broke.\n", ""},
		{"- one thing here\n  - nested thing there\n- one thing here\n", "- one thing here\n", "\x00\xff"},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]), []byte(seed[2]))
	}
	f.Fuzz(func(t *testing.T, a, b, index []byte) {
		if !utf8.Valid(index) || bytes.IndexByte(index, 0) >= 0 {
			return // it is refused
		}
		at := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
		in := dream.Input{Lists: map[string][]byte{store.IndexName: index}, Notes: []dream.Note{
			{Rel: "a.md", Bytes: a, Origin: trust.Outside, At: at},
			{Rel: "b.md", Bytes: b, Origin: trust.UserTurn, At: at.AddDate(0, 0, 1)},
			{Rel: "c.md", Bytes: []byte("The port is 5432. We use `pnpm`.\n"), Origin: trust.Agent, At: at.AddDate(0, 0, -9)},
		}}
		r, err := dream.Dream(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		next := again(in, r)
		second, err := dream.Dream(context.Background(), next)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range second.Diff(&next) {
			t.Errorf("%s changes again:\n%q\n%q", d.Rel, d.Before, d.After)
		}
	})
}
