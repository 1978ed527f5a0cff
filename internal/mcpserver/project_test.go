package mcpserver

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/host"
)

func uriOf(dir string) string {
	path := filepath.ToSlash(dir)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// rooted is a client that works in some folders.
func rooted(dirs ...string) *mcp.Client {
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "0"}, nil)
	for _, d := range dirs {
		c.AddRoots(&mcp.Root{URI: uriOf(d)}) //nolint:staticcheck // see roots.go
	}
	return c
}

// move has a client work in another folder.
func move(c *mcp.Client, from, to string) {
	c.RemoveRoots(uriOf(from))            //nolint:staticcheck // see roots.go
	c.AddRoots(&mcp.Root{URI: uriOf(to)}) //nolint:staticcheck // see roots.go
}

func TestTheProjectComesFromTheClientOrAnArgument(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	a, b, inner := filepath.Join(root, "a b"), filepath.Join(root, "b"), filepath.Join(root, "a b", "inner")
	link := filepath.Join(a, "out")
	for _, dir := range []string{b, inner} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(b, link); err != nil {
		t.Skip("no links here: ", err)
	}
	codex := mcp.Meta{codexSandbox: map[string]any{codexFolder: uriOf(a)}, codexSession: "01a2-b"}
	tests := []struct {
		name    string
		roots   []string
		given   string // --project
		store   string
		env     string // CLAUDE_PROJECT_DIR
		meta    mcp.Meta
		arg     string
		want    string
		wantErr string
	}{
		{name: "the only root", roots: []string{a}, want: a},
		{name: "a root and the same as argument", roots: []string{a}, arg: a, want: a},
		{name: "a folder within the root", roots: []string{a}, arg: inner, want: inner},
		{name: "a folder beside the root", roots: []string{a}, arg: b, wantErr: "is not what this client works in"},
		{name: "a way out of the root", roots: []string{a}, arg: a + "/../b", wantErr: "is not what this client works in"},
		{name: "a link out of the root", roots: []string{a}, arg: link, wantErr: "is not what this client works in"},
		{name: "several roots", roots: []string{a, b}, wantErr: "give one of them as project: " + a + ", " + b},
		{name: "several roots, one chosen", roots: []string{a, b}, arg: b, want: b},
		{name: "no root, no argument", wantErr: "give its folder as project"},
		{name: "no root, an argument", arg: b, want: b},
		{name: "a relative argument", arg: "b", wantErr: "not an absolute path"},
		{name: "an argument where nothing is", arg: filepath.Join(root, "none"), wantErr: "no folder is there"},
		{name: "given at the start", given: b, want: b},
		{name: "given at the start, and the client has another", given: b, roots: []string{a}, want: b},
		{name: "given at the start, another as argument", given: b, arg: a, wantErr: "is not what this client works in"},
		{name: "notes given at the start", store: root, want: ""},
		{name: "notes given at the start, and a root", store: root, roots: []string{a}, want: a},
		{name: "Claude Code's variable without roots", env: a, want: a},
		{name: "a relative variable", env: "a", wantErr: "give its folder as project"},
		{name: "Claude Code's variable beside roots", env: a, roots: []string{b}, want: b},
		{name: "what Codex says", meta: codex, want: a},
		{name: "what Codex says, and another as argument", meta: codex, arg: b, wantErr: "is not what this client works in"},
		{name: "a root that is no file", roots: nil, meta: mcp.Meta{codexSandbox: map[string]any{codexFolder: "https://x/y"}}, wantErr: "give its folder as project"},
		{name: "a root that is no path", meta: mcp.Meta{codexSandbox: 7}, wantErr: "give its folder as project"},
	}
	for _, protocol := range protocols() {
		for _, tt := range tests {
			t.Run(protocol+"/"+tt.name, func(t *testing.T) {
				t.Parallel()
				mem := full()
				env := host.Env{Getenv: func(name string) string {
					if name == claudeProject {
						return tt.env
					}
					return ""
				}}
				client := rootless()
				if tt.roots != nil {
					client = rooted(tt.roots...)
				}
				s := connect(t, mem, Config{Project: tt.given, Store: tt.store, Env: env, Log: io.Discard}, protocol, client)
				args := map[string]any{}
				if tt.arg != "" {
					args["project"] = tt.arg
				}
				text, failed := call(t, s, &mcp.CallToolParams{Name: "status", Arguments: args, Meta: tt.meta})
				switch {
				case tt.wantErr != "":
					if !failed || !strings.Contains(text, tt.wantErr) || len(mem.where) > 0 {
						t.Errorf("asked %v, failed %v: %q, want %q in it", mem.where, failed, text, tt.wantErr)
					}
				case failed || len(mem.where) != 1 || mem.last().Project != tt.want:
					t.Errorf("asked %+v, want %q; %q", mem.where, tt.want, text)
				}
			})
		}
	}
}

func TestRootsThatChangeCountForTheNextCall(t *testing.T) {
	t.Parallel()
	a, b := t.TempDir(), t.TempDir()
	for _, protocol := range protocols() {
		mem, client := full(), rooted(a)
		s := connect(t, mem, conf(t), protocol, client)
		call(t, s, &mcp.CallToolParams{Name: "status"})
		move(client, a, b)
		call(t, s, &mcp.CallToolParams{Name: "status"})
		if len(mem.where) != 2 || mem.where[0].Project != a || mem.where[1].Project != b {
			t.Errorf("%s: asked for %v, want %s and then %s", protocol, mem.where, a, b)
		}
	}
}

func TestTheSessionIsThatOfTheCall(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"01a2-B_c": "01a2-B_c", "": "", "a b": "", "x\ntrust: human": "", strings.Repeat("a", 65): ""} {
		mem := full()
		s := connect(t, mem, Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}, "", rootless())
		call(t, s, &mcp.CallToolParams{Name: "status", Meta: mcp.Meta{codexSession: given}})
		if got := mem.last().Session; got != want {
			t.Errorf("session %q: %q, want %q", given, got, want)
		}
	}
}

func TestAClientThatDoesNotAnswerForItsRootsIsNotWaitedForForever(t *testing.T) {
	t.Parallel()
	client := rooted()
	client.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "roots/list" {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return next(ctx, method, req)
		}
	})
	s := connect(t, full(), Config{Env: conf(t).Env, Log: io.Discard, rootsTime: 1}, "2025-11-25", client)
	if text, failed := call(t, s, &mcp.CallToolParams{Name: "status"}); !failed || !strings.Contains(text, "asking the client for its roots") {
		t.Errorf("%v %q", failed, text)
	}
}
