package testkit

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Observed is what the real client sent in one session.
type Observed struct {
	Want
	System   string            // the system prompt, joined
	Requests []json.RawMessage // every request with tools, as sent
	Output   string            // what the client printed
	Ages     []int             // days stated by the reads, in order
}

// RunClaude starts the client program in the layout, headless and offline, has
// it read the layout's reads one by one, and tells what reached the model.
func RunClaude(ctx context.Context, program string, l *Layout) (*Observed, error) {
	var script []Reply
	if l.Agent != "" {
		script = append(script,
			Reply{Tool: "Agent", Input: map[string]any{"subagent_type": l.Agent, "description": "look", "prompt": "look around"}},
			Reply{Text: "looked"})
	}
	for _, r := range l.Reads {
		script = append(script, Reply{Tool: "Read", Input: map[string]any{"file_path": r}})
	}
	srv, err := NewModelServer(script...)
	if err != nil {
		return nil, err
	}
	defer srv.Close() //nolint:errcheck // a test server

	args := append([]string{"-p", "hello", "--allowedTools", "Bash Read"}, l.Args...)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = l.Cwd
	cmd.Env = []string{
		"HOME=" + l.Home, "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "PWD=" + l.Cwd,
		"ANTHROPIC_API_KEY=dummy", "ANTHROPIC_BASE_URL=" + srv.URL,
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
	for k, v := range l.Env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("running the client: %w\n%s", err, out)
	}
	obs := &Observed{Requests: srv.Requests(), Output: string(out)}
	if len(obs.Requests) == 0 {
		return nil, fmt.Errorf("the client sent no request; it printed: %s", out)
	}
	if err := obs.parseAgent(l.Root); err != nil {
		return nil, err
	}
	return obs, obs.parse(l)
}

// AgentMemory is the memory part of a subagent's system prompt.
type AgentMemory struct {
	Dir   string `json:"dir"`   // its folder, relative to the layout's root
	Index string `json:"index"` // the index text, or what the client says in its place
}

const (
	agentHead = "# Persistent Agent Memory"
	agentTail = "\n\nMessages from the agent that launched you"
)

var agentDir = regexp.MustCompile("`(/[^`]*agent-memory[^`]*)`")

func (o *Observed) parseAgent(root string) error {
	for _, raw := range o.Requests {
		var req struct {
			System json.RawMessage `json:"system"`
		}
		if err := json.Unmarshal(raw, &req); err != nil {
			return err
		}
		_, text, found := strings.Cut(strings.Join(texts(req.System), "\n"), agentHead)
		if !found {
			continue
		}
		o.Agent = &AgentMemory{}
		if m := agentDir.FindStringSubmatch(text); m != nil {
			o.Agent.Dir, _ = filepath.Rel(root, m[1])
		}
		_, index, _ := strings.Cut(text, "## MEMORY.md\n\n")
		index, _, _ = strings.Cut(index, agentTail)
		o.Agent.Index = strings.TrimSpace(index)
	}
	return nil
}

type wireMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

type wireBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
}

// texts returns the text of a message or of a tool result, block by block.
func texts(raw json.RawMessage) []string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []string{s}
	}
	var blocks []wireBlock
	if json.Unmarshal(raw, &blocks) != nil {
		return nil
	}
	var out []string
	for _, b := range blocks {
		if b.Type == "tool_result" {
			out = append(out, texts(b.Content)...)
		} else {
			out = append(out, b.Text)
		}
	}
	return out
}

func (o *Observed) parse(l *Layout) error {
	var first, last struct {
		System   json.RawMessage `json:"system"`
		Messages []wireMessage   `json:"messages"`
	}
	if err := json.Unmarshal(o.Requests[0], &first); err != nil {
		return err
	}
	if err := json.Unmarshal(o.Requests[len(o.Requests)-1], &last); err != nil {
		return err
	}
	o.System = strings.Join(texts(first.System), "\n")
	var start []string
	for _, m := range first.Messages {
		start = append(start, texts(m.Content)...)
	}
	o.Loaded = parseStart(start, l.Root)
	for i, m := range last.Messages {
		if i < len(first.Messages) {
			continue
		}
		for _, t := range texts(m.Content) {
			o.AfterReads = append(o.AfterReads, parseAfter(t, l.Root)...)
			if d := agePattern.FindStringSubmatch(t); d != nil {
				n, _ := strconv.Atoi(d[1])
				o.Ages = append(o.Ages, n)
			}
		}
	}
	if len(o.Ages) > 0 {
		o.AgeDays = &o.Ages[0]
	}
	return nil
}

