// Package codex knows the OpenAI Codex CLI: where it keeps what, and which
// files a session of it loads, in which order.
//
// Everything here is what the client was seen to do, see facts.go. A look never
// writes and never makes a folder.
package codex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dormouse/host"
	"dormouse/host/internal/look"
	"dormouse/internal/gitroot"
	"dormouse/startup"
)

// Host is the Codex CLI.
type Host struct{}

var _ host.Host = Host{}

// Name is "codex".
func (Host) Name() string { return "codex" }

// Title is the product's name.
func (Host) Title() string { return "Codex CLI" }

// Measured is the version that the rules here were measured on.
func (Host) Measured() string { return Client }

// Present tells whether the configuration folder exists.
func (Host) Present(s host.Session) bool {
	dir, err := homeFolder(s)
	if err != nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// client is the client's view at one start.
type client struct {
	s        host.Session
	home     string // CODEX_HOME
	main     string // the checkout whose trust holds for the repository, or ""
	config   config // the machine's, the user's, the trusted project's, the managed one
	required config // the machine's requirements.toml
	rep      look.Report
}

// Startup tells what a session started so would load, in the order in which the
// model gets it: the memory summary, the user's AGENTS.md, the project's from
// its root down. The error is for a start that would fail: no start folder, no
// home folder, a CODEX_HOME that is no folder.
func (Host) Startup(s host.Session) (*startup.Report, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	c.rep.Unused(Host{}.Title(), s.Flags, false)
	c.memory()
	c.userDoc()
	c.projectDocs()
	return c.rep.Report, nil
}

// Folder returns one of the folders of this session.
func (Host) Folder(s host.Session, kind host.Kind) (string, error) {
	home, err := homeFolder(s)
	if err != nil {
		return "", err
	}
	switch kind {
	case host.MemoryFolder:
		return memoryFolder(s, home), nil
	case host.TranscriptsFolder:
		return filepath.Join(home, sessionsName), nil
	case host.ConfigFolder:
		return home, nil
	}
	return "", fmt.Errorf("no folder of kind %q", kind)
}

func newClient(s host.Session) (*client, error) {
	if s.Agent != "" {
		return nil, fmt.Errorf("agent %s: Codex CLI keeps no memory of its own for a subagent", s.Agent)
	}
	home, err := homeFolder(s)
	if err != nil {
		return nil, err
	}
	rep, err := look.Start(Host{}.Name(), Client, s.Cwd)
	if err != nil {
		return nil, err
	}
	c := &client{s: s, home: home, rep: rep}
	if r := gitroot.Find(rep.Cwd); r != nil {
		c.rep.Root, c.main = r.Top, trustRoot(r)
	}
	c.loadConfig()
	return c, nil
}

// trustRoot is the checkout whose trust holds for the whole repository: its own
// or, in a linked worktree, the main one. A submodule, a bare repository and a
// broken .git file have none. Measured.
func trustRoot(r *gitroot.Repo) string {
	for _, dir := range []string{r.Top, r.Main} {
		if info, err := os.Stat(filepath.Join(dir, gitMarker)); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// homeFolder is ~/.codex, or what CODEX_HOME says: that one must be there, and
// its links are resolved. Measured.
func homeFolder(s host.Session) (string, error) {
	v := s.Env.Getenv(envHome)
	if v == "" {
		if s.Env.Home == "" {
			return "", errors.New("there is no home folder: set HOME, or CODEX_HOME to the client's own folder")
		}
		return filepath.Join(s.Env.Home, homeName), nil
	}
	dir := v
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.Cwd, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is %s, which is no folder: Codex does not start so", envHome, v)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("%s: %w", envHome, err)
	}
	return real, nil
}
