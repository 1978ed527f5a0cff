package scan

import "strings"

// harnessTags frame what the program around the model says; nobody writes them
// in a note by chance.
const harnessTags = ` system-reminder system_reminder tool_result tool_results function_results function_calls tool_use
 memory memories untrusted untrusted_data untrusted-data user_message user_query system_prompt system-prompt
 system_message command-message command-name local-command-stdout claude_md user-prompt-submit-hook persisted-output 
 antml:invoke antml:function_calls invoke function_result conversation_history task-notification `

// generalTags are tags of prompts and of many other things.
const generalTags = ` system instructions instruction user assistant developer admin operator human context data document prompt policy
 important override directive rules inst notes note `

// spoofs finds forged frames.
func (r *run) spoofs() {
	code := codeSpans{text: r.view.text}
	text := r.view.text
	opened := map[string]bool{}
	for at := 0; ; {
		start := at
		for start < len(text) && text[start] != '<' && text[start] != '[' {
			start++
		}
		if start == len(text) {
			break
		}
		at = start + 1
		rule, end := spoofAt(text, start, opened)
		if rule == "" {
			continue
		}
		in, about := code.covers(start), r.aboutAttacks()
		if in && (rule != "spoof/token" || about) || !in && about && rule != "spoof/harness" && !startsItsLine(text, start) {
			continue
		}
		if in && !startsItsLine(text, start) {
			continue
		}
		r.addView(rule, start, end)
		at = end
	}
	r.spoofLines()
}

// aboutAttacks reports a text that talks of attacks at all.
func (r *run) aboutAttacks() bool {
	if !r.asked {
		r.asked, r.attacks = true, talksOfAttacks(r.view.text)
	}
	return r.attacks
}

