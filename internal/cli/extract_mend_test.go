package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/model"
	"dormouse/model/remote"
	"dormouse/testkit"
	"dormouse/testkit/modelserver"
)

// oneFact is the log of a session in which one fact is said.
func oneFact(session, day, fact string) string {
	return newLog(session, day+"T10:00:00Z").person("remember: " + fact).agent("Noted.").String()
}

// ownLog lays a log where the client keeps those of the project.
func ownLog(t *testing.T, l *testkit.Layout, session, text string) string {
	t.Helper()
	return layFile(t, filepath.Join(l.Home, ".claude", "projects", l.Expand("@slug(proj)"), session+".jsonl"), text)
}

func layFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestASessionOfAnotherProjectIsRefused(t *testing.T) {
	fact := oneFact("s1", "2026-11-10", "the port is 8080")
	codex := `{"timestamp":"2026-11-30T10:00:00.000Z","type":"session_meta","payload":{"id":"0199-aaaa","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/home/dev/proj","originator":"codex_cli_rs","cli_version":"0.98.0","source":"cli"}}
{"timestamp":"2026-11-30T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"remember: the port is 8080"}]}}
{"timestamp":"2026-11-30T10:00:02.000Z","type":"event_msg","payload":{"type":"user_message","message":"remember: the port is 8080","kind":"plain"}}
`
	for name, text := range map[string]string{"Claude Code": fact, "Codex": codex} {
		t.Run(name, func(t *testing.T) {
			l, _ := layLogs(t)
			log := layFile(t, filepath.Join(l.Root, "other.jsonl"), text)
			code, _, stderr := run(l, "extract", log)
			if code != 1 || !strings.Contains(stderr, "/home/dev/proj") || !strings.Contains(stderr, l.Cwd) || !strings.Contains(stderr, "--project") {
				t.Errorf("exit %d: %s", code, stderr)
			}
			if len(notesOf(t, l)) > 0 {
				t.Error("a note was written")
			}
			if code, rep := extractOf(t, l, log, "--project", l.Cwd); code != 0 || rep.Counts["kept"] != 1 {
				t.Errorf("with --project: exit %d %+v", code, rep.Problems)
			}
			if code, rep := extractOf(t, l, log, "--store", filepath.Join(l.Root, "elsewhere")); code != 0 || rep.Counts["kept"] != 1 {
				t.Errorf("with --store: exit %d %+v", code, rep.Problems)
			}
		})
	}
}

func TestASubfolderAndAWorktreeAreOfThisProject(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"repo/.git/worktrees/wt", "repo/web", "wt", "plain/sub", "other"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	root = realPath(root)
	layFile(t, filepath.Join(root, "wt/.git"), "gitdir: "+filepath.Join(root, "repo/.git/worktrees/wt")+"\n")
	layFile(t, filepath.Join(root, "repo/.git/worktrees/wt/commondir"), "../..\n")
	layFile(t, filepath.Join(root, "repo/.git/worktrees/wt/gitdir"), filepath.Join(root, "wt/.git")+"\n")
	tests := []struct {
		here, there string
		want        bool
	}{
		{"repo", "repo", true},
		{"repo", "repo/web", true},
		{"repo/web", "repo", true},
		{"repo", "repo/gone", true},
		{"repo", "wt", true},
		{"wt", "repo/web", true},
		{"repo", "other", false},
		{"plain", "plain/sub", true},
		{"plain/sub", "plain", false},
		{"plain", "plainer", false},
		{"plain", "repo", false},
	}
	for _, tt := range tests {
		if got := sameProject(filepath.Join(root, tt.here), filepath.Join(root, tt.there)); got != tt.want {
			t.Errorf("in %s a session of %s: %v", tt.here, tt.there, got)
		}
	}
}

func TestEachStoreReadsTheSessionsForItself(t *testing.T) {
	l, _ := layLogs(t)
	ownLog(t, l, "s1", oneFact("s1", "2026-11-10", "the port is 8080"))
	elsewhere := filepath.Join(l.Root, "elsewhere")
	for range 2 {
		extractOf(t, l, "--store", elsewhere)
	}
	if _, rep := extractOf(t, l); rep.Counts["kept"] != 1 || rep.Skipped != 0 {
		t.Errorf("the project's own: %+v, %d skipped", rep.Counts, rep.Skipped)
	}
	if _, rep := extractOf(t, l, "--store", elsewhere); rep.Skipped != 1 {
		t.Errorf("the other again: %+v", rep)
	}
}

