package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
)

// machine is a home with a project of Claude Code and a folder of notes elsewhere.
type machine struct {
	IO
	t                     *testing.T
	home, project, folder string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, home: filepath.Join(root, "home"), project: filepath.Join(root, "shop"), folder: filepath.Join(root, "notes")}
	m.IO = IO{Out: io.Discard, Home: m.home, Getenv: func(string) string { return "" }}
	for _, dir := range []string{m.home, m.project, m.folder} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		m.t.Fatal(err)
	}
}

// memory is where Claude Code keeps the notes of the project.
func (m *machine) memory() string {
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, m.project)
	return filepath.Join(m.home, ".claude", "projects", slug, "memory")
}

func TestFoldersAreServedAsMemoryStores(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	m.write(filepath.Join(m.memory(), "prices.md"), "Prices are in cents.\n")
	m.write(filepath.Join(m.memory(), "MEMORY.md"), "- [prices](prices.md): Prices.\n")
	m.write(filepath.Join(m.folder, "other.md"), "kept words\n")
	address, key := runningIn(t, m.IO, filepath.Join(m.home, "server.db"), "--mount", m.project, "--mount-folder", "loose="+m.folder, "--mount-workspace", "team")
	c := anthropic.NewClient(option.WithBaseURL(address), option.WithAPIKey(key))
	stores := map[string]string{}
	for pages := c.Beta.MemoryStores.ListAutoPaging(t.Context(), anthropic.BetaMemoryStoreListParams{}); pages.Next(); {
		stores[pages.Current().Name] = pages.Current().ID
	}
	if len(stores) != 2 || stores["shop"] == "" || stores["loose"] == "" {
		t.Fatalf("stores: %v", stores)
	}
	made, err := c.Beta.MemoryStores.Memories.New(t.Context(), stores["shop"], anthropic.BetaMemoryStoreMemoryNewParams{Path: "/deploy/day.md", Content: anthropic.String("Deploys are on Tuesdays.\n")})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(m.memory(), "deploy", "day.md")); err != nil || string(b) != "Deploys are on Tuesdays.\n" {
		t.Errorf("in the folder: %q %v", b, err)
	}
	if b, err := os.ReadFile(filepath.Join(m.memory(), "MEMORY.md")); err != nil || string(b) != "- [prices](prices.md): Prices.\n" {
		t.Errorf("a session is told: %q %v", b, err)
	}
	if _, err := c.Beta.MemoryStores.Delete(t.Context(), stores["shop"], anthropic.BetaMemoryStoreDeleteParams{}); err == nil {
		t.Error("the folder was deleted")
	}
	// Off means off, also while it is served.
	m.write(filepath.Join(m.project, ".claude", "settings.json"), `{"autoMemoryEnabled": false}`)
	_, err = c.Beta.MemoryStores.Memories.Get(t.Context(), made.ID, anthropic.BetaMemoryStoreMemoryGetParams{MemoryStoreID: stores["shop"]})
	if e, ok := errors.AsType[*anthropic.Error](err); !ok || e.StatusCode != 404 || !strings.Contains(err.Error(), "switched off") {
		t.Errorf("switched off, it answers %v", err)
	}
	m.write(filepath.Join(m.project, ".claude", "settings.json"), `{}`)
	if _, err = c.Beta.MemoryStores.Memories.Get(t.Context(), made.ID, anthropic.BetaMemoryStoreMemoryGetParams{MemoryStoreID: stores["shop"]}); err != nil {
		t.Errorf("on again, it answers %v", err)
	}
	// A setting that moves the memory does not move what was mounted.
	m.write(filepath.Join(m.project, ".claude", "settings.local.json"), fmt.Sprintf(`{"autoMemoryDirectory": %q}`, m.folder))
	if n := c.Beta.MemoryStores.ListAutoPaging(t.Context(), anthropic.BetaMemoryStoreListParams{}); !n.Next() || n.Current().Name != "loose" || n.Next() {
		t.Error("moved, it is listed")
	}
}

func TestWhatCannotBeServedIsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	m := newMachine(t)
	off := filepath.Join(m.home, "off")
	m.write(filepath.Join(off, ".claude", "settings.json"), `{"autoMemoryEnabled": false}`)
	m.write(filepath.Join(m.folder, "file.md"), "x")
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"a folder that is not there":     {[]string{"--mount-folder", filepath.Join(m.home, "none")}, "no such file"},
		"a file":                         {[]string{"--mount-folder", filepath.Join(m.folder, "file.md")}, "not a folder"},
		"a memory that is off":           {[]string{"--mount", off}, "switched off"},
		"a folder twice":                 {[]string{"--mount-folder", m.folder, "--mount-folder", "again=" + m.folder}, "mounted twice"},
		"a name that is none":            {[]string{"--mount-folder", strings.Repeat("x", 256) + "=" + m.folder}, "is no name"},
		"the notes for all projects":     {[]string{"--mount-folder", everywhere(m)}, "load in every project"},
		"a workspace that is not named":  {[]string{"--mount-folder", m.folder, "--mount-workspace", " "}, "needs a name"},
		"a state folder that is no path": {[]string{"--mount-folder", m.folder}, "DORMOUSE_HOME"},
	} {
		t.Run(name, func(t *testing.T) {
			var said locked
			outside := m.IO
			outside.Err = &said
			if strings.HasPrefix(name, "a state folder") {
				outside.Getenv = func(v string) string { return map[string]string{"DORMOUSE_HOME": "here"}[v] }
			}
			code := Main(t.Context(), append([]string{"--database", filepath.Join(t.TempDir(), "server.db"), "--listen", "127.0.0.1:0"}, tt.args...), outside)
			if code == 0 || !strings.Contains(said.b.String(), tt.want) {
				t.Errorf("exit %d: %s", code, said.b.String())
			}
		})
	}
}

// everywhere is the folder of the notes for all projects.
func everywhere(m *machine) string {
	n := notes{env: hostEnv(m.IO)}
	dir := n.global()
	m.write(filepath.Join(dir, "all.md"), "x")
	return dir
}
