package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// claude reads session logs of Claude Code: one JSON object a line, the file
// <session>.jsonl, and for each subagent <session>/subagents/agent-<id>.jsonl.
// Kinds and fields were measured on 2.1.332; older logs have a part of them.
type claude struct {
	*sink
	limit    int // of a text, in bytes
	results  int // of a result's text, in bytes
	words    words
	row      row // of the line; it is large, and its slices serve again
	calls    calls
	boundary bool // the turn before was a compaction's boundary
}

func newClaude(s *sink) format {
	return &claude{sink: s, limit: MaxText, results: MaxText, words: words{}}
}

// quietKinds are lines that hold no turn: the client's own books. The first row
// was measured on 2.1.332, the second is from older logs.
const quietKinds = " queue-operation last-prompt atis-latch cost-state tools-used mode permission-mode api-request api-request-blob api-request-shape " +
	"file-history-snapshot file-history-delta progress custom-title ai-title agent-name agent-color agent-setting pr-link tag worktree-state content-replacement attribution-snapshot speculation-accept task-summary started result "

// quiet reports whether a kind stands in a list of words between spaces.
func quiet(list, kind string) bool {
	for kind != "" {
		n := strings.Index(list, kind)
		if n < 1 || n+len(kind) >= len(list) {
			return false
		}
		if list[n-1] == ' ' && list[n+len(kind)] == ' ' {
			return true
		}
		list = list[n+len(kind)-1:]
		if kind == " " {
			return false
		}
	}
	return false
}

// isClaude knows a line of Claude Code by its kind and the fields around it; has
// is the first byte of each member's value.
func isClaude(kind string, has map[string]byte) bool {
	switch kind {
	case "user", "assistant":
		return has["message"] == '{'
	case "summary":
		return has["summary"] == '"'
	case "attachment", "system":
		return has["uuid"] == '"' || has["sessionId"] == '"'
	}
	return quiet(quietKinds, kind) && (has["sessionId"] == '"' || has["messageId"] == '"' || has["uuid"] == '"')
}

// row is a line, as far as it matters here. The raw fields are parts of the line.
type row struct {
	kind, subtype string
	session       string
	uuid, parent  string
	agent         string
	cwd, branch   string
	version       string
	time          time.Time

	userType     string
	promptSource string
	turnOrigin   string
	rowSource    string
	originKind   string // of origin.kind
	madeBy       string
	renderedRole string
	hasOrigin    bool
	hasPosition  bool // turnPosition
	sidechain    bool
	meta         bool // isMeta, or any other mark that it is not the person's
	summary      bool // isCompactSummary
	apiError     bool
	denial       string // toolDenialKind
	holdsWords   bool   // holdsPersonsWords

	msg     message
	result  bool // toolUseResult is there
	outcome outcome

	attachment, rendered, content, feedback []byte

	seen uint64 // the fields that were there, a bit each
	dup  bool   // one of them was there twice
}

// once notes that a field was there; a second time makes the line untold.
func (r *row) once(bit uint) {
	if r.seen&(1<<bit) != 0 {
		r.dup = true
	}
	r.seen |= 1 << bit
}

// read takes a line apart.
func (r *row) read(c *cursor, w words) {
	c.members(func(name []byte) {
		switch string(name) {
		case "type":
			r.once(0)
			r.kind = w.of(c)
		case "subtype":
			r.once(1)
			r.subtype = w.of(c)
		case "sessionId":
			r.once(2)
			r.session = w.of(c)
		case "uuid":
			r.once(3)
			r.uuid = c.short()
		case "parentUuid":
			r.once(4)
			r.parent = c.short()
		case "agentId":
			r.once(5)
			r.agent = w.of(c)
		case "cwd":
			r.once(6)
			r.cwd = w.of(c)
		case "gitBranch":
			r.once(7)
			r.branch = w.of(c)
		case "version":
			r.once(8)
			r.version = w.of(c)
		case "timestamp":
			r.once(9)
			r.time = c.time()
		case "message":
			r.once(10)
			r.msg.read(c, w)
		case "toolUseResult":
			r.once(11)
			r.result = c.peek() != 'n'
			r.outcome.read(c)
		case "attachment":
			r.once(12)
			r.attachment = c.raw()
		case "rendered":
			r.once(13)
			r.rendered = c.raw()
		case "content", "summary":
			r.once(14)
			r.content = c.raw()
		default:
			r.readMark(string(name), c, w)
		}
	})
}

