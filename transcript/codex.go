package transcript

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// codex reads rollouts of Codex (~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl), as
// codex-rs/protocol and codex-rs/rollout of the repository openai/codex have them:
// lines of {timestamp, type, payload}; before September 2025 the payload alone.
//
// A user message stands there twice: as a response_item, like everything else that
// is sent as the user's (AGENTS.md, the environment, shell output), and as an
// event_msg user_message, which only what was typed becomes. So a response_item is
// held back until the event says that it was typed; in a log without any events,
// what has no mark of the host is taken for typed.
type codex struct {
	*sink
	words words
	calls calls
	meta  codexMeta
	held  []*Turn // user messages that no event has told about yet
	size  int     // of their texts, in bytes
	event bool    // there are events in this log
	count int     // of messages, for their IDs
}

type codexMeta struct {
	read           bool
	session, root  string // root: where a fork came from
	version, cwd   string
	branch, source string
	subagent       bool
}

func newCodex(s *sink) format { return &codex{sink: s, words: words{}} }

// codexKinds are the kinds of lines of a rollout.
const codexKinds = " session_meta response_item event_msg turn_context compacted inter_agent_communication "

// codexItems are the kinds of items, which in old rollouts are the lines.
const codexItems = " message function_call function_call_output local_shell_call custom_tool_call custom_tool_call_output reasoning web_search_call tool_search_call tool_search_output image_generation_call agent_message additional_tools compaction context_compaction ghost_snapshot other "

func isCodex(kind string, has map[string]byte) bool {
	switch {
	case quiet(codexKinds, kind):
		return has["payload"] == '{'
	case has["record_type"] == '"':
		return true
	case kind == "message" && has["role"] == '"' && has["content"] == '[':
		return true
	}
	_, git := has["git"]
	_, told := has["instructions"]
	return kind == "" && has["id"] == '"' && has["timestamp"] == '"' && (git || told)
}

// item is a line, as far as it matters here. Its bytes are parts of the line.
type item struct {
	kind, role  string
	id, call    string
	name, space string
	msgKind     string
	content     []byte
	arguments   []byte
	output      []byte
	action      []byte
	summary     []byte
	message     []byte
	cwd, branch string
	version     string
	forked      string
	source      []byte
}

func (cx *codex) line(b []byte, no int) (bool, error) {
	c := &cursor{b: b}
	if c.peek() != '{' {
		return false, nil
	}
	cx.st.Host = "codex"
	t := &Turn{Host: "codex", Line: no}
	var kind, record string
	var payload item
	var old item // the line itself, for rollouts without payload
	twice := 0
	c.members(func(name []byte) {
		switch string(name) {
		case "timestamp":
			t.Time = c.time()
		case "type":
			kind = cx.words.of(c)
			old.kind = kind
		case "record_type":
			record = c.short()
		case "payload":
			twice++
			c.members(func(name []byte) { payload.field(name, c, cx.words) })
		default:
			old.field(name, c, cx.words)
		}
	})
	if !c.end() || twice > 1 {
		return false, nil
	}
	if twice == 0 {
		if record != "" {
			return true, nil
		}
		if kind == "" {
			cx.about(&old)
			return true, nil
		}
		kind, payload = "response_item", old
	}
	return cx.read(t, kind, &payload)
}

func (it *item) field(name []byte, c *cursor, w words) {
	switch string(name) {
	case "type":
		it.kind = w.of(c)
	case "role":
		it.role = w.of(c)
	case "id":
		it.id = c.short()
	case "call_id":
		it.call = c.short()
	case "name":
		it.name = w.of(c)
	case "namespace":
		it.space = w.of(c)
	case "kind":
		it.msgKind = w.of(c)
	case "content":
		it.content = c.raw()
	case "arguments", "input":
		it.arguments = c.raw()
	case "output":
		it.output = c.raw()
	case "action":
		it.action = c.raw()
	case "summary":
		it.summary = c.raw()
	case "message":
		it.message = c.raw()
	case "cwd":
		it.cwd = w.of(c)
	case "cli_version":
		it.version = w.of(c)
	case "forked_from_id":
		it.forked = c.short()
	case "source":
		it.source = c.raw()
	case "git":
		c.members(func(name []byte) {
			if string(name) == "branch" {
				it.branch = w.of(c)
			}
		})
	}
}

