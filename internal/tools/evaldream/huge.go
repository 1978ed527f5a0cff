package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/claim"
	"dormouse/dream"
	"dormouse/extract"
	"dormouse/scan/secrets"
	"dormouse/transcript"
	"dormouse/trust"
)

// A folderFile tells of a huge folder what its files do not.
type folderFile struct {
	Notes []noteFile     `json:"notes"`
	Fixed []claim.Source `json:"fixed"`
}

type noteFile struct {
	Rel    string       `json:"rel"`
	Origin trust.Origin `json:"origin"`
	At     time.Time    `json:"at"`
}

// makeHuge writes a folder of notes, the repository that they speak of, and sessions
// of 1 MB each.
func makeHuge(dir string, notes, sessions int) error {
	w, err := hugeWorld(1, notes)
	if err != nil {
		return err
	}
	var about folderFile
	w.notes = w.notes[:min(notes, len(w.notes))]
	for _, n := range w.notes {
		if err := put(filepath.Join(dir, "memory", n.rel), n.bytes); err != nil {
			return err
		}
		about.Notes = append(about.Notes, noteFile{n.rel, n.origin, n.at})
	}
	about.Fixed = w.fixed
	b, err := json.Marshal(about)
	if err != nil {
		return err
	}
	if err := put(filepath.Join(dir, "about.json"), b); err != nil {
		return err
	}
	if err := put(filepath.Join(dir, "memory", "MEMORY.md"), w.lists["MEMORY.md"]); err != nil {
		return err
	}
	for i := range sessions {
		if err := put(filepath.Join(dir, "sessions", fmt.Sprintf("%03d.jsonl", i)), session(w, i)); err != nil {
			return err
		}
	}
	return w.tree.write(filepath.Join(dir, "proj"))
}

func put(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o600)
}

// sessionBytes is how long a session log is.
const sessionBytes = 1 << 20

// session is a log as Claude Code 2.1.332 writes it: the person says something now
// and then, tools say most.
func session(w *world, number int) []byte {
	r := rand.New(rand.NewPCG(3, uint64(number)))
	now, id := start.AddDate(0, 9, number), fmt.Sprintf("%08x-5a51-4f0e-9a53-0c5b7a1f2d3e", number+1)
	var buf bytes.Buffer
	n, parent := 0, ""
	write := func(kind string, message any, more map[string]any) {
		n++
		now = now.Add(5 * time.Second)
		v := map[string]any{
			"parentUuid": parent, "isSidechain": false, "type": kind, "message": message, "uuid": fmt.Sprintf("%s-%d", id, n),
			"timestamp": now.Format("2006-01-02T15:04:05.000Z"), "userType": "external", "entrypoint": "cli",
			"cwd": "/home/dev/proj", "sessionId": id, "version": "2.1.332", "gitBranch": "main",
		}
		for k, x := range more {
			v[k] = x
		}
		parent = fmt.Sprintf("%s-%d", id, n)
		b, err := json.Marshal(v)
		if err != nil {
			panic(err) // maps of strings can be written
		}
		buf.Write(append(b, '\n'))
	}
	typed := map[string]any{"promptId": "p", "permissionMode": "default", "promptSource": "typed", "turnOrigin": "human", "rowSource": "local"}
	for buf.Len() < sessionBytes {
		f := w.Facts[r.IntN(len(w.Facts))]
		text := "Please look at " + pick(r, parts) + " and tell me what is slow there."
		if r.IntN(4) == 0 && f.Slot != "" {
			text = "Remember: " + f.Texts[0]
		}
		write("user", map[string]any{"role": "user", "content": text}, typed)
		for k := range 6 {
			tool := fmt.Sprintf("toolu_%d_%d", n, k)
			write("assistant", map[string]any{"id": tool, "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": []any{
				map[string]any{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": "grep -rn " + pick(r, words) + " src", "description": "search"}},
			}}, map[string]any{"madeBy": "model"})
			var out strings.Builder
			for out.Len() < 3000 {
				fmt.Fprintf(&out, "src/%s/%s.go:%d: return %s(%q)\n", pick(r, words), pick(r, parts), r.IntN(900), pick(r, words), pick(r, cities))
			}
			write("user", map[string]any{"role": "user", "content": []any{
				map[string]any{"tool_use_id": tool, "type": "tool_result", "content": out.String(), "is_error": false},
			}}, map[string]any{"toolUseResult": map[string]any{"stdout": out.String(), "stderr": "", "interrupted": false}})
		}
		write("assistant", map[string]any{"id": "m", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": []any{
			map[string]any{"type": "text", "text": "I looked; the slow part is the loop over all " + pick(r, parts) + " rows."},
		}}, map[string]any{"madeBy": "model"})
	}
	return buf.Bytes()
}

// dreamHuge does what is measured: it reads notes and sessions, draws facts out and
// dreams, and prints how long each took.
func dreamHuge(dir string) error {
	var p parted
	begun := time.Now()
	b, err := os.ReadFile(filepath.Join(dir, "about.json"))
	if err != nil {
		return err
	}
	var about folderFile
	if err := json.Unmarshal(b, &about); err != nil {
		return err
	}
	look, err := looker(filepath.Join(dir, "proj"))
	if err != nil {
		return err
	}
	w := &world{fixed: about.Fixed}
	r := &run{guard: trust.NewGuard(trust.Policy{}), finder: secrets.New(), look: look}
	for _, n := range about.Notes {
		b, err := os.ReadFile(filepath.Join(dir, "memory", n.Rel))
		if err != nil {
			return err
		}
		w.notes = append(w.notes, source{n.Rel, b, n.Origin, n.At})
	}
	index, err := os.ReadFile(filepath.Join(dir, "memory", "MEMORY.md"))
	if err != nil {
		return err
	}
	in := r.input(w, w.notes, map[string][]byte{"MEMORY.md": index}, false)
	p.Load = time.Since(begun).Seconds()
	begun = time.Now()
	if in.Said, err = drawn(dir); err != nil {
		return err
	}
	p.Extract, p.Said = time.Since(begun).Seconds(), len(in.Said)
	begun = time.Now()
	res, err := dream.Dream(context.Background(), in)
	p.Dream = time.Since(begun).Seconds()
	if err != nil {
		return fmt.Errorf("after %.1f s: %w", p.Dream, err)
	}
	p.Files, p.Rows = len(res.Files), len(res.Rows)
	return json.NewEncoder(os.Stdout).Encode(p)
}

// drawn is what extraction finds in the sessions of a folder.
func drawn(dir string) ([]extract.Candidate, error) {
	logs, err := filepath.Glob(filepath.Join(dir, "sessions", "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var out []extract.Candidate
	reader := extract.New()
	for _, l := range logs {
		f, err := os.Open(l)
		if err != nil {
			return nil, err
		}
		_, err = transcript.Read(f, nil, func(t *transcript.Turn) error {
			reader.Turn(t)
			return nil
		})
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(l), err)
		}
		out = append(out, reader.End().Candidates...)
	}
	return out, reader.Err()
}