// readMark reads the fields that tell who made a turn.
func (r *row) readMark(name string, c *cursor, w words) {
	switch name {
	case "userType":
		r.once(20)
		r.userType = w.of(c)
	case "promptSource":
		r.once(21)
		r.promptSource = w.of(c)
	case "turnOrigin":
		r.once(22)
		r.turnOrigin = w.of(c)
	case "rowSource":
		r.once(23)
		r.rowSource = w.of(c)
	case "madeBy":
		r.once(24)
		r.madeBy = w.of(c)
	case "renderedRole":
		r.once(25)
		r.renderedRole = w.of(c)
	case "origin":
		r.once(26)
		r.hasOrigin, r.originKind = c.origin()
	case "turnPosition":
		r.hasPosition = c.is()
	case "isSidechain":
		r.once(27)
		r.sidechain = c.is()
	case "isCompactSummary":
		r.once(28)
		r.summary = c.is()
	case "isApiErrorMessage":
		r.apiError = c.is()
	case "toolDenialKind":
		r.once(29)
		r.denial = w.of(c)
	case "holdsPersonsWords":
		r.once(30)
		r.holdsWords = c.peek() == 't'
	case "userFeedback":
		r.once(31)
		r.feedback = c.raw()
	// Any of these says that another than the person made the turn.
	case "isMeta", "isVisibleInTranscriptOnly", "sourceToolUseID", "sourceToolAssistantUUID", "turnCompanion", "hookText", "isReplay", "isSynthetic":
		said := c.is()
		r.meta = r.meta || said
	}
}

// origin reads {"kind":"human"}. Anything that is not null is one, of no kind if
// it does not say it once.
func (c *cursor) origin() (there bool, kind string) {
	if c.peek() == 'n' {
		c.skip()
		return false, ""
	}
	if c.peek() != '{' {
		c.skip()
		return true, ""
	}
	kinds := 0
	c.members(func(name []byte) {
		if string(name) == "kind" {
			kinds++
			kind = c.short()
		}
	})
	if kinds != 1 {
		kind = ""
	}
	return true, kind
}

// time reads a time as RFC 3339 has it; the zero time for anything else.
func (c *cursor) time() time.Time {
	if c.peek() != '"' {
		c.skip()
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, string(c.quoted()))
	if err != nil {
		return time.Time{}
	}
	return t
}

func (cl *claude) line(b []byte, no int) (bool, error) {
	c := &cursor{b: b}
	if c.peek() != '{' {
		return false, nil
	}
	r := &cl.row
	*r = row{msg: message{parts: r.msg.parts[:0]}}
	r.read(c, cl.words)
	if !c.end() || r.dup {
		return false, nil
	}
	cl.st.Host = "claude"
	if r.version != "" {
		cl.st.Version = r.version
	}
	t, ok := cl.turn(r, no)
	if t == nil || !ok {
		return ok, nil
	}
	if r.kind == "system" || r.summary {
		// Logs before the boundary lines have the summary alone.
		t.Compacted = r.subtype == "compact_boundary" || r.summary && !cl.boundary
	}
	cl.boundary = t.Compacted && r.kind == "system"
	return ok, cl.give(t)
}

func (cl *claude) flush() error { return nil }

// turn makes a turn of a line; nil when it holds none, ok false when it can't be
// read.
func (cl *claude) turn(r *row, no int) (t *Turn, ok bool) {
	t = &Turn{
		Host: "claude", Version: r.version, Session: r.session, Agent: r.agent, ID: r.uuid, Parent: r.parent,
		Line: no, Role: User, Time: r.time, Cwd: r.cwd, Branch: r.branch, Source: r.promptSource, Sidechain: r.sidechain,
	}
	switch r.kind {
	case "user":
		return t, cl.user(t, r)
	case "assistant":
		t.Role = Assistant
		return t, cl.assistant(t, r)
	case "attachment":
		return t, cl.attached(t, r)
	case "system":
		t.Role = System
		return t, cl.system(t, r)
	case "summary":
		t.Role = System
		t.addText(r.content, Summary, cl.limit)
		return t, true
	}
	if !quiet(quietKinds, r.kind) {
		cl.st.unknown(r.kind)
	}
	return nil, true
}

// addText adds a JSON value as a block, if it is a string that says anything.
func (t *Turn) addText(raw []byte, o Origin, limit int) {
	if len(raw) > 0 && raw[0] == '"' {
		t.addRaw(raw[1:len(raw)-1], o, limit)
	}
}

// addRaw adds what stood between a string's quotes.
func (t *Turn) addRaw(raw []byte, o Origin, limit int) {
	text, cut := decode(raw, limit)
	t.add(text, cut, o)
}

func (t *Turn) add(text string, cut bool, o Origin) {
	if strings.TrimSpace(text) != "" {
		t.Blocks = append(t.Blocks, Block{Kind: Text, Origin: o, Text: text, Cut: cut})
	}
}

// quietSystem are system lines whose text, if any, only the screen shows.
const quietSystem = " stop_hook_summary turn_duration informational local_command api_error away_summary microcompact_boundary memory_saved agents_killed bridge_status scheduled_task_fire permission_retry api_metrics file_snapshot task_started task_progress task_notification status init hook_started hook_response session_state_changed elicitation_complete local_command_output post_turn_summary thinking "

func (cl *claude) system(t *Turn, r *row) bool {
	if r.subtype != "compact_boundary" && r.subtype != "" && !quiet(quietSystem, r.subtype) {
		cl.st.unknown("system:" + r.subtype)
	}
	t.addText(r.content, Injected, cl.limit)
	return true
}