func (cx *codex) read(t *Turn, kind string, it *item) (bool, error) {
	switch kind {
	case "session_meta":
		cx.about(it)
		return true, nil
	case "turn_context":
		if it.cwd != "" {
			cx.meta.cwd = it.cwd
		}
		return true, nil
	case "event_msg":
		cx.event = true
		if it.kind == "user_message" {
			return true, cx.typed(t, it)
		}
		return true, nil // what it tells stands in the items too
	case "compacted":
		if err := cx.flush(); err != nil {
			return true, err
		}
		t.Role, t.Compacted = System, true
		t.addText(it.message, Summary, MaxText)
		return true, cx.pass(t, it)
	case "response_item":
		return true, cx.item(t, it)
	}
	cx.st.unknown(kind)
	return true, nil
}

// about keeps what a session says of itself. A fork has a copy of the first lines
// of the session that it came from; its own line comes first.
func (cx *codex) about(it *item) {
	if cx.meta.read {
		return
	}
	m := codexMeta{read: true, session: it.id, root: it.id, version: it.version, cwd: it.cwd, branch: it.branch}
	if it.forked != "" {
		m.root = it.forked
	}
	if len(it.source) > 0 && it.source[0] == '"' {
		m.source = nameOf(it.source[1 : len(it.source)-1])
	}
	m.subagent = len(it.source) > 0 && it.source[0] == '{' || strings.HasPrefix(m.source, "subagent")
	cx.meta = m
	cx.st.Version = m.version
}

// pass fills in what all turns of a session share, and hands it on.
func (cx *codex) pass(t *Turn, it *item) error {
	m := &cx.meta
	t.Version, t.Session, t.Cwd, t.Branch, t.Sidechain = m.version, m.session, m.cwd, m.branch, m.subagent
	if m.subagent {
		t.Agent = m.session
	}
	if t.ID == "" {
		t.ID = cx.name(t, it)
	}
	return cx.give(t)
}

// name makes an ID that a copy in a forked session has too: Codex has none for
// most items, and writes copies with new times.
func (cx *codex) name(t *Turn, it *item) string {
	hash := fnv.New64a() // the same in every process, unlike maphash
	for _, b := range t.Blocks {
		for _, s := range []string{string(b.Kind), b.Tool, b.Text} {
			_, _ = io.WriteString(hash, s)
			_, _ = hash.Write([]byte{0})
		}
		_, _ = hash.Write(b.Input)
	}
	sum := strconv.FormatUint(hash.Sum64(), 36)
	switch {
	case it.id != "" && it.kind != "":
		return it.id
	case it.call != "":
		return it.call + "/" + it.kind + "/" + sum
	case cx.meta.root == "":
		return ""
	}
	cx.count++
	return cx.meta.root + "/" + strconv.Itoa(cx.count) + "/" + sum
}

// maxHeld is how many user messages wait for their event, and heldSize how much
// text, in bytes.
const (
	maxHeld  = 16
	heldSize = 4 << 20
)

// flush hands on the messages that no event told about.
func (cx *codex) flush() error {
	held := cx.held
	cx.held, cx.size = nil, 0
	for _, t := range held {
		if cx.event || cx.meta.subagent {
			for i := range t.Blocks {
				if t.Blocks[i].Origin == Person {
					t.Blocks[i].Origin = Injected
				}
			}
		}
		if err := cx.pass(t, &item{}); err != nil {
			return err
		}
	}
	return nil
}