var (
	agePattern  = regexp.MustCompile(`This memory is (\d+) days? old`)
	fileHeader  = regexp.MustCompile(`(?m)^Contents of ([/<][^\n]*?)( \([^\n]*\))?:\n\n`)
	sizeWarning = regexp.MustCompile(`(?s)\n\n> WARNING: MEMORY\.md is .*$`)
)

// instructionsHead opens the one text block that holds the start-up files.
const instructionsHead = "Codebase and user instructions are shown below."

func parseStart(blocks []string, root string) []Loaded {
	var text string
	for _, b := range blocks {
		if strings.Contains(b, instructionsHead) {
			text = b
		}
	}
	text = strings.TrimSuffix(strings.TrimSpace(text), "</system-reminder>")
	var out []Loaded
	heads := fileHeader.FindAllStringSubmatchIndex(text, -1)
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		label := ""
		if h[4] >= 0 {
			label = text[h[4]:h[5]]
		}
		body, warning := splitWarning(text[h[1]:end])
		path, _ := filepath.Rel(root, text[h[2]:h[3]])
		out = append(out, Loaded{Path: path, Scope: labelScope(label), Text: strings.TrimSpace(body), Warning: warning, Cut: parseCut(warning)})
	}
	return out
}

var (
	cutLines  = regexp.MustCompile(`(\d+) of (\d+) lines were cut off, starting at line (\d+) `)
	cutWithin = regexp.MustCompile(`characters of line (\d+) was cut off`)
	cutHead   = regexp.MustCompile(`MEMORY\.md is (\d+ lines)?( and )?([\d.]+KB)?`)
)

// parseCut reads the figures out of the client's warning, nil without one.
func parseCut(warning string) *Cut {
	if warning == "" {
		return nil
	}
	c := &Cut{}
	switch h := cutHead.FindStringSubmatch(warning); {
	case h[1] != "" && h[3] != "":
		c.By = "both"
	case h[1] != "":
		c.By = "lines"
	default:
		c.By = "size"
	}
	if m := cutLines.FindStringSubmatch(warning); m != nil {
		c.CutLines, _ = strconv.Atoi(m[1])
		c.TotalLines, _ = strconv.Atoi(m[2])
		c.FirstCutLine, _ = strconv.Atoi(m[3])
	}
	if m := cutWithin.FindStringSubmatch(warning); m != nil {
		c.WithinLine, _ = strconv.Atoi(m[1])
	}
	return c
}

func splitWarning(body string) (string, string) {
	if m := sizeWarning.FindStringIndex(body); m != nil {
		return body[:m[0]], strings.TrimSpace(body[m[0]:])
	}
	return body, ""
}

func parseAfter(text, root string) []Loaded {
	var out []Loaded
	for _, part := range strings.Split(text, "<system-reminder>") {
		h := fileHeader.FindStringSubmatchIndex(part)
		if h == nil {
			continue
		}
		body, _, _ := strings.Cut(part[h[1]:], "</system-reminder>")
		path, _ := filepath.Rel(root, part[h[2]:h[3]])
		out = append(out, Loaded{Path: path, Text: strings.TrimSpace(body)})
	}
	return out
}

func labelScope(label string) string {
	switch {
	case strings.Contains(label, "auto-memory"):
		return "memory"
	case strings.Contains(label, "not checked in"):
		return "local"
	case strings.Contains(label, "global"):
		return "user"
	case strings.Contains(label, "checked into"):
		return "project"
	case strings.Contains(label, "organization-managed"):
		return "managed"
	}
	return "?" + label
}
