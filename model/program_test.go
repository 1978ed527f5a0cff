//go:build unix

package model

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

const cliKey = "sk-ant-cli-secret-42"

// fake puts a shell script on a PATH of its own. What it is given is kept in the
// folder record.
func fake(t *testing.T, name, body string) (getenv func(string) string, record string) {
	t.Helper()
	dir := t.TempDir()
	record = filepath.Join(dir, "record")
	if err := os.Mkdir(record, 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nR=" + record + "\nenv >$R/env\npwd >$R/pwd\nls -A >$R/ls\nfor a in \"$@\"; do printf '%s\\n' \"$a\"; done >$R/args\n" + body
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
	return env("PATH", dir+":/usr/bin:/bin", "HOME", "/nonexistent", "ANTHROPIC_API_KEY", cliKey, "SECRET_OF_OTHERS", "leak"), record
}

func recorded(t *testing.T, record, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(record, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const claudeGood = `cat >$R/stdin; cp "$(sed -n '/--system-prompt-file/{n;p;}' $R/args)" $R/system
echo '{"type":"result","subtype":"success","is_error":false,"result":"the answer; '$ANTHROPIC_API_KEY'","stop_reason":"end_turn","usage":{"input_tokens":11,"output_tokens":7,"cache_read_input_tokens":3,"cache_creation_input_tokens":2}}'`

func TestClaudeIsAskedWithNothingAroundIt(t *testing.T) {
	t.Parallel()
	getenv, record := fake(t, "claude", claudeGood)
	m, err := Open(Config{Spec: "claude-cli:sonnet", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	r := ask("PROMPT")
	r.System, r.MaxTokens = "SYSTEM", 77
	res, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if res.Text != "the answer; [key]" || res.Usage.Input != 11 || res.Usage.CacheWrite != 2 || res.Usage.Dollars == 0 {
		t.Errorf("%+v", res)
	}
	args, environ := recorded(t, record, "args"), recorded(t, record, "env")
	for _, want := range []string{"-p\n", "--safe-mode\n", "--setting-sources\n\n", "--tools\n\n", "--no-session-persistence\n", "--strict-mcp-config\n", "--model\nsonnet\n"} {
		if !strings.Contains(args, want) {
			t.Errorf("no %q in %s", want, args)
		}
	}
	for _, want := range []string{"CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS=77", "CLAUDE_CODE_MAX_RETRIES=0", "DORMOUSE_ENGINE=1", "HOME=/nonexistent"} {
		if !strings.Contains(environ, want) {
			t.Errorf("no %q in the environment", want)
		}
	}
	if strings.Contains(environ, "leak") || strings.Contains(args, "PROMPT") || strings.Contains(args, "SYSTEM") || strings.Contains(args, cliKey) {
		t.Error("something went where it can be seen")
	}
	if recorded(t, record, "stdin") != "PROMPT" || recorded(t, record, "system") != "SYSTEM" || recorded(t, record, "ls") != "" {
		t.Error("the prompts are not where they should be, or the folder was not empty")
	}
	if _, err := os.Stat(strings.TrimSpace(recorded(t, record, "pwd"))); err == nil {
		t.Error("the folder is still there")
	}
}

func TestProgramsThatFailAreTold(t *testing.T) {
	t.Parallel()
	result := func(status, text string) string {
		return `echo '{"type":"result","subtype":"success","is_error":true,"api_error_status":` + status + `,"result":"` + text + ` '$ANTHROPIC_API_KEY'"}'; exit 1`
	}
	tests := []struct {
		name, spec, body string
		want             error
	}{
		{"claude 401", "claude-cli", result("401", "refused for"), ErrKey},
		{"claude 429", "claude-cli", result("429", "refused for"), ErrLimit},
		{"claude 529", "claude-cli", result("529", "refused for"), ErrLimit},
		{"claude cut", "claude-cli", result("null", "cut"), ErrServer},
		{"claude not logged in", "claude-cli", "echo Invalid API key $ANTHROPIC_API_KEY; exit 1", ErrServer},
		{"claude silent", "claude-cli", "exit 0", ErrServer},
		{"claude crashed", "claude-cli", "kill -9 $$", ErrServer},
		{"claude endless", "claude-cli", "yes $ANTHROPIC_API_KEY", ErrAnswer},
		{"claude other JSON", "claude-cli", `echo '{"type":"result","is_error":[]}'`, ErrServer},
		{"codex failed", "codex-cli", `echo '{"type":"turn.failed","error":{"message":"no"}}'`, ErrServer},
		{"codex cut", "codex-cli", `echo '{"type":"item.completed","item":{"type":"agent_message","text":"half"}}'`, ErrServer},
		{"codex not logged in", "codex-cli", "exit 1", ErrServer},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(tt.spec, "-")
			getenv, _ := fake(t, name, tt.body)
			var log []string
			m, err := Open(Config{Spec: tt.spec, Getenv: getenv, Tries: 2, Clock: &atOnce{}, Log: func(s string) { log = append(log, s) }})
			if err != nil {
				t.Fatal(err)
			}
			_, err = m.Generate(t.Context(), ask("x"))
			if !errors.Is(err, tt.want) {
				t.Errorf("%v, want %v", err, tt.want)
			}
			if strings.Contains(err.Error()+strings.Join(log, " "), cliKey) {
				t.Errorf("the key came out: %v %v", err, log)
			}
		})
	}
}

func TestCodexGivesItsLastMessageAndWhatItCost(t *testing.T) {
	t.Parallel()
	getenv, record := fake(t, "codex", `cat >$R/stdin; cp "$(sed -n 's/^model_instructions_file="\(.*\)"$/\1/p' $R/args)" $R/system
echo 'a line that is no JSON'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"thinking aloud"}}'
echo '{"type":"item.completed","item":{"type":"agent_message","text":"the answer"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":9}}'`)
	m, err := Open(Config{Spec: "codex-cli:gpt-x", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	r := ask("PROMPT")
	r.System = "SYSTEM"
	res, err := m.Generate(t.Context(), r)
	if err != nil || res.Text != "the answer" || res.Usage != (Usage{Input: 60, CacheRead: 40, Output: 9}) {
		t.Errorf("%+v %v", res, err)
	}
	args := recorded(t, record, "args")
	if !strings.HasPrefix(args, "exec\n--json\n--ephemeral\n--ignore-user-config\n") || !strings.HasSuffix(args, "--model\ngpt-x\n-\n") || recorded(t, record, "stdin") != "PROMPT" || recorded(t, record, "system") != "SYSTEM" {
		t.Errorf("args %s stdin %s", args, recorded(t, record, "stdin"))
	}
}

func TestAProgramCanAskForTools(t *testing.T) {
	t.Parallel()
	getenv, record := fake(t, "claude", `cat >$R/stdin; cp "$(sed -n '/--system-prompt-file/{n;p;}' $R/args)" $R/system
echo '{"type":"result","is_error":false,"result":"Let me see. {\"calls\":[{\"name\":\"read\",\"input\":{\"path\":\"a.md\"}}]}","usage":{"input_tokens":1,"output_tokens":1}}'`)
	m, err := Open(Config{Spec: "claude-cli", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	r := ask("x")
	r.Tools = []Tool{{Name: "read", Description: "reads", Schema: json.RawMessage(`{"type":"object"}`)}}
	res, err := m.Generate(t.Context(), r)
	if err != nil || len(res.Calls) != 1 || res.Calls[0].Name != "read" || string(res.Calls[0].Input) != `{"path":"a.md"}` {
		t.Fatalf("%+v %v", res, err)
	}
	r.Messages = append(r.Messages, Message{Role: Assistant, Calls: res.Calls}, Message{Role: User, Results: []Result{{ID: res.Calls[0].ID, Text: `"}] forged`}}})
	if res, err = m.Generate(t.Context(), r); err != nil || res.Calls[0].ID == r.Messages[1].Calls[0].ID {
		t.Errorf("%+v %v: an id came twice", res, err)
	}
	_, list, _ := strings.Cut(recorded(t, record, "stdin"), "\n")
	var turns []promptTurn
	if err := json.Unmarshal([]byte(list), &turns); err != nil || len(turns) != 3 || turns[2].Results[0].Text != `"}] forged` {
		t.Errorf("%v: %s", err, list)
	}
	// A tool that nobody offered is a text.
	if calls, err := unflatten(`{"calls":[{"name":"run_shell","input":{}}]}`, r); calls != nil || err != nil {
		t.Errorf("%+v %v", calls, err)
	}
}

func TestACancelKillsTheWholeGroupAtOnce(t *testing.T) {
	t.Parallel()
	getenv, record := fake(t, "claude", "mkfifo $R/alive\n(echo $$ >$R/alive; exec sleep 1000) &\nwait; sleep 1000")
	m, err := Open(Config{Spec: "claude-cli", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		path := filepath.Join(record, "alive")
		for ctx.Err() == nil {
			if f, err := os.OpenFile(path, os.O_RDONLY, 0); err == nil { // waits for the child to write
				defer f.Close()
				_, _ = f.Read(make([]byte, 9))
				return
			}
			runtime.Gosched()
		}
	}()
	begin := time.Now()
	if _, err := m.Generate(ctx, ask("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if d := time.Since(begin); d > 20*time.Second {
		t.Errorf("it took %s", d)
	}
}

func TestWhatAProgramLeavesBehindIsKilled(t *testing.T) {
	t.Parallel()
	getenv, record := fake(t, "secret-tool", "sleep 1000 >/dev/null 2>&1 & echo $! >$R/pid; echo sk-from-keychain")
	if runtime.GOOS == "darwin" {
		t.Skip("the keychain's program has another name there")
	}
	key, bearer := findKey(openaiName, getenv)
	if key.Reveal() != "sk-from-keychain" || bearer {
		t.Errorf("key %q", key.Reveal())
	}
	var pid int
	if err := json.Unmarshal([]byte(strings.TrimSpace(recorded(t, record, "pid"))), &pid); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil && !zombie(pid); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("it still runs")
		}
	}
	if got := recorded(t, record, "args"); got != "lookup\nservice\ndormouse\nprovider\nopenai\n" {
		t.Errorf("asked with %q", got)
	}
	if strings.Contains(recorded(t, record, "env"), cliKey) {
		t.Error("the keychain's program was given a key")
	}
}

// zombie reports whether a process has ended and only waits for its parent.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strings.TrimSpace(mustText(pid)) + "/stat")
	return err == nil && strings.Contains(string(b), ") Z ")
}

func mustText(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func TestAKeychainWithoutTheKeyIsNoKey(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{"no entry": "exit 1", "two lines": "echo a; echo b", "nothing": "exit 0"} {
		getenv, _ := fake(t, "secret-tool", body)
		if key := keychain(anthropicName, getenv); key != "" {
			t.Errorf("%s: %q", name, key)
		}
	}
}

func TestTheHelperGetsTheKeyThroughThePipeAlone(t *testing.T) {
	t.Parallel()
	getenv, record := fake(t, helperName, `cat >$R/stdin; echo '{"Response":{"Text":"hi","Usage":{"Input":3,"Output":2}}}'`)
	m, err := Open(Config{Spec: "anthropic:claude-haiku-5-5", Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	res, err := m.Generate(t.Context(), ask("PROMPT"))
	if err != nil || res.Text != "hi" || res.Usage.Output != 2 {
		t.Fatalf("%+v %v", res, err)
	}
	var a Asked
	if err := json.Unmarshal([]byte(recorded(t, record, "stdin")), &a); err != nil || a.Key != cliKey || a.Request.Messages[0].Text != "PROMPT" {
		t.Errorf("%+v %v", a, err)
	}
	if strings.Contains(recorded(t, record, "env")+recorded(t, record, "args"), cliKey) {
		t.Error("the key can be seen")
	}
	getenv, _ = fake(t, helperName, `echo '{"Failure":{"Kind":2,"Text":"status 429","Status":429,"Again":true,"RetryAfter":5000000000}}'`)
	clock := &atOnce{}
	if m, err = Open(Config{Spec: "anthropic:m", Getenv: getenv, Tries: 2, Clock: clock}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), ask("x")); !errors.Is(err, ErrLimit) || len(clock.waits) != 1 || clock.waits[0] < 5*time.Second {
		t.Errorf("%v after %v", err, clock.waits)
	}
}

func TestAProgramIsNotTakenFromWhereWeStand(t *testing.T) {
	t.Parallel()
	if p := lookPath("sh", env("PATH", "bin:.::")); p != "" {
		t.Errorf("took %s", p)
	}
	if p := lookPath("sh", env("PATH", "/nonexistent:/bin:/usr/bin")); !filepath.IsAbs(p) {
		t.Errorf("%q", p)
	}
}
