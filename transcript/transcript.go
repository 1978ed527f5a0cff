// Package transcript reads the session logs of coding agents as one stream of
// turns: Claude Code's, Codex's and Gemini CLI's. Each block of a turn says where
// it came from, because the role does not: hosts write tool results, reminders,
// summaries and recalled notes as the user's turns. Only what the host says that a
// person typed is a Person's; everything that is not known is not.
package transcript

import (
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

// Claude streams a session log of Claude Code, measured on 2.1.332: what the
// person typed, and what was written into files. An error of visit ends it.
func Claude(r io.Reader, visit func(Event) error) (Stats, error) {
	s := &sink{visit: func(t *Turn) error {
		if t.Role == Assistant {
			return nil
		}
		e := Event{Session: t.Session, Line: t.Line, Time: t.Time, File: t.Wrote, Content: t.Content}
		if e.File == "" {
			if e.Typed = typed(t); e.Typed == "" {
				return nil
			}
		}
		return visit(e)
	}}
	// Every word counts here: a sentence that is cut can say the opposite.
	err := s.readLines(newLines(r), &claude{sink: s, limit: MaxLine, words: words{}})
	return s.st, err
}

// typed is what the person typed of a turn.
func typed(t *Turn) string {
	var out []string
	for _, b := range t.Blocks {
		if b.Kind == Text && b.Origin == Person {
			out = append(out, strings.TrimSpace(b.Text))
		}
	}
	return strings.Join(out, "\n")
}