// typed takes an event that says what the person typed, and the item that it
// belongs to.
func (cx *codex) typed(t *Turn, it *item) error {
	if it.msgKind != "" && it.msgKind != "plain" {
		return nil
	}
	text, cut := textOf(it.message, MaxText)
	held := cx.held
	cx.held, cx.size = nil, 0
	found := false
	for _, h := range held {
		same := !found && textOfTurn(h) == strings.TrimSpace(text)
		found = found || same
		h.Blocks = cx.asTyped(h.Blocks, same)
		if err := cx.pass(h, &item{}); err != nil {
			return err
		}
	}
	if found || strings.TrimSpace(text) == "" {
		return nil
	}
	t.Role, t.Source = User, cx.meta.source
	t.Blocks = cx.asTyped(personal(text, cut), true)
	return cx.pass(t, &item{})
}

// asTyped settles the origin of blocks that could be the person's.
func (cx *codex) asTyped(blocks []Block, typed bool) []Block {
	for i := range blocks {
		if b := &blocks[i]; b.Origin == Person {
			switch {
			case cx.meta.subagent:
				b.Origin = Agent // what the agent above asks for
			case !typed:
				b.Origin = Injected
			}
		}
	}
	return blocks
}

func textOfTurn(t *Turn) string {
	var all []string
	for _, b := range t.Blocks {
		if b.Kind == Text {
			all = append(all, b.Text)
		}
	}
	return strings.TrimSpace(strings.Join(all, ""))
}

// ideRequest stands between what the editor adds to a prompt and the prompt.
const ideRequest = "## My request for Codex:"

// personal takes apart a user message that a person may have typed.
func personal(text string, cut bool) []Block {
	var out []Block
	add := func(s string, o Origin) {
		if strings.TrimSpace(s) != "" {
			out = append(out, Block{Kind: Text, Origin: o, Text: s, Cut: cut})
		}
	}
	if strings.HasPrefix(strings.TrimSpace(text), "# Context from my IDE setup:") {
		// The last one: what the editor adds may hold the line too.
		if n := strings.LastIndex(text, ideRequest); n >= 0 {
			n += len(ideRequest)
			add(text[:n], Injected)
			text = text[n:]
		}
	}
	if strings.HasPrefix(text, codexSummary) {
		add(text, Summary)
		return out
	}
	for _, p := range apart(text, cut) {
		add(p.text, p.origin)
	}
	return out
}

// codexSummary begins the message that stands for what was compacted.
const codexSummary = "Another language model started to solve this problem and produced a summary"

func (cx *codex) item(t *Turn, it *item) error {
	if it.kind == "" && it.role != "" {
		it.kind = "message"
	}
	if it.kind == "message" && it.role == "user" {
		cx.hold(t, it)
		if len(cx.held) > maxHeld || cx.size > heldSize {
			return cx.flush()
		}
		return nil
	}
	if err := cx.flush(); err != nil {
		return err
	}
	switch it.kind {
	case "message":
		cx.message(t, it)
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call":
		cx.called(t, it)
	case "function_call_output", "custom_tool_call_output", "tool_search_output":
		cx.answered(t, it)
	case "reasoning":
		t.Role = Assistant
		for _, raw := range [][]byte{it.summary, it.content} {
			if s, cut := textOf(raw, MaxText); s != "" {
				t.Blocks = append(t.Blocks, Block{Kind: Thinking, Origin: Agent, Text: s, Cut: cut})
			}
		}
	case "agent_message": // of another agent
		t.Role = User
		s, cut := textOf(it.content, MaxText)
		t.add(s, cut, Injected)
	default:
		if !quiet(codexItems, it.kind) {
			cx.st.unknown("response_item:" + it.kind)
		}
	}
	return cx.pass(t, it)
}

func (cx *codex) message(t *Turn, it *item) {
	origin := Injected
	switch it.role {
	case "assistant":
		t.Role, origin = Assistant, Agent
	default: // developer, system
		t.Role = System
	}
	s, cut := textOf(it.content, MaxText)
	t.add(s, cut, origin)
}