func TestAFullIndexIsNotRearrangedWithoutAWord(t *testing.T) {
	l, _ := layLogs(t)
	dir := filepath.Join(l.Root, l.Expand("@mem(proj)"))
	var lines strings.Builder
	for i := range 200 {
		name := fmt.Sprintf("n%03d", i)
		layFile(t, filepath.Join(dir, name+".md"), fmt.Sprintf("---\nname: %s\ndescription: Fact about thing%d.\ntype: project\n---\n\nFact about thing%d.\n", name, i, i))
		fmt.Fprintf(&lines, "- [%s](%s.md) — Fact about thing%d.\n", name, name, i)
	}
	layFile(t, filepath.Join(dir, "MEMORY.md"), lines.String())
	ownLog(t, l, "s1", oneFact("s1", "2026-11-10", "the deploy port is 8080"))
	for _, args := range [][]string{{"--dry-run"}, {}, {}} { // the session does not count as read
		code, rep := extractOf(t, l, args...)
		if code != 1 || rep.Counts["kept"] != 0 || len(rep.Problems) != 1 || !strings.Contains(rep.Problems[0].What, "extract --make-room") {
			t.Errorf("%v: exit %d %+v %+v", args, code, rep.Counts, rep.Problems)
		}
		if indexOf(t, l) != lines.String() {
			t.Fatalf("%v: the index was changed", args)
		}
	}
	code, out, stderr := run(l, "extract", "--make-room")
	if code != 0 || !strings.Contains(out, "moved out of the index") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	run(l, "undo")
	if code, rep := extractOf(t, l, "--make-room", "--all"); code != 0 || len(rep.MovedOut) != 0 || rep.Counts["dropped"] != 1 {
		t.Errorf("after undo: exit %d %+v", code, rep)
	}
}

func TestWhatIsForgottenStaysForgotten(t *testing.T) {
	l, _ := layLogs(t)
	log := ownLog(t, l, "s1", oneFact("s1", "2026-11-10", "the deploy port is 8080"))
	_, rep := extractOf(t, l)
	if code, _, stderr := run(l, "forget", rep.Notes[0].File); code != 0 {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{{"--all"}, {log}} {
		if _, rep := extractOf(t, l, args...); len(notesOf(t, l)) != 0 || !strings.Contains(rep.Notes[0].Why, "you forgot it") {
			t.Errorf("%v: %+v", args, rep.Notes)
		}
	}
	ownLog(t, l, "s2", oneFact("s2", "2026-11-20", "the deploy port is 8080"))
	if _, rep := extractOf(t, l); rep.Counts["kept"] != 1 {
		t.Errorf("said anew: %+v", rep.Notes)
	}
}

func TestAnExportedCopyOfASessionConfirmsNothing(t *testing.T) {
	l, _ := layLogs(t)
	said := func(session, at string) string {
		return newLog(session, at).person("hi").agent("ok").person("the tests are slow because of the seed").agent("Yes.").person("I like short answers").agent("ok").String()
	}
	ownLog(t, l, "s1", said("s1", "2026-11-10T10:00:00Z"))
	ownLog(t, l, "s2", said("s2", "2026-11-10T10:00:00Z"))
	_, rep := extractOf(t, l)
	if len(rep.Sessions) != 2 || rep.Sessions[1].Copies == 0 || rep.Sessions[1].Turns != 0 {
		t.Errorf("%+v", rep.Sessions)
	}
}

func TestAPipeIsRefusedAndNotWaitedFor(t *testing.T) {
	l, _ := layLogs(t)
	pipe := filepath.Join(l.Root, "f.jsonl")
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	code, _, stderr := run(l, "extract", pipe)
	if code != 1 || !strings.Contains(stderr, "named pipe") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func TestWrongUseOfAModelShowsBeforeAnythingIsWritten(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no such provider", []string{"--model", "foo"}, 2, "begins with none of"},
		{"no name", []string{"--model", "openai:"}, 2, "name of a model"},
		{"a price that is none", []string{"--model", "ollama:x", "--price", "abc"}, 2, "--price"},
		{"a time that is none", []string{"--model", "ollama:x", "--model-timeout", "0s"}, 2, "--model-timeout"},
		{"no key", []string{"--model", "anthropic:claude-sonnet-4-5"}, 1, "ANTHROPIC_API_KEY"},
		{"no price", []string{"--model", "openai:m@http://127.0.0.1:1/v1"}, 2, "--price IN/OUT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, paths := layLogs(t, oneFact("s1", "2026-11-10", "the port is 8080"))
			var out, errs bytes.Buffer
			streams := ioOf(l)
			streams.Out, streams.Err = &out, &errs
			streams.Model = func(c *model.Config) { c.Remote = remote.New }
			code := Main(append([]string{"extract", paths[0]}, tt.args...), streams)
			if code != tt.code || !strings.Contains(errs.String(), tt.says) {
				t.Errorf("exit %d: %s", code, errs.String())
			}
			if len(notesOf(t, l)) > 0 || out.Len() > 0 {
				t.Errorf("something was done: %s", out.String())
			}
		})
	}
}

