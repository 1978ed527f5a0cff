package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
)

// gemini reads the entries of Gemini CLI's logs, as
// packages/core/src/services/chatRecordingTypes.ts of google-gemini/gemini-cli has
// them: ~/.gemini/tmp/<project>/chats/session-*.jsonl, one object a line; before
// that session-*.json, one object with messages; and logs.json, a list of prompts.
// None says the working folder or the version.
//
// An answer is written again when its tools have run, under the same id: the last
// of those that follow each other counts.
type gemini struct {
	*sink
	session  string
	subagent bool
	words    words
	held     []*Turn // of the entry that may be written again
	heldID   string
}

func newGemini(s *sink) format { return &gemini{sink: s, words: words{}} }

// geminiKinds are the types of messages.
const geminiKinds = " user gemini info error warning "

func isGemini(kind string, has map[string]byte) bool {
	switch {
	case has["projectHash"] == '"' && has["sessionId"] == '"':
		return true
	case has["$set"] == '{' || has["$rewindTo"] == '"':
		return true
	case quiet(geminiKinds, kind) && has["message"] == 0 && has["uuid"] == 0:
		return has["id"] == '"' && has["timestamp"] == '"'
	case kind == "user" && has["message"] == '"': // an entry of logs.json
		return has["messageId"] != 0 && has["sessionId"] == '"'
	}
	return false
}

// entry is one object of a log. Its bytes are parts of the line.
type entry struct {
	kind, id, session  string
	project            bool
	subagent           bool
	set                bool
	message            []byte // of logs.json
	content, displayed []byte
	thoughts, calls    []byte
	fields             uint64
	twice              bool
}

func (g *gemini) line(b []byte, no int) (bool, error) {
	c := &cursor{b: b}
	if c.peek() != '{' {
		return false, nil
	}
	g.st.Host = "gemini"
	t := &Turn{Host: "gemini", Line: no, Role: User}
	var e entry
	e.read(c, t, g.words)
	if !c.end() || e.twice {
		return false, nil
	}
	switch {
	case e.set:
		return true, nil
	case e.kind == "" && e.project:
		g.session, g.subagent = e.session, e.subagent
		return true, nil
	case !quiet(geminiKinds, e.kind):
		g.st.unknown(e.kind)
		return true, nil
	}
	if e.session == "" {
		e.session = g.session
	}
	t.Session, t.Sidechain = e.session, g.subagent
	if g.subagent {
		t.Agent = e.session
	}
	return true, g.take(t, &e)
}

func (e *entry) read(c *cursor, t *Turn, w words) {
	once := func(bit uint) {
		e.twice = e.twice || e.fields&(1<<bit) != 0
		e.fields |= 1 << bit
	}
	c.members(func(name []byte) {
		switch string(name) {
		case "type":
			once(0)
			e.kind = w.of(c)
		case "id":
			once(1)
			e.id = c.short()
		case "messageId":
			once(2)
			e.id = "log/" + string(c.raw())
		case "sessionId":
			once(3)
			e.session = w.of(c)
		case "timestamp":
			once(4)
			t.Time = c.time()
		case "projectHash":
			e.project = true
		case "kind":
			e.subagent = w.of(c) == "subagent"
		case "$set", "$rewindTo":
			e.set = true
		case "message":
			once(5)
			e.message = c.raw()
		case "content":
			once(6)
			e.content = c.raw()
		case "displayContent":
			once(7)
			e.displayed = c.raw()
		case "thoughts":
			e.thoughts = c.raw()
		case "toolCalls":
			e.calls = c.raw()
		}
	})
}

// take makes the turns of an entry and holds them until the next one.
func (g *gemini) take(t *Turn, e *entry) error {
	if e.id == "" || e.id != g.heldID {
		if err := g.flush(); err != nil {
			return err
		}
	}
	if e.id != "" {
		t.ID = e.session + "/" + e.id
	}
	g.heldID, g.held = e.id, []*Turn{t}
	switch e.kind {
	case "user":
		g.user(t, e)
	case "gemini":
		t.Role = Assistant
		g.answer(t, e)
	default:
		t.Role = System
		s, cut := textOf(e.content, MaxText)
		t.add(s, cut, Injected)
	}
	return nil
}

