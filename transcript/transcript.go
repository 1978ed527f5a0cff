// Package transcript reads the session logs of coding agents. So far it tells
// what trust has to know of a Claude Code session: what the person typed, and
// what the agent wrote into files.
package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
)

// Event is one thing that happened in a session: either Typed is set, or File.
type Event struct {
	Session string
	Line    int // of the log, 1-based
	Time    time.Time

	Typed string // what the person typed

	File    string // the path of a file that the agent wrote
	Content []byte // what the file held afterwards, as the client says
}

// MaxLine is the longest line that is read, in bytes; a longer one holds an image
// or the like and is passed over.
const MaxLine = 8 << 20

// Stats counts what was passed over.
type Stats struct {
	Lines   int
	Bad     int // no JSON, or cut
	TooLong int
}

// Claude streams a session log of Claude Code, measured on 2.1.332. An error of
// visit ends it.
func Claude(r io.Reader, visit func(Event) error) (Stats, error) {
	var st Stats
	lines := bufio.NewReaderSize(r, 64<<10)
	for {
		line, long, err := readLine(lines)
		if len(line) > 0 || long {
			st.Lines++
			switch {
			case long:
				st.TooLong++
			case !wanted(line):
			default:
				e, ok, jerr := event(line)
				if jerr != nil {
					st.Bad++
				}
				if ok {
					e.Line = st.Lines
					if err := visit(e); err != nil {
						return st, err
					}
				}
			}
		}
		if errors.Is(err, io.EOF) {
			return st, nil
		}
		if err != nil {
			return st, err
		}
	}
}

// readLine reads up to the next line break; long tells that it was more than
// MaxLine, of which nothing is returned.
func readLine(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > MaxLine {
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// wanted passes over most lines without reading them as JSON.
func wanted(line []byte) bool {
	return bytes.Contains(line, []byte(`"type":"user"`)) || bytes.Contains(line, []byte(`"type": "user"`))
}

// row is a line of the log, as far as it matters here.
type row struct {
	Type       string          `json:"type"`
	Session    string          `json:"sessionId"`
	Time       time.Time       `json:"timestamp"`
	Sidechain  bool            `json:"isSidechain"`
	Meta       bool            `json:"isMeta"`
	Compact    bool            `json:"isCompactSummary"`
	UserType   string          `json:"userType"`        // "external" of a person
	Turn       string          `json:"turnOrigin"`      // "sdk" or of the terminal; else who made the turn
	Origin     json.RawMessage `json:"origin"`          // of a turn that no person made
	ToolUse    string          `json:"sourceToolUseID"` // of a text that a tool put in
	ToolResult json.RawMessage `json:"toolUseResult"`
	Message    struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// byPerson reports whether nothing tells that another than the person made the
// turn. What is not known counts against it.
func (r *row) byPerson() bool {
	switch {
	case r.Sidechain, r.Meta, r.Compact, r.ToolUse != "", len(r.Origin) > 0 && string(r.Origin) != "null":
		return false
	case r.UserType != "" && r.UserType != "external":
		return false
	}
	for _, other := range []string{"task", "notification", "teammate", "agent", "hook", "tool", "system"} {
		if strings.Contains(r.Turn, other) {
			return false
		}
	}
	return true
}

// result is what the client keeps of a tool that wrote a file.
type result struct {
	Type     string  `json:"type"` // create or update, of Write
	File     string  `json:"filePath"`
	Content  *string `json:"content"`      // of Write: what stands on the disk
	Original *string `json:"originalFile"` // of Edit
	Patch    []hunk  `json:"structuredPatch"`
}

type hunk struct {
	OldStart int      `json:"oldStart"`
	OldLines int      `json:"oldLines"`
	Lines    []string `json:"lines"`
}

func event(line []byte) (Event, bool, error) {
	var r row
	if err := json.Unmarshal(line, &r); err != nil {
		return Event{}, false, err
	}
	e := Event{Session: r.Session, Time: r.Time}
	if r.Type != "user" {
		return e, false, nil
	}
	if len(r.ToolResult) > 0 && r.ToolResult[0] == '{' {
		var res result
		if json.Unmarshal(r.ToolResult, &res) != nil || res.File == "" {
			return e, false, nil
		}
		text, ok := res.text()
		e.File, e.Content = res.File, []byte(text)
		return e, ok, nil
	}
	if len(r.ToolResult) > 0 || !r.byPerson() {
		return e, false, nil
	}
	e.Typed = typed(r.Message.Content)
	return e, e.Typed != "", nil
}

// text is what the file held after the tool. The front matter that the client
// renews in a note is in the patch too.
func (r result) text() (string, bool) {
	if (r.Type == "create" || r.Type == "update") && r.Content != nil {
		return *r.Content, true
	}
	if r.Original == nil || len(r.Patch) == 0 {
		return "", false
	}
	return patched(*r.Original, r.Patch)
}

const noBreak = `\ No newline at end of file`

// patched applies the hunks of a unified diff to a text.
func patched(text string, hunks []hunk) (string, bool) {
	lines := strings.SplitAfter(text, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	var out strings.Builder
	at := 0
	for _, h := range hunks {
		from := h.OldStart - 1
		if h.OldLines == 0 {
			from = h.OldStart // a hunk that only adds stands behind the line
		}
		if from < at || from > len(lines) || h.OldLines < 0 || from+h.OldLines > len(lines) {
			return "", false
		}
		for _, l := range lines[at:from] {
			out.WriteString(l)
		}
		for i, l := range h.Lines {
			if l == "" || l == noBreak || l[0] == '-' {
				continue
			}
			out.WriteString(l[1:])
			if i+1 == len(h.Lines) || h.Lines[i+1] != noBreak {
				out.WriteString("\n")
			}
		}
		at = from + h.OldLines
	}
	for _, l := range lines[at:] {
		out.WriteString(l)
	}
	return out.String(), true
}

// typed is the text of a message that a person typed: not what the client put
// into it, and no tool's result.
func typed(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return own(text)
	}
	var blocks []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(content, &blocks) != nil {
		return ""
	}
	var out []string
	for _, b := range blocks {
		if b.Type == "tool_result" {
			return ""
		}
		if t := own(b.Text); b.Type == "text" && t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n")
}

// continued begins the text that the client puts in for a session that goes on
// after a compaction.
const continued = "This session is being continued from a previous conversation"

// own is a text if it is the person's alone. One with any tag that the client, or
// a program that hands over memory, puts around what it brings in is nobody's: a
// closing tag inside could make part of it look typed.
func own(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), continued) {
		return ""
	}
	for _, tag := range []string{"system-reminder", "command-", "local-command", "bash-", "task-notification", "teammate-message", "ide_", "memory", "user-prompt-submit-hook"} {
		if strings.Contains(text, "<"+tag) || strings.Contains(text, "</"+tag) {
			return ""
		}
	}
	return strings.TrimSpace(text)
}
