package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/host"
	"dormouse/internal/mcpserver/memory"
	"dormouse/startup"
	"dormouse/trust"
)

// fake is a memory that remembers what it was asked.
type fake struct {
	mu    sync.Mutex
	where []memory.Where

	found   *memory.Found
	text    *memory.Text
	written *memory.Written
	status  *memory.Status
	err     error
	during  func(context.Context) // while it is at work
}

func (f *fake) asked(ctx context.Context, w memory.Where) error {
	f.mu.Lock()
	f.where = append(f.where, w)
	f.mu.Unlock()
	if f.during != nil {
		f.during(ctx)
	}
	return f.err
}

func (f *fake) last() memory.Where {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.where) == 0 {
		return memory.Where{}
	}
	return f.where[len(f.where)-1]
}

func (f *fake) Search(ctx context.Context, w memory.Where, _ memory.Query) (*memory.Found, error) {
	return f.found, f.asked(ctx, w)
}

func (f *fake) Read(ctx context.Context, w memory.Where, _ string) (*memory.Text, error) {
	return f.text, f.asked(ctx, w)
}

func (f *fake) Remember(ctx context.Context, w memory.Where, _ memory.New) (*memory.Written, error) {
	return f.written, f.asked(ctx, w)
}

func (f *fake) Update(ctx context.Context, w memory.Where, _ memory.Edit) (*memory.Written, error) {
	return f.written, f.asked(ctx, w)
}

func (f *fake) Forget(ctx context.Context, w memory.Where, _ string) (*memory.Written, error) {
	return f.written, f.asked(ctx, w)
}

func (f *fake) Status(ctx context.Context, w memory.Where) (*memory.Status, error) {
	return f.status, f.asked(ctx, w)
}

// full answers each tool with something.
func full() *fake {
	text := memory.Text{Path: "prices.md", Kind: "project", Date: time.Unix(1_770_000_000, 0), Days: 3, Origin: trust.Agent, Text: "Prices are integers."}
	return &fake{
		found:   &memory.Found{Hits: []memory.Hit{{Text: text}}},
		text:    &text,
		written: &memory.Written{File: "prices.md", Did: "Remembered", Undo: "dormouse undo 1"},
		status:  &memory.Status{Project: "/p", Folder: "/m", Index: "There is no index yet."},
	}
}

func conf(t *testing.T) Config {
	t.Helper()
	return Config{Version: "0", Env: host.Env{Getenv: func(string) string { return "" }}, Log: io.Discard}
}

// connect connects a client of the SDK, of the protocol that it names ("": its newest).
func connect(t *testing.T, mem Memory, c Config, protocol string, client *mcp.Client) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	if _, err := New(mem, c).Connect(ctx, ours, nil); err != nil {
		t.Fatal(err)
	}
	session, err := client.Connect(ctx, theirs, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// rootless is a client that says nothing of roots, as Codex is.
func rootless() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "t", Version: "0"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
}

func call(t *testing.T, s *mcp.ClientSession, p *mcp.CallToolParams) (text string, failed bool) {
	t.Helper()
	res, err := s.CallTool(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, res.IsError
}

func protocols() []string { return []string{"2025-06-18", "2025-11-25", "2026-07-28"} }

func TestTheToolsAreSixAndCostLittle(t *testing.T) {
	t.Parallel()
	for _, protocol := range protocols() {
		list, err := connect(t, full(), conf(t), protocol, rootless()).ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(list)
		if err != nil {
			t.Fatal(err)
		}
		const most = 4 << 10
		if len(b) >= most {
			t.Errorf("%s: the list has %d bytes, want fewer than %d", protocol, len(b), most)
		}
		got := map[string]string{}
		for _, tool := range list.Tools {
			a := tool.Annotations
			got[tool.Name] = fmt.Sprintf("reads %v, destroys %v, open %v", a.ReadOnlyHint, *a.DestructiveHint, *a.OpenWorldHint)
		}
		want := map[string]string{}
		for _, name := range []string{"search", "read", "status"} {
			want[name] = "reads true, destroys false, open false"
		}
		want["remember"] = "reads false, destroys false, open false"
		want["update"], want["forget"] = "reads false, destroys true, open false", "reads false, destroys true, open false"
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: tools\n%v, want\n%v", protocol, got, want)
		}
	}
}

