package transcript

import "strings"

// byPerson reports whether the client says that a person made the turn. It is a
// decision about trust: what is not known counts against it.
//
// Measured on 2.1.332: a typed prompt has origin {"kind":"human"}, turnOrigin
// "human" and promptSource "typed", or "queued" when it was typed while the agent
// worked; headless, promptSource and turnOrigin are "sdk" and there is no origin.
// Slash commands, `!` commands and their output have no promptSource, what hooks,
// skills and the client put in has isMeta, a notification has an origin of another
// kind and promptSource "system". Older logs have none of these fields: there the
// marks that are missing, and the tags in the text, are all there is.
func (r *row) byPerson() bool {
	switch {
	case r.kind != "user", r.sidechain, r.meta, r.summary, r.agent != "", r.apiError:
		return false
	case r.result, r.denial != "", r.msg.role != "" && r.msg.role != "user":
		return false
	case r.hasOrigin && r.originKind != "human":
		return false
	case r.userType != "" && r.userType != "external" && r.userType != "human":
		return false
	case r.turnOrigin != "" && r.turnOrigin != "human" && r.turnOrigin != "sdk":
		return false
	case r.rowSource != "" && r.rowSource != "local":
		return false
	}
	switch r.promptSource {
	case "typed", "queued", "sdk":
		return true
	case "":
		// A client that writes where prompts come from, and did not here.
		return r.rowSource == "" && r.turnOrigin == "" && !r.hasOrigin && !r.hasPosition
	}
	return false
}

func (cl *claude) user(t *Turn, r *row) bool {
	results := r.msg.more // who knows what it has
	for i := range r.msg.parts {
		results = results || strings.HasSuffix(r.msg.parts[i].kind, "tool_result")
	}
	person := r.byPerson() && !results // no person types beside a tool's result
	if r.msg.isText {
		cl.said(t, r, r.msg.text, person)
	}
	for i := range r.msg.parts {
		p := &r.msg.parts[i]
		if p.kind == "text" {
			cl.said(t, r, p.text, person)
		} else {
			cl.block(t, p, Injected)
		}
	}
	cl.finish(t, r)
	cl.feedback(t, r)
	return r.msg.ok()
}

// said adds a text of a user turn.
func (cl *claude) said(t *Turn, r *row, raw []byte, person bool) {
	text, cut := decode(raw, cl.limit)
	switch {
	case r.summary || strings.HasPrefix(strings.TrimSpace(text), continued):
		t.add(text, cut, Summary)
	case person:
		for _, p := range apart(text, cut) {
			t.add(p.text, cut, p.origin)
		}
	case r.sidechain && r.parent == "" && !r.meta && hostTag(text) < 0 && !hostWords(text):
		// What a subagent is asked to do, the agent above it wrote.
		t.add(text, cut, Agent)
	default:
		t.add(text, cut, broughtIn(text))
	}
}

// feedback adds what the person typed when they refused a call. It stands in the
// result's text too, behind the client's words; here the client says itself, in a
// field that no tool can write, that it is theirs. Measured on 2.1.332.
func (cl *claude) feedback(t *Turn, r *row) {
	if !r.holdsWords || r.denial != "user-rejected" || r.sidechain || r.agent != "" || r.hasOrigin && r.originKind != "human" || len(r.feedback) < 2 || r.feedback[0] != '"' {
		return
	}
	text, cut := decode(r.feedback[1:len(r.feedback)-1], cl.limit)
	for _, p := range apart(text, cut) {
		t.add(p.text, cut, p.origin)
	}
	t.Source = "feedback"
}

// refused reports whether a result says that the person did not let the tool run.
func refused(text string) bool {
	return strings.HasPrefix(text, "The user doesn't want to ") || strings.HasPrefix(text, "[Request interrupted by user")
}

// finish adds to the results what the client keeps beside them.
func (cl *claude) finish(t *Turn, r *row) {
	o := &r.outcome
	if o.file != "" {
		if text, ok := o.text(); ok {
			t.Wrote, t.Content = o.file, []byte(text)
		}
	}
	for i := range t.Blocks {
		b := &t.Blocks[i]
		if b.Kind != Result {
			continue
		}
		switch {
		case b.Origin == Tool && isRecalled(o.looked):
			b.Origin = Recalled
		case b.Origin == Tool && b.Tool == "" && o.web:
			b.Origin = Web
		}
		b.Failed = b.Failed || o.interrupted || r.denial != "" || refused(b.Text)
	}
}