// hold keeps a user message until it is clear who wrote it.
func (cx *codex) hold(t *Turn, it *item) {
	t.Role, t.Source = User, cx.meta.source
	if len(it.content) > 0 && it.content[0] == '"' {
		s, cut := textOf(it.content, MaxText)
		t.Blocks = personal(s, cut)
	}
	c := &cursor{b: it.content}
	if len(it.content) > 0 && it.content[0] == '[' {
		c.items(func() {
			var text []byte
			kind := ""
			c.members(func(name []byte) {
				switch string(name) {
				case "type":
					kind = c.short()
				case "text":
					if c.peek() == '"' {
						text = c.quoted()
					}
				}
			})
			if len(t.Blocks) >= maxParts {
				return
			}
			if kind == "input_image" {
				t.Blocks = append(t.Blocks, Block{Kind: Other, Origin: Injected})
				return
			}
			s, cut := decode(text, MaxText)
			t.Blocks = append(t.Blocks, personal(s, cut)...)
		})
	}
	if len(t.Blocks) > 0 {
		t.ID = it.id
		cx.held = append(cx.held, t)
		for _, b := range t.Blocks {
			cx.size += len(b.Text)
		}
	}
}

func (cx *codex) called(t *Turn, it *item) {
	t.Role = Assistant
	name := it.name
	switch {
	case it.kind == "local_shell_call":
		name = "local_shell"
	case it.kind == "web_search_call":
		name = "web_search"
	case it.kind == "tool_search_call":
		name = "tool_search"
	case it.space != "":
		name = it.space + "__" + it.name
	}
	input := it.arguments
	if len(input) == 0 {
		input = it.action
	}
	// The arguments are JSON in a string.
	if len(input) > 0 && input[0] == '"' && len(input) <= MaxText {
		if s, _ := decode(input[1:len(input)-1], MaxText); (&cursor{b: []byte(s)}).whole() {
			input = []byte(s)
		}
	}
	b := Block{Kind: Call, Origin: Agent, Tool: name, ID: it.call}
	if len(input) <= MaxText {
		b.Input = json.RawMessage(bytes.Clone(input))
	}
	cx.calls.put(it.call, call{name: name, origin: originOf(name, input)})
	t.Blocks = append(t.Blocks, b)
}

func (cx *codex) answered(t *Turn, it *item) {
	t.Role = User
	b := Block{Kind: Result, Origin: Tool, ID: it.call}
	if known, ok := cx.calls.get(it.call); ok {
		b.Tool, b.Origin = known.name, known.origin
	}
	raw := it.output
	if len(raw) > 0 && raw[0] == '{' { // {content, success}
		raw, b.Failed = unwrap(raw)
	}
	b.Text, b.Cut = textOf(raw, MaxText)
	if strings.HasPrefix(b.Text, `{"output":`) && !b.Cut { // shell: {output, metadata: {exit_code}}
		inner, failed := unwrap([]byte(b.Text))
		if inner != nil {
			b.Text, b.Cut = textOf(inner, MaxText)
			b.Failed = b.Failed || failed
		}
	}
	b.Failed = b.Failed || exitFailed(b.Text)
	t.Blocks = append(t.Blocks, b)
}

// unwrap takes the text out of an object around a tool's output, nil if there is
// none.
func unwrap(raw []byte) (text []byte, failed bool) {
	c := &cursor{b: raw}
	c.members(func(name []byte) {
		switch string(name) {
		case "output", "content":
			text = c.raw()
		case "success":
			failed = failed || c.peek() == 'f'
		case "metadata":
			c.members(func(name []byte) {
				if string(name) == "exit_code" {
					v := c.raw()
					failed = failed || string(v) != "0" && string(v) != "null"
				}
			})
		}
	})
	if !c.end() {
		return nil, false
	}
	return text, failed
}

// exitFailed reads the lines that Codex puts before a command's output.
func exitFailed(text string) bool {
	for _, mark := range []string{"Process exited with code ", "Exit code: ", "exit code: "} {
		head := text[:min(len(text), 400)]
		if i := strings.Index(head, mark); i >= 0 && (i == 0 || head[i-1] == '\n') {
			rest := head[i+len(mark):]
			return rest != "" && rest[0] != '0'
		}
	}
	return false
}