// lockedBuffer is written by a command that still runs.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestWhatTheRulesFoundShowsWhileAServerHangs(t *testing.T) {
	srv := startServer(t, modelserver.Always(modelserver.Step{Fault: modelserver.Hang}))
	l, paths := layLogs(t, oneFact("s1", "2026-11-10", "the port is 8080"))
	out, errs := &lockedBuffer{}, &lockedBuffer{}
	streams := ioOf(l)
	streams.Out, streams.Err = out, errs
	streams.Model = func(c *model.Config) { c.Remote, c.Timeout = remote.New, 200*time.Millisecond }
	code := make(chan int, 1)
	go func() {
		code <- Main([]string{"extract", "--model", "ollama:m@" + srv.Base(modelserver.Ollama), paths[0]}, streams)
	}()
	<-srv.Hanging()
	if !strings.Contains(out.String(), "kept") {
		t.Errorf("nothing is shown:\n%s", out)
	}
	if got := <-code; got != 0 || strings.Count(out.String(), "kept       ") != 1 || !strings.Contains(errs.String(), "given up") {
		t.Errorf("exit %d\n%s%s", got, out, errs)
	}
}

func TestSessionsOfGeminiAreFoundInTheFolderOfTheirHash(t *testing.T) {
	l, _ := layLogs(t)
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(l.Cwd)))
	log, err := json.Marshal(map[string]any{
		"sessionId": "g1", "projectHash": hash, "startTime": "2026-11-30T10:00:00.000Z", "lastUpdated": "2026-11-30T10:10:00.000Z",
		"messages": []any{map[string]any{"id": "1", "timestamp": "2026-11-30T10:00:00.000Z", "type": "user", "content": "remember: we deploy on Mondays"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	layFile(t, filepath.Join(l.Home, ".gemini", "tmp", hash, "chats", "session-2026-11-30T10-00-g1.json"), string(log))
	if code, rep := extractOf(t, l, "--host", "gemini"); code != 0 || len(rep.Sessions) != 1 || rep.Counts["kept"] != 1 {
		t.Errorf("exit %d %+v %v", code, rep.Sessions, rep.Counts)
	}
}

func TestASecretWithoutAKnownFormIsNeitherPrintedNorRecorded(t *testing.T) {
	const pin, key = "Kolobok77", "9f3c7a1b2d4e5f60"
	l, _ := layLogs(t)
	for i := range 4 {
		session := fmt.Sprintf("s%d", i)
		log := newLog(session, fmt.Sprintf("2026-11-%02dT10:00:00Z", 10+i))
		for range 2 {
			log.tool("Bash", map[string]any{"command": "./login.sh --user a --pin " + pin}, "ok")
		}
		ownLog(t, l, session, log.person("запам'ятай, що ключ API: "+key).person("remember: the API key is "+key+", and staging has its own").agent("ok").String())
	}
	for _, args := range [][]string{{"extract", "--json"}, {"extract", "--all"}, {"extract", "--all", "--json"}, {"review", "--json"}, {"history", "--json"}} {
		_, out, stderr := run(l, args...)
		for _, secret := range []string{pin, key} {
			if strings.Contains(out+stderr, secret) {
				t.Errorf("%v prints %s\n%s", args, secret, out)
			}
		}
	}
	for _, secret := range []string{pin, key} {
		if found := secretFiles(t, l, secret); len(found) > 0 {
			t.Errorf("%s stands in %v", secret, found)
		}
	}
}
