package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"dormouse/note"
)

// session is a session's ID, the same in each run.
func session(n int) string { return fmt.Sprintf("5e551000-0000-4000-8000-%012d", n+1) }

// row is one line of a transcript as 2.1.332 writes it, without the keys that
// only its own screen needs.
func row(cwd, id, kind string, message any, at time.Time, more map[string]any) string {
	m := map[string]any{
		"parentUuid": nil, "isSidechain": false, "type": kind, "message": message,
		"uuid": fmt.Sprintf("%08x-0000-4000-8000-%012d", at.Unix(), at.Nanosecond()), "timestamp": note.Stamp(at),
		"userType": "external", "entrypoint": "cli", "cwd": cwd, "sessionId": id, "version": "2.1.332", "gitBranch": "main",
	}
	for k, v := range more {
		m[k] = v
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and maps of strings
	}
	return string(b) + "\n"
}

// turn is what a person or the agent said.
func turn(cwd, id, who, text string, at time.Time) string {
	var content any = text
	more := map[string]any{"promptSource": "typed", "turnOrigin": "user"}
	if who == "assistant" {
		content, more = []any{map[string]any{"type": "text", "text": text}}, nil
	}
	return row(cwd, id, who, map[string]any{"role": who, "content": content}, at, more)
}

// toolUse is a call of a tool and its result.
func toolUse(cwd, id, tool string, input map[string]any, content string, result map[string]any, at time.Time) string {
	call := fmt.Sprintf("toolu_%d", at.UnixNano())
	use := map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": call, "name": tool, "input": input}}}
	back := map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": content}}}
	return row(cwd, id, "assistant", use, at, nil) +
		row(cwd, id, "user", back, at.Add(time.Second), map[string]any{"toolUseResult": result})
}

// said is what the person said when a note was made of it, without the agent's labels.
func (n *noteFile) said() string {
	text := strings.NewReplacer("**Why:** ", "", "**How to apply:** ", "").Replace(n.body)
	return strings.TrimSpace(text)
}

// writeSessions writes the sessions in which the notes came about: the person's
// words of those about the person and about the work, the agent's call for each.
func (w *world) writeSessions() error {
	cwd := w.proj
	if w.start != "" {
		cwd = w.start
	}
	for s := range 3 {
		id, at := session(s), w.now.Add(-time.Duration(23-6*s)*24*time.Hour)
		var b strings.Builder
		b.WriteString(turn(cwd, id, "user", "let us look at the open points of this project", at))
		for _, text := range w.tool {
			b.WriteString(toolUse(cwd, id, "WebFetch", map[string]any{"url": "https://pages.example/setup"}, text, map[string]any{"result": text}, at.Add(time.Minute)))
		}
		for i, n := range w.notes {
			if n.planted || n.session != s {
				continue
			}
			t := at.Add(time.Duration(i+2) * time.Minute)
			if n.typ == "feedback" || n.typ == "user" {
				b.WriteString(turn(cwd, id, "user", n.said(), t))
			}
			text, err := w.bytes(n)
			if err != nil {
				return err
			}
			path := w.note(n)
			result := map[string]any{"type": "create", "filePath": path, "content": string(text), "structuredPatch": []any{}, "originalFile": nil, "memdirStamped": true}
			input := map[string]any{"file_path": path, "content": string(text)}
			b.WriteString(toolUse(cwd, id, "Write", input, "File created successfully at: "+path, result, t.Add(2*time.Second)))
		}
		b.WriteString(turn(cwd, id, "assistant", "Noted.", at.Add(time.Hour)))
		if err := put(filepath.Join(w.projects(), slug(cwd), id+".jsonl"), []byte(b.String())); err != nil {
			return err
		}
	}
	return nil
}