// quietAttachments are what the client tells the model, or itself, about the
// session: nothing that anybody said. Measured on 2.1.332.
const quietAttachments = " hook_success hook_system_message hook_cancelled hook_non_blocking_error prompt_snapshot skill_listing deferred_tools_delta agent_listing_delta mcp_instructions_delta " +
	"environment model date date_change remote_session_change command_permissions auto_mode auto_mode_exit plan_mode plan_mode_exit plan_mode_reentry todo_reminder todo task_reminder token_usage budget_usd ultrathink_effort " +
	"output_style critical_system_reminder verify_plan_reminder compaction_reminder context_efficiency structured_output agent_setting "

// knownAttachments are those whose text is kept.
const knownAttachments = " file new_file already_read_file compact_file_reference pdf_reference directory edited_text_file edited_image_file selected_lines_in_ide opened_file_in_ide diagnostics " +
	"instructions nested_memory relevant_memories ultramemory memory session_context hook_additional_context hook_blocking_error hook_error_during_execution hook_stopped_continuation async_hook_response " +
	"queued_command mcp_resource agent_mention skill_discovery invoked_skills dynamic_skill plan_file_reference task_status teammate_mailbox team_context "

// attached reads what the client attached to a turn: files, instructions, notes,
// what hooks said, and what the person typed while the agent worked.
func (cl *claude) attached(t *Turn, r *row) bool {
	var a attachment
	c := &cursor{b: r.attachment}
	if len(r.attachment) == 0 || c.peek() != '{' {
		return false
	}
	a.read(c)
	if quiet(quietAttachments, a.kind) {
		return true
	}
	if !quiet(knownAttachments, a.kind) {
		cl.st.unknown("attachment:" + a.kind)
	}
	if r.renderedRole == "system" {
		t.Role = System
	}
	if a.kind == "queued_command" {
		return cl.queued(t, r, &a)
	}
	text, cut := renderedText(r.rendered, cl.limit)
	if text == "" {
		text, cut = textOf(a.content, cl.limit)
	}
	o := broughtIn(text)
	if a.isMemory() {
		o = Recalled
	}
	t.add(text, cut, o)
	return true
}

// queued is a prompt that reached the agent while it worked. It is the person's
// if the client says so in each way that it has.
func (cl *claude) queued(t *Turn, r *row, a *attachment) bool {
	t.Role, t.Source = User, "queued"
	person := a.human && a.originKind == "human" && a.mode == "prompt" && a.kinds == 1 && !a.meta && !r.sidechain && !r.meta && r.agent == ""
	text, cut := textOf(a.prompt, cl.limit)
	if person {
		for _, p := range apart(text, cut) {
			t.add(p.text, cut, p.origin)
		}
		return true
	}
	t.add(text, cut, broughtIn(text))
	return true
}

type attachment struct {
	kind, file      string
	mode            string
	originKind      string
	kinds           int // how many origins it has
	human, meta     bool
	prompt, content []byte
}

func (a *attachment) read(c *cursor) {
	c.members(func(name []byte) {
		switch string(name) {
		case "type":
			a.kind = c.short()
		case "filename", "path":
			a.file = c.short()
		case "commandMode":
			a.mode = c.short()
		case "humanTurn":
			a.human = c.peek() == 't'
		case "isMeta":
			a.meta = c.is()
		case "origin":
			a.kinds++
			_, a.originKind = c.origin()
		case "prompt":
			a.prompt = c.raw()
		case "content":
			a.content = c.raw()
		}
	})
}

func (a *attachment) isMemory() bool {
	return a.kind == "instructions" || strings.Contains(a.kind, "memor") || isRecalled(a.file)
}

// renderedText is what the client made of an attachment for the model.
func renderedText(raw []byte, limit int) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	c := &cursor{b: raw}
	j := joined{limit: limit}
	c.items(func() {
		if c.peek() != '{' {
			return
		}
		c.members(func(name []byte) {
			if string(name) == "content" && c.peek() == '"' {
				j.add(c.quoted())
			}
		})
	})
	return strings.Join(j.texts, "\n"), j.cut
}