// TestWhatTheServerSaysOfItselfIsFixed fails when a description changes: then look
// at it, as agents act on it, and put the new sum here.
func TestWhatTheServerSaysOfItselfIsFixed(t *testing.T) {
	t.Parallel()
	list, err := connect(t, full(), conf(t), "2025-11-25", rootless()).ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	_, _ = io.WriteString(sum, instructions+string(b))
	const want = "c0edd1fe4e0cc85ec3aeb8ddb04738a4ef61a96fde9584b8d20349f14f6fc301"
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != want {
		t.Errorf("the sum of the descriptions is %s, want %s", got, want)
	}
}

func TestAnErrorIsToldAndEndsNothing(t *testing.T) {
	t.Parallel()
	mem := full()
	mem.err = errors.New("memory is off: a switch; dormouse on")
	s := connect(t, mem, Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
	for name, args := range arguments() {
		text, failed := call(t, s, &mcp.CallToolParams{Name: name, Arguments: args})
		if !failed || text != mem.err.Error() {
			t.Errorf("%s: %v, %q", name, failed, text)
		}
	}
	mem.err = nil
	for name, args := range arguments() {
		if text, failed := call(t, s, &mcp.CallToolParams{Name: name, Arguments: args}); failed {
			t.Errorf("%s fails afterwards: %s", name, text)
		}
	}
}

// arguments are good ones for each tool.
func arguments() map[string]map[string]any {
	return map[string]map[string]any{
		"search": {"query": "x"}, "read": {"note": "x"}, "remember": {"text": "x"},
		"update": {"note": "x", "old": "x", "new": "y"}, "forget": {"note": "x"}, "status": {},
	}
}

func TestBadArgumentsAreRefusedWithAReason(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70<<10)
	tests := []struct {
		name, tool string
		args       any
		want       string
	}{
		{"no note", "read", map[string]any{}, "note"},
		{"a blank note", "read", map[string]any{"note": "  "}, "note is empty"},
		{"a line before the first", "read", map[string]any{"note": "x", "line": -1}, "lines count from 1"},
		{"a number for a text", "read", map[string]any{"note": 5}, "string"},
		{"an argument that is not known", "status", map[string]any{"approve": true}, "approve"},
		{"a list for the arguments", "status", []int{1}, "arguments"},
		{"a blank fact", "remember", map[string]any{"text": " \n"}, "text is blank"},
		{"a long fact", "remember", map[string]any{"text": long}, "a note is one fact"},
		{"a long name", "remember", map[string]any{"text": "x", "name": long}, "name has 71680 bytes"},
		{"a text of 10 MB", "remember", map[string]any{"text": strings.Repeat("x", 10<<20)}, "at most 262144 are taken"},
		{"10 MB in place of a number", "read", map[string]any{"note": "x", "line": strings.Repeat("x", 10<<20)}, "at most 262144"},
		{"200 KB in place of a number", "read", map[string]any{"note": "x", "line": strings.Repeat("x", 200<<10)}, "/properties/line"},
		{"nothing to replace", "update", map[string]any{"note": "x", "old": "", "new": "y"}, "old is empty"},
		{"no change", "update", map[string]any{"note": "x", "old": "y", "new": "y"}, "the same"},
		{"a limit of none", "search", map[string]any{"query": "x", "limit": -1}, "from 1 to 50"},
		{"a limit past all", "search", map[string]any{"query": "x", "limit": 51}, "from 1 to 50"},
		{"a long question", "search", map[string]any{"query": long}, "ask in at most"},
		{"nothing to forget", "forget", map[string]any{"note": ""}, "note is empty"},
	}
	s := connect(t, full(), Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, failed := call(t, s, &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
			if !failed || !strings.Contains(text, tt.want) {
				t.Errorf("failed %v: %.300q, want %q in it", failed, text, tt.want)
			}
			if len(text) > 4*longestError {
				t.Errorf("the complaint has %d bytes", len(text))
			}
		})
	}
}