func (cl *claude) assistant(t *Turn, r *row) bool {
	origin := Agent
	// The client's own words for an error or an interrupt.
	if r.msg.model == "<synthetic>" || r.apiError || r.madeBy != "" && r.madeBy != "model" {
		origin = Injected
	}
	if r.msg.isText {
		t.addRaw(r.msg.text, origin, cl.limit)
	}
	for i := range r.msg.parts {
		p := &r.msg.parts[i]
		if p.kind == "text" {
			t.addRaw(p.text, origin, cl.limit)
		} else {
			cl.block(t, p, origin)
		}
	}
	return r.msg.ok()
}

// message is what the model was sent or answered. Its texts are parts of the line.
type message struct {
	role     string
	model    string
	isText   bool // the content is a string
	text     []byte
	parts    []part
	contents int // how often it has a content
	more     bool
	object   bool
}

func (m *message) ok() bool { return m.object && m.contents <= 1 }

func (m *message) read(c *cursor, w words) {
	if c.peek() != '{' {
		c.skip()
		return
	}
	m.object = true
	c.members(func(name []byte) {
		switch string(name) {
		case "role":
			m.role = w.of(c)
		case "model":
			m.model = w.of(c)
		case "content":
			m.contents++
			switch c.peek() {
			case '"':
				m.isText, m.text = true, c.quoted()
			case '[':
				c.items(func() {
					if c.peek() != '{' {
						return // the client never wrote a bare string
					}
					if len(m.parts) == maxParts {
						m.more = true
						return
					}
					m.parts = append(m.parts, part{})
					m.parts[len(m.parts)-1].read(c, w)
				})
			}
		}
	})
}

// maxParts is how many blocks of a message are read. The client writes one or two;
// a line of nothing but brackets would fill the memory.
const maxParts = 4096

// part is one block of a message. Its bytes are parts of the line.
type part struct {
	kind, id, name string
	text           []byte // of text and thinking, as decode takes it
	content, input []byte // JSON
	failed         bool
}

func (p *part) read(c *cursor, w words) {
	c.members(func(name []byte) {
		switch string(name) {
		case "type":
			p.kind = w.of(c)
		case "id", "tool_use_id":
			p.id = c.short()
		case "name":
			p.name = w.of(c)
		case "text", "thinking":
			if c.peek() == '"' {
				p.text = c.quoted()
			}
		case "content":
			p.content = c.raw()
		case "input":
			p.input = c.raw()
		case "is_error":
			p.failed = c.is()
		}
	})
}

// block adds a part that is no text.
func (cl *claude) block(t *Turn, p *part, origin Origin) {
	switch {
	case p.kind == "thinking" || p.kind == "redacted_thinking":
		if s, cut := decode(p.text, cl.limit); s != "" {
			t.Blocks = append(t.Blocks, Block{Kind: Thinking, Origin: origin, Text: s, Cut: cut})
		}
	case p.kind == "tool_use" || p.kind == "server_tool_use" || p.kind == "mcp_tool_use":
		b := Block{Kind: Call, Origin: origin, Tool: p.name, ID: p.id}
		if len(p.input) <= MaxText {
			b.Input = json.RawMessage(bytes.Clone(p.input))
		}
		cl.calls.put(p.id, call{name: p.name, origin: originOf(p.name, p.input)})
		t.Blocks = append(t.Blocks, b)
	case strings.HasSuffix(p.kind, "tool_result"):
		t.Blocks = append(t.Blocks, cl.resultOf(p))
	default:
		t.Blocks = append(t.Blocks, Block{Kind: Other, Origin: Injected})
	}
}

// resultOf is a tool's result. Who called it says where it is from.
func (cl *claude) resultOf(p *part) Block {
	b := Block{Kind: Result, Origin: Tool, ID: p.id, Failed: p.failed}
	if known, ok := cl.calls.get(p.id); ok {
		b.Tool, b.Origin = known.name, known.origin
	} else if strings.HasPrefix(p.kind, "web_") {
		b.Origin = Web
	}
	b.Text, b.Cut = textOf(p.content, cl.results)
	return b
}

// textOf is the text of a content: a string, or the texts of a list of blocks.
func textOf(raw []byte, limit int) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	if raw[0] == '"' {
		return decode(raw[1:len(raw)-1], limit) // it was stepped over, so it is whole
	}
	c := &cursor{b: raw}
	j := joined{limit: limit}
	c.items(func() {
		switch c.peek() {
		case '"':
			j.add(c.quoted())
		case '{':
			var text []byte
			c.members(func(name []byte) {
				if n := string(name); (n == "text" || n == "content") && c.peek() == '"' {
					text = c.quoted()
				}
			})
			j.add(text)
		}
	})
	return strings.Join(j.texts, "\n"), j.cut
}

// joined collects texts up to a limit, in bytes.
type joined struct {
	texts []string
	size  int
	limit int
	cut   bool
}

func (j *joined) add(raw []byte) {
	if len(raw) == 0 {
		return
	}
	if j.size >= j.limit {
		j.cut = true
		return
	}
	s, cut := decode(raw, j.limit-j.size)
	j.texts = append(j.texts, s)
	j.size += len(s) + 1
	j.cut = j.cut || cut
}
