package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// codexCLI asks OpenAI's Codex, for people who have a subscription and no key.
type codexCLI struct {
	path, model string
	getenv      func(string) string
}

// codexOverhead in tokens: what is left around our prompts, and the person's own
// AGENTS.md of up to 32 KiB (the limit of its documentation).
// measured on codex 0.171.0: a request of 3,700 bytes without that file.
const codexOverhead = 2_000 + 32<<10/3

func newCodex(s spec, getenv func(string) string) (Engine, error) {
	path := lookPath("codex", getenv)
	if path == "" {
		return nil, fmt.Errorf("%w: the program codex is not on PATH", ErrNoEngine)
	}
	return &codexCLI{path, s.model, getenv}, nil
}

// codexArgs leave as little of Codex as it lets go of.
// measured on codex 0.171.0: the request shrinks from 38,900 bytes and six tools to
// 3,700 bytes and one (request_user_input, which nobody answers in this mode); no
// session file is written. What could not be turned off: AGENTS.md in its home
// folder, which is the person's own text.
func codexArgs(systemFile, model string) []string {
	args := []string{
		"exec", "--json", "--ephemeral", "--ignore-user-config", "--ignore-rules",
		"--skip-git-repo-check", "--sandbox", "read-only", "--color", "never",
	}
	for _, feature := range []string{
		"shell_tool", "unified_exec", "multi_agent", "goals", "view_image", "apps", "plugins", "hooks", "skill_search", "memories",
		"image_generation", "browser_use", "computer_use", "tool_suggest", "mentions_v2", "shell_snapshot", "sleep_tool",
	} {
		args = append(args, "--disable", feature)
	}
	for _, setting := range []string{
		`web_search="disabled"`, "skills.include_instructions=false", "skills.bundled.enabled=false", "project_doc_max_bytes=0",
		"include_environment_context=false", "include_permissions_instructions=false", "include_apps_instructions=false",
	} {
		args = append(args, "-c", setting)
	}
	if systemFile != "" {
		args = append(args, "-c", "model_instructions_file="+strconv.Quote(systemFile))
	}
	if model != "" {
		args = append(args, "--model", model)
	}
	return append(args, "-") // the prompt is on standard input
}

type codexEvent struct {
	Type string `json:"type"`
	Item struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"item"`
	Usage struct {
		Input  int `json:"input_tokens"`
		Cached int `json:"cached_input_tokens"` // part of Input
		Output int `json:"output_tokens"`
	} `json:"usage"`
}

// Ask runs the program once, in an empty folder.
func (c *codexCLI) Ask(ctx context.Context, r Request) (*Response, error) {
	system, prompt, err := flatten(r)
	if err != nil {
		return nil, &Failure{Err: ErrRefused, Text: "the request can't be written as JSON"}
	}
	room, err := makeRoom(system)
	if err != nil {
		return nil, err
	}
	defer room.remove()
	out, err := run(ctx, program{
		path: c.path, args: codexArgs(room.system, c.model), dir: room.work, stdin: []byte(prompt),
		env: environment(c.getenv, []string{"CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"}),
	})
	if err != nil {
		return nil, programFailure("codex", err)
	}
	return readCodex(out, r)
}

func readCodex(out []byte, r Request) (*Response, error) {
	res := &Response{}
	var failed, done bool
	for line := range bytes.Lines(out) {
		var e codexEvent
		if json.Unmarshal(line, &e) != nil {
			continue // it is not all JSON when something goes wrong
		}
		switch e.Type {
		case "item.completed":
			if e.Item.Type == "agent_message" {
				res.Text = e.Item.Text // the last is the answer
			}
		case "turn.completed":
			done = true
			res.Usage = Usage{Input: e.Usage.Input - e.Usage.Cached, CacheRead: e.Usage.Cached, Output: e.Usage.Output}
		case "turn.failed":
			failed = true
		}
	}
	if failed || !done {
		return nil, &Failure{Err: ErrServer, Text: "codex gave no answer; run it once by hand to see why", Unsure: true}
	}
	calls, err := unflatten(res.Text, r)
	res.Calls = calls
	return res, err
}