func TestAPanicIsAnErrorAndTheNextCallWorks(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	mem := full()
	mem.during = func(context.Context) { panic("a defect") }
	s := connect(t, mem, Config{Project: t.TempDir(), Env: conf(t).Env, Log: &log}, "", rootless())
	text, failed := call(t, s, &mcp.CallToolParams{Name: "status"})
	if !failed || !strings.Contains(text, "defect of dormouse") || !strings.Contains(log.String(), "a defect") {
		t.Errorf("%v %q\n%s", failed, text, log.String())
	}
	mem.during = nil
	if text, failed := call(t, s, &mcp.CallToolParams{Name: "status"}); failed {
		t.Error(text)
	}
}

func TestCallsThatComeTogetherAreAnsweredOneByOne(t *testing.T) {
	t.Parallel()
	mem := full()
	var at, most atomic.Int32
	mem.during = func(context.Context) {
		most.Store(max(most.Load(), at.Add(1)))
		at.Add(-1)
	}
	s := connect(t, mem, Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
	var wg sync.WaitGroup
	for range 40 {
		wg.Go(func() {
			if _, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "status"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 1 {
		t.Errorf("%d at once", most.Load())
	}
}

func TestACancelledCallLetsTheNextOneIn(t *testing.T) {
	t.Parallel()
	mem := full()
	begun := make(chan struct{})
	mem.during = func(ctx context.Context) { close(begun); <-ctx.Done() }
	s := connect(t, mem, Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-begun; cancel() }()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "status"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled call: %v", err)
	}
	mem.mu.Lock()
	mem.during = nil
	mem.mu.Unlock()
	if text, failed := call(t, s, &mcp.CallToolParams{Name: "status"}); failed {
		t.Error(text)
	}
}

func TestAnUnknownMethodOrToolIsAnErrorOfTheProtocol(t *testing.T) {
	t.Parallel()
	s := connect(t, full(), Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
	for _, name := range []string{"approve", "", strings.Repeat("x", 1<<20)} {
		if _, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name}); err == nil || len(err.Error()) > 200 {
			t.Errorf("tool %.20q: %.300v", name, err)
		}
	}
}

func TestNoAnswerIsLongerThanAClientTakes(t *testing.T) {
	t.Parallel()
	mem := full()
	word := strings.Repeat("дуже ", 400)
	for i := range 50 {
		h := memory.Hit{Text: memory.Text{Path: fmt.Sprintf("n%d.md", i), Text: word}}
		h.Against = []memory.Text{h.Text}
		mem.found.Hits = append(mem.found.Hits, h)
	}
	mem.text.Text = strings.Repeat(word+"\n", 100)
	mem.written.Did, mem.written.Same = "", []memory.Text{*mem.text, *mem.text}
	for i := range 5000 {
		mem.status.Loaded = append(mem.status.Loaded, memory.Loaded{Path: fmt.Sprintf("/p/%d", i)})
		mem.status.Wrong = append(mem.status.Wrong, fmt.Sprintf("/p/%d: x", i))
	}
	s := connect(t, mem, Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
	for name, args := range arguments() {
		text, _ := call(t, s, &mcp.CallToolParams{Name: name, Arguments: args})
		const most = 10_000
		if n := startup.Tokens(text); n > most || text == "" {
			t.Errorf("%s: %d tokens, want 1 to %d", name, n, most)
		}
	}
}