func (g *gemini) flush() error {
	held := g.held
	g.held, g.heldID = nil, ""
	for _, t := range held {
		if err := g.give(t); err != nil {
			return err
		}
	}
	return nil
}

// referenced stands between a prompt and the files that it names with @.
const referenced = "--- Content from referenced files ---"

// user takes a prompt apart. What the person saw themselves type is
// displayContent, where it differs from what was sent.
func (g *gemini) user(t *Turn, e *entry) {
	typed := e.content
	if e.message != nil {
		typed = e.message
	}
	if len(e.displayed) > 0 && string(e.displayed) != "null" {
		typed = e.displayed
		s, cut := textOf(e.content, MaxText)
		t.add(s, cut, broughtIn(s))
	}
	text, cut := textOf(typed, MaxText)
	var files string
	if n := strings.Index(text, referenced); n >= 0 {
		text, files = text[:n], text[n:]
	}
	for _, p := range apart(text, cut && files == "") {
		if p.origin == Person && g.subagent {
			p.origin = Agent // what the agent above asks for
		}
		t.add(p.text, cut && files == "", p.origin)
	}
	t.add(files, cut, broughtIn(files))
}

func (g *gemini) answer(t *Turn, e *entry) {
	if len(e.thoughts) > 0 {
		c := &cursor{b: e.thoughts}
		c.items(func() {
			j := joined{limit: MaxText}
			c.members(func(name []byte) {
				if n := string(name); (n == "subject" || n == "description") && c.peek() == '"' {
					j.add(c.quoted())
				}
			})
			if len(j.texts) > 0 && len(t.Blocks) < maxParts {
				t.Blocks = append(t.Blocks, Block{Kind: Thinking, Origin: Agent, Text: strings.Join(j.texts, "\n"), Cut: j.cut})
			}
		})
	}
	s, cut := textOf(e.content, MaxText)
	t.add(s, cut, Agent)
	results := &Turn{Host: t.Host, Session: t.Session, Agent: t.Agent, Line: t.Line, Role: User, Time: t.Time, Sidechain: t.Sidechain, Parent: t.ID}
	if t.ID != "" {
		results.ID = t.ID + "/results"
	}
	if len(e.calls) > 0 {
		c := &cursor{b: e.calls}
		c.items(func() {
			if c.peek() == '{' && len(t.Blocks) < maxParts {
				toolCall(c, t, results)
			}
		})
	}
	if len(results.Blocks) > 0 {
		g.held = append(g.held, results)
	}
}

// toolCall reads a call and its result, which stand in one object.
func toolCall(c *cursor, t, results *Turn) {
	var id, name, status string
	var args, result []byte
	c.members(func(field []byte) {
		switch string(field) {
		case "id":
			id = c.short()
		case "name":
			name = c.short()
		case "status":
			status = c.short()
		case "args":
			args = c.raw()
		case "result":
			result = c.raw()
		}
	})
	b := Block{Kind: Call, Origin: Agent, Tool: name, ID: id}
	if len(args) <= MaxText {
		b.Input = json.RawMessage(bytes.Clone(args))
	}
	t.Blocks = append(t.Blocks, b)
	if len(result) == 0 || string(result) == "null" {
		return
	}
	r := Block{Kind: Result, Origin: originOf(name, args), Tool: name, ID: id, Failed: status == "error" || status == "cancelled"}
	r.Text, r.Cut = responseText(result)
	results.Blocks = append(results.Blocks, r)
}

// responseText is the text of [{functionResponse: {response: {output}}}], or of a
// plain content.
func responseText(raw []byte) (string, bool) {
	j := joined{limit: MaxText}
	c := &cursor{b: raw}
	part := func() {
		c.members(func(name []byte) {
			if string(name) == "functionResponse" {
				c.members(func(name []byte) {
					if string(name) == "response" {
						c.members(func(name []byte) {
							if n := string(name); (n == "output" || n == "error" || n == "content") && c.peek() == '"' {
								j.add(c.quoted())
							}
						})
					}
				})
			}
		})
	}
	switch c.peek() {
	case '[':
		c.items(part)
	case '{':
		part()
	}
	if len(j.texts) == 0 {
		return textOf(raw, MaxText)
	}
	return strings.Join(j.texts, "\n"), j.cut
}
