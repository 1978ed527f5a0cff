// Package claude knows Claude Code: where it keeps what, which switches it
// obeys, and which files a session of it loads, in which order.
//
// Everything here is what the client was seen to do (see facts.go for the
// version), not what its documentation says. A look never writes and never
// makes a folder.
package claude

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/host"
	"dormouse/internal/gitroot"
	"dormouse/startup"
)

// Host is Claude Code.
type Host struct{}

var (
	_ host.Host         = Host{}
	_ host.MemorySwitch = Host{}
)

// Name is "claude".
func (Host) Name() string { return "claude" }

// Title is the product's name.
func (Host) Title() string { return "Claude Code" }

// Measured is the version that the rules here were measured on.
func (Host) Measured() string { return Client }

// Present tells whether the configuration folder exists.
func (Host) Present(s host.Session) bool {
	dir, err := configFolder(s)
	if err != nil {
		return false
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}

// Startup tells what a session started so would load. The error is for a start
// that would fail: no start folder, no home folder, wrong flags.
func (Host) Startup(s host.Session) (*startup.Report, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	if s.Agent != "" {
		return c.rep, c.agent(s.Agent)
	}
	c.start()
	for _, p := range s.Reads {
		c.read(p)
	}
	if len(s.Reads) > 0 { // two reads may pass over one file
		c.rep.Left = once(c.rep.Left)
		c.rep.Problems = once(c.rep.Problems)
		c.rep.Notices = once(c.rep.Notices)
	}
	return c.rep, nil
}

// Folder returns one of the folders of this session.
func (Host) Folder(s host.Session, kind host.Kind) (string, error) {
	c, err := newClient(s)
	if err != nil {
		return "", err
	}
	if c.config == "" && (c.s.Store == "" || kind != host.MemoryFolder) {
		_, err := configFolder(s)
		return "", err
	}
	switch kind {
	case host.MemoryFolder:
		dir, _ := c.memoryFolder()
		return dir, nil
	case host.TranscriptsFolder:
		return c.transcriptsFolder(), nil
	case host.ConfigFolder:
		return c.config, nil
	}
	return "", fmt.Errorf("no folder of kind %q", kind)
}

// once keeps the first of what is the same.
func once[T comparable](list []T) []T {
	had := make(map[T]bool, len(list))
	return slices.DeleteFunc(list, func(v T) bool {
		again := had[v]
		had[v] = true
		return again
	})
}

// client is the client's view at one start.
type client struct {
	s        host.Session
	cwd      string // links resolved, as the client does
	repo     *gitroot.Repo
	config   string
	sources  map[startup.Scope]bool // nil: all
	settings settings
	exclude  excludes
	disk     *disk
	approval *bool // external imports, looked up once when first asked

	owner  string   // the folder whose files are being loaded, "" for the user's and the machine's
	own    bool     // the project has a CLAUDE.md or CLAUDE.local.md that loads at start
	owners []string // of each file in rep.Loaded
	rep    *startup.Report
	seen   map[string]bool // paths that the model has been given, as spelled
}

func newClient(s host.Session) (*client, error) {
	config, noConfig := configFolder(s)
	cwd, err := filepath.EvalSymlinks(s.Cwd)
	if err != nil {
		return nil, fmt.Errorf("start folder: %w", err)
	}
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("start folder %s is not a folder", s.Cwd)
	}
	c := &client{
		s: s, cwd: cwd, config: config, disk: newDisk(cwd), seen: map[string]bool{},
		rep: &startup.Report{
			Host: "claude", Client: Client, Cwd: cwd,
			Loaded: []startup.File{}, After: []startup.File{}, Ages: []startup.Age{},
			Left: []startup.Left{}, Problems: []startup.Problem{},
		},
	}
	if noConfig != nil {
		c.problem("", 0, noConfig.Error()+"; the user's own files and the memory are left out here")
	} else if v, ok := s.Env.Lookup(envConfigDir); ok && !filepath.IsAbs(v) {
		c.notice("", 0, fmt.Sprintf("%s=%q is not an absolute path; the client takes it from the start folder: %s", envConfigDir, v, config))
	}
	c.repo = gitroot.Find(cwd)
	if c.repo != nil {
		c.rep.Root = c.repo.Top
		if c.repo.Broken != "" {
			c.problem(filepath.Join(c.repo.Top, ".git"), 0, c.repo.Broken+"; the client takes the folder itself as the project")
		}
	}
	if err := c.parseSources(); err != nil {
		return nil, err
	}
	if err := c.loadSettings(); err != nil {
		return nil, err
	}
	c.rep.Problems = append(c.rep.Problems, c.settings.problems...)
	// The settings of the first configuration folder can name another one.
	if v, _, ok := c.settings.envBlock(envConfigDir); ok && filepath.IsAbs(v) {
		c.config = filepath.Clean(v)
	}
	c.loadExcludes()
	return c, nil
}

// configFolder is ~/.claude or what CLAUDE_CONFIG_DIR says; set but empty, it
// says the start folder.
func configFolder(s host.Session) (string, error) {
	if v, ok := s.Env.Lookup(envConfigDir); ok {
		if !filepath.IsAbs(v) {
			v = filepath.Join(s.Cwd, v)
		}
		return filepath.Clean(v), nil
	}
	if s.Env.Home == "" {
		return "", errors.New("there is no home folder: set HOME, or CLAUDE_CONFIG_DIR to the client's own folder")
	}
	if !filepath.IsAbs(s.Env.Home) {
		return "", fmt.Errorf("HOME=%s is not an absolute path: set it to the home folder", s.Env.Home)
	}
	return filepath.Join(s.Env.Home, configName), nil
}

// parseSources reads --setting-sources: a comma list, which may be empty.
func (c *client) parseSources() error {
	list := c.s.Flags.SettingSources
	if list == nil {
		return nil
	}
	c.sources = map[startup.Scope]bool{}
	for word := range strings.SplitSeq(*list, ",") {
		switch scope := startup.Scope(strings.TrimSpace(word)); scope {
		case "":
		case startup.User, startup.Project, startup.Local:
			c.sources[scope] = true
		default:
			return fmt.Errorf("--setting-sources: %q is no source; there are user, project and local (the client would not start)", scope)
		}
	}
	return nil
}

func (c *client) source(scope startup.Scope) bool {
	return c.sources == nil || c.sources[scope]
}

// root is the folder whose name the project goes by: the main checkout, or the
// start folder outside a repository.
func (c *client) root() string {
	if c.repo != nil {
		return c.repo.Main
	}
	return c.cwd
}

func (c *client) managed() string {
	return filepath.Join(c.s.Env.Root, managedFolder(c.s.Env.OS))
}

func (c *client) problem(path string, line int, what string) {
	c.rep.Problems = append(c.rep.Problems, startup.Problem{Path: path, Line: line, What: what})
}

func (c *client) notice(path string, line int, what string) {
	c.rep.Notices = append(c.rep.Notices, startup.Problem{Path: path, Line: line, What: what})
}

func (c *client) left(l startup.Left) { c.rep.Left = append(c.rep.Left, l) }
