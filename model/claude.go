package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// claudeCLI asks Claude Code, for people who have a subscription and no key.
type claudeCLI struct {
	path, model string
	getenv      func(string) string
}

// claudeOverhead in tokens: what the client puts around our prompts.
// measured on 2.1.332: a request of 1,900 bytes for a prompt of 30.
const claudeOverhead = 1000

func newClaude(s spec, getenv func(string) string) (Engine, error) {
	path := lookPath("claude", getenv)
	if path == "" {
		return nil, fmt.Errorf("%w: the program claude is not on PATH", ErrNoEngine)
	}
	return &claudeCLI{path, s.model, getenv}, nil
}

// claudeArgs leave nothing of the client but the model.
// measured on 2.1.332: with these the request holds no tools, no CLAUDE.md, no
// rules, skills, agents or memory; no hook and no MCP server starts; nothing is
// written below projects/ (~/.claude.json gets its usual counters). --bare would
// do too, but it takes no login of a subscription.
func claudeArgs(systemFile, model string) []string {
	args := []string{
		"-p", "--output-format", "json",
		"--safe-mode", "--setting-sources", "", "--strict-mcp-config", "--disable-slash-commands",
		"--tools", "", "--no-session-persistence",
	}
	if systemFile != "" {
		args = append(args, "--system-prompt-file", systemFile)
	} else {
		// One of ours: without, it would be that of a coding agent.
		args = append(args, "--system-prompt", "Answer.")
	}
	if model != "" {
		args = append(args, "--model", model)
	}
	return args
}

func (c *claudeCLI) environment(r Request) []string {
	names := append(secretVariables(),
		"CLAUDE_CONFIG_DIR", "ANTHROPIC_BASE_URL", "ANTHROPIC_CUSTOM_HEADERS",
		"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY",
		"AWS_PROFILE", "AWS_REGION", "AWS_ACCESS_KEY_ID", "ANTHROPIC_VERTEX_PROJECT_ID", "CLOUD_ML_REGION",
		"GOOGLE_APPLICATION_CREDENTIALS", "ANTHROPIC_FOUNDRY_RESOURCE", "ANTHROPIC_FOUNDRY_API_KEY")
	return append(
		environment(c.getenv, names),
		"CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
		"CLAUDE_CODE_MAX_RETRIES=0", // retries are ours: each is booked
		"CLAUDE_CODE_MAX_OUTPUT_TOKENS="+strconv.Itoa(r.MaxOutput()),
	)
}

type claudeResult struct {
	Type       string `json:"type"`
	IsError    bool   `json:"is_error"`
	Status     *int   `json:"api_error_status"`
	StopReason string `json:"stop_reason"`
	Result     string `json:"result"`
	Usage      struct {
		Input      int `json:"input_tokens"`
		Output     int `json:"output_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
	} `json:"usage"`
}

func (r claudeResult) usage() Usage {
	u := r.Usage
	return Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite}
}

// Ask runs the program once, in an empty folder.
func (c *claudeCLI) Ask(ctx context.Context, r Request) (*Response, error) {
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
		path: c.path, args: claudeArgs(room.system, c.model), env: c.environment(r), dir: room.work, stdin: []byte(prompt),
	})
	var res claudeResult
	if json.Unmarshal(out, &res) != nil || res.Type != "result" {
		if err != nil {
			return nil, programFailure("claude", err)
		}
		return nil, &Failure{Err: ErrServer, Text: "claude printed no result in JSON", Unsure: true}
	}
	if res.IsError || err != nil {
		return nil, res.failure()
	}
	calls, err := unflatten(res.Result, r)
	if err != nil {
		return nil, err
	}
	return &Response{Text: res.Result, Calls: calls, Usage: res.usage(), Full: res.StopReason == "max_tokens"}, nil
}

// failure tells what the client says in is_error and api_error_status.
// measured on 2.1.332: both are set, with subtype "success" and exit status 1; the
// text in result echoes the server's.
func (r claudeResult) failure() error {
	if r.Status == nil {
		return &Failure{Err: ErrServer, Text: "claude failed without a status; is it logged in?", Unsure: true, Usage: r.usage()}
	}
	f := StatusFailure(*r.Status)
	f.Usage = r.usage()
	return f
}
