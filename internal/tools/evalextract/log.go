package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// log writes a session as Claude Code 2.1.332 does.
type log struct {
	buf     bytes.Buffer
	line    int
	session string
	parent  string
	now     time.Time
	ids     int
}

func newLog(session string, now time.Time) *log { return &log{session: session, now: now} }

func (l *log) id() string {
	l.ids++
	return fmt.Sprintf("%s-%04d", l.session, l.ids)
}

func (l *log) write(v map[string]any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and maps of them can be written
	}
	l.buf.Write(b)
	l.buf.WriteByte('\n')
	l.line++
}

func (l *log) message(kind string, message any, more map[string]any) {
	l.now = l.now.Add(7 * time.Second)
	id := l.id()
	v := map[string]any{
		"parentUuid": nil, "isSidechain": false, "type": kind, "message": message, "uuid": id,
		"timestamp": l.now.Format("2006-01-02T15:04:05.000Z"), "userType": "external", "entrypoint": "cli",
		"cwd": "/home/dev/proj", "sessionId": l.session, "version": "2.1.332", "gitBranch": "main",
	}
	if l.parent != "" {
		v["parentUuid"] = l.parent
	}
	for k, x := range more {
		v[k] = x
	}
	l.parent = id
	l.write(v)
}

// person is a prompt, and returns the line it stands on.
func (l *log) person(text string) int {
	l.write(map[string]any{"type": "queue-operation", "operation": "enqueue", "timestamp": l.now.Format(time.RFC3339), "sessionId": l.session, "content": text})
	l.write(map[string]any{"type": "queue-operation", "operation": "dequeue", "timestamp": l.now.Format(time.RFC3339), "sessionId": l.session})
	l.message("user", map[string]any{"role": "user", "content": text}, map[string]any{
		"promptId": l.id(), "permissionMode": "default", "promptSource": "typed", "turnOrigin": "human", "rowSource": "local",
	})
	return l.line
}

func (l *log) assistant(block map[string]any) {
	l.message("assistant", map[string]any{
		"id": l.id(), "type": "message", "role": "assistant", "model": "claude-opus-5-5", "content": []any{block},
		"stop_reason": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5},
	}, map[string]any{"madeBy": "model"})
}

func (l *log) agent(text string) { l.assistant(map[string]any{"type": "text", "text": text}) }

// tool is a call and its result.
func (l *log) tool(name string, input map[string]any, result string, failed bool) {
	id := "toolu_" + l.id()
	l.assistant(map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
	l.message("user", map[string]any{"role": "user", "content": []any{
		map[string]any{"tool_use_id": id, "type": "tool_result", "content": result, "is_error": failed},
	}}, map[string]any{"toolUseResult": map[string]any{"stdout": result, "stderr": "", "interrupted": false}, "sourceToolAssistantUUID": l.parent})
}

func (l *log) bash(command, result string, failed bool) {
	l.tool("Bash", map[string]any{"command": command, "description": "run"}, result, failed)
}

// reminder is what the host puts in, here with a note that was recalled.
func (l *log) reminder(text string) {
	l.message("user", map[string]any{"role": "user", "content": []any{
		map[string]any{"type": "text", "text": "<system-reminder>\n" + text + "\n</system-reminder>"},
	}}, map[string]any{"isMeta": true})
}