func talksOfAttacks(text string) bool {
	for _, w := range [...]string{"injection", "sanitiz", "sanitis", "escaped", "escape", "attacker", "spoof", "jailbreak", "parser"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// spoofAt says what begins at start: a control token, a tag of a frame.
func spoofAt(text string, start int, opened map[string]bool) (rule string, end int) {
	rest := text[start:min(len(text), start+80)]
	for _, t := range [...]string{
		"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "<|eot_id|>", "<|begin_of_text|>",
		"<|start_header_id|>", "<|end_header_id|>", "<|end|>", "<<sys>>", "<</sys>>", "[inst]", "[/inst]", "<start_of_turn>", "<end_of_turn>",
		"[system]", "[/system]", "<|fim_prefix|>", "<|tool_call|>", "<|channel|>",
	} {
		if strings.HasPrefix(rest, t) {
			if t == "[system]" && !startsItsLine(text, start) {
				return "", 0
			}
			return "spoof/token", start + len(t)
		}
	}
	if rest[0] != '<' {
		return "", 0
	}
	name, closing := strings.CutPrefix(rest[1:], "/")
	i := strings.IndexAny(name, " \t\n>/")
	if i <= 0 {
		return "", 0
	}
	name = name[:i]
	end = start + 1 + i
	if closing {
		end++
	}
	if n := strings.IndexByte(text[end:min(len(text), end+200)], '>'); n >= 0 {
		end += n + 1
	}
	breaksOut := closing && !opened[name]
	if !closing && len(opened) < 256 {
		opened[name] = true
	}
	return tagRule(text, start, end, name, breaksOut), end
}

func tagRule(text string, start, end int, name string, breaksOut bool) string {
	first := startsItsLine(text, start)
	alone := first && strings.TrimSpace(text[end:lineEnd(text, end)]) == ""
	word := " " + name + " "
	switch {
	case strings.Contains(harnessTags, word) || strings.Contains(harnessTags, " "+name+"\n"):
		if first || breaksOut {
			return "spoof/harness"
		}
		return "spoof/tag"
	case strings.Contains(generalTags, word) && breaksOut && first:
		return "spoof/harness"
	case strings.Contains(" system instructions user assistant developer operator override ", word) && alone:
		return "spoof/tag"
	case strings.Contains(" system user assistant developer operator human ", word) && first && !breaksOut && speech(text[end:lineEnd(text, end)], name):
		return "spoof/tag"
	}
	return ""
}

// speech reports that a tag's element holds words, as a turn of a conversation
// does, and not a value.
func speech(rest, name string) bool {
	inside, _, ok := strings.Cut(rest, "</"+name)
	return ok && strings.Count(strings.TrimSpace(inside), " ") >= 2
}

func startsItsLine(text string, at int) bool {
	for at > 0 && (text[at-1] == ' ' || text[at-1] == '\t') {
		at--
	}
	return at == 0 || text[at-1] == '\n'
}

// spoofLines looks at lines that pose as somebody, or as the end of something.
func (r *run) spoofLines() {
	text := r.view.text
	for at := 0; at < len(text); {
		end := lineEnd(text, at)
		line := text[at:min(end, at+400)]
		if rule := r.lineRule(line); rule != "" {
			r.addView(rule, at, at+len(line))
		}
		at = end + 1
	}
}

func (r *run) lineRule(line string) string {
	trimmed := strings.TrimLeft(line, " \t#*_->[(")
	if len(trimmed) < 6 {
		return ""
	}
	switch trimmed[0] {
	case 's', 'd', 'o', 'a', 'h':
		if rest, ok := roleLine(trimmed); ok && r.isRequest(rest) {
			return "spoof/role"
		}
	}
	if trimmed[0] == 'e' || trimmed[0] == 'b' || trimmed[0] == '=' || strings.ContainsAny(line[:min(3, len(line))], "-=#*~[<") {
		if boundaryLine(line) {
			return "spoof/boundary"
		}
	}
	return ""
}

// roleLine splits "system:" and its like from what it says.
func roleLine(line string) (rest string, ok bool) {
	for _, role := range [...]string{"system", "developer", "operator", "admin", "anthropic", "openai", "human"} {
		after, found := strings.CutPrefix(line, role)
		if !found {
			continue
		}
		after = strings.TrimLeft(after, "*_ ])")
		for _, more := range [...]string{"prompt", "message", "note", "override", "update", "notice", "instruction", "instructions", "reminder"} {
			after = strings.TrimLeft(strings.TrimPrefix(after, more), "*_ ])")
		}
		if rest, found = strings.CutPrefix(after, ":"); found {
			return rest, true
		}
	}
	return "", false
}

// isRequest reports that what a role says asks the agent for something: it
// speaks to "you" or begins with a request, and is no mere value.
func (r *run) isRequest(text string) bool {
	l := lexer{text: text, words: r.words, hosts: &r.hosts, own: r.own}
	for l.next() {
		if len(l.s.tokens) < 3 {
			continue
		}
		if l.s.all.meets(&r.own.you) {
			return true
		}
		for i := range l.s.tokens {
			if l.s.tokens[i].is(imperative) {
				return true
			}
		}
	}
	return false
}

// boundaryLine reports a line such as "--- END OF UNTRUSTED DATA ---".
func boundaryLine(line string) bool {
	bare := strings.Trim(line, " \t-=#*~<>[]_!/")
	if len(line)-len(bare) < 4 || len(bare) > 80 || !strings.ContainsAny(line[:1], "-=#*~<[_!/ ") {
		return false
	}
	rest, ok := strings.CutPrefix(bare, "end ")
	if !ok {
		rest, ok = strings.CutPrefix(bare, "begin ")
	}
	if !ok {
		return false
	}
	for _, what := range [...]string{
		"untrusted", "memory", "memories", "context", "user input", "user data", "system", "notes", "data", "document", "instructions",
		"tool output", "tool result", "quoted", "conversation", "transcript", "prompt", "trusted", "user message", "note",
	} {
		rest = strings.TrimPrefix(rest, "of ")
		rest = strings.TrimPrefix(rest, "the ")
		if strings.HasPrefix(rest, what) {
			return true
		}
	}
	return false
}
