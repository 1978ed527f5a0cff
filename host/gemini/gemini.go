// Package gemini knows Gemini CLI: where it keeps what, and which files a
// session of it loads, in which order.
//
// Everything here is what the client was seen to do, see facts.go. A look never
// writes and never makes a folder.
package gemini

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/host"
	"dormouse/host/internal/look"
	"dormouse/internal/gitroot"
	"dormouse/startup"
)

// Host is Gemini CLI.
type Host struct{}

var _ host.Host = Host{}

// Name is "gemini".
func (Host) Name() string { return "gemini" }

// Title is the product's name.
func (Host) Title() string { return "Gemini CLI" }

// Measured is the version that the rules here were measured on.
func (Host) Measured() string { return Client }

// Present tells whether the configuration folder exists.
func (Host) Present(s host.Session) bool {
	home, err := homeFolder(s)
	if err != nil {
		return false
	}
	info, err := os.Stat(filepath.Join(home, dotFolder))
	return err == nil && info.IsDir()
}

// client is the client's view at one start.
type client struct {
	s        host.Session
	home     string // home folder
	dot      string // ~/.gemini
	settings settings
	trusted  startup.Decision // Value "true" or "false"
	names    []string
	markers  []string
	roots    []string // workspace folders, the start folder first
	rep      look.Report
	seen     []seen

	imports  int  // files imported so far …
	imported int  // … and their bytes
	gaveUp   bool // … are too many
}

// seen is a file that the model has been given.
type seen struct {
	path string
	info os.FileInfo
}

// Startup tells what a session started so would load, in the order in which the
// model gets it: the user's file, the project's private memory, the files of
// extensions, the project's. The error is for a start that would fail: no start
// folder, no home folder.
func (Host) Startup(s host.Session) (*startup.Report, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	c.rep.Unused(Host{}.Title(), s.Flags, true)
	c.start()
	for _, path := range s.Reads {
		c.read(path)
	}
	return c.rep.Report, nil
}

// Folder returns one of the folders of this session.
func (Host) Folder(s host.Session, kind host.Kind) (string, error) {
	c, err := newClient(s)
	if err != nil {
		return "", err
	}
	name, _ := c.projectName()
	switch kind {
	case host.MemoryFolder:
		dir, _ := c.memoryFolder()
		return dir, nil
	case host.TranscriptsFolder:
		return filepath.Join(c.dot, tmpName, name, chatsName), nil
	case host.ConfigFolder:
		return c.dot, nil
	}
	return "", fmt.Errorf("no folder of kind %q", kind)
}

// SessionLogs lists the logs of the sessions that were started in this folder:
// those in the folder of its name, and those that older versions kept in one named
// by the folder's hash.
func (Host) SessionLogs(s host.Session) ([]string, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	name, _ := c.projectName()
	names := []string{name}
	for _, folder := range []string{c.rep.Cwd, filepath.Clean(s.Cwd)} { // a link counts as it was typed
		if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(folder))); !slices.Contains(names, sum) {
			names = append(names, sum)
		}
	}
	var files []string
	for _, name := range names {
		dir := filepath.Join(c.dot, tmpName, name, chatsName)
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // no session yet
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); strings.HasPrefix(e.Name(), logPrefix) && (ext == ".json" || ext == ".jsonl") {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
	}
	return files, nil
}

func newClient(s host.Session) (*client, error) {
	if s.Agent != "" {
		return nil, fmt.Errorf("agent %s: Gemini CLI keeps no memory of its own for a subagent", s.Agent)
	}
	home, err := homeFolder(s)
	if err != nil {
		return nil, err
	}
	rep, err := look.Start(Host{}.Name(), Client, s.Cwd)
	if err != nil {
		return nil, err
	}
	c := &client{s: s, home: home, dot: filepath.Join(home, dotFolder), rep: rep}
	if r := gitroot.Find(rep.Cwd); r != nil {
		c.rep.Root = r.Top
	}
	c.loadSettings()
	c.names, c.markers, c.roots = c.contextNames(), c.boundaryMarkers(), c.workspace()
	return c, nil
}

func homeFolder(s host.Session) (string, error) {
	home := s.Env.Home
	if v := s.Env.Getenv(envHome); v != "" {
		home = v
	}
	if home == "" {
		return "", errors.New("there is no home folder: set HOME, or GEMINI_CLI_HOME")
	}
	if !filepath.IsAbs(home) {
		home = filepath.Join(s.Cwd, home)
	}
	return filepath.Clean(home), nil
}
