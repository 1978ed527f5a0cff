package codex

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/host/internal/look"
	"dormouse/host/internal/tomlkeys"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// layer is one config.toml that counts.
type layer struct {
	path    string
	project bool // a .codex/config.toml on the way down to the start folder
	file    *tomlkeys.File
}

// config is a stack of layers from weak to strong.
type config []layer

// setting is a key's value and where it stands.
type setting struct {
	tomlkeys.Key
	file string
}

func (s setting) name() string { return strings.Join(s.Path, ".") }

func (s setting) decision() startup.Decision {
	return startup.Decision{Value: fmt.Sprint(s.Value), By: s.name(), File: s.file, Line: s.Line}
}

// get returns the strongest layer's value of a key.
func (c config) get(path ...string) (setting, bool) {
	for _, l := range slices.Backward(c) {
		if k, ok := l.file.Get(path...); ok {
			return setting{k, l.path}, true
		}
	}
	return setting{}, false
}

// withoutProject are the layers that say where the project's root is for its
// AGENTS.md files: the project itself has no say in that. Measured.
func (c config) withoutProject() config {
	return slices.DeleteFunc(slices.Clone(c), func(l layer) bool { return l.project })
}

// loadConfig reads the layers. What would keep the client from starting is a
// problem, and the answer goes on as if that key or file were not there.
func (c *client) loadConfig() {
	system, requirements, managed := systemFiles(c.s.Env.OS, c.s.Env.Getenv("ProgramData"))
	c.config = c.read(c.config, filepath.Join(c.s.Env.Root, system), false)
	c.config = c.read(c.config, filepath.Join(c.home, configName), false)
	c.addProjectLayers()
	c.config = c.read(c.config, filepath.Join(c.s.Env.Root, managed), false)
	c.required = c.read(nil, filepath.Join(c.s.Env.Root, requirements), false)
	if s, ok := c.config.get(keyProfile); ok {
		c.refused(s, "it reads no profile from here any more; use --profile NAME with NAME.config.toml")
	}
}

// read adds a file to the layers if it is there.
func (c *client) read(to config, path string, project bool) config {
	b, _, err := safefile.Read(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return to
	}
	var f *tomlkeys.File
	if err == nil {
		f, err = tomlkeys.Parse(b)
	}
	if err == nil {
		return append(to, layer{path, project, f})
	}
	line := 0
	if te, ok := errors.AsType[*tomlkeys.Error](err); ok {
		line = te.Line
	}
	c.rep.Problem(path, line, "Codex does not start with this file: "+strings.TrimPrefix(err.Error(), path+": "))
	return to
}

// addProjectLayers reads .codex/config.toml in each folder from the project's
// root down to the start folder that is trusted. The client takes nothing from
// the others, so they are not read.
func (c *client) addProjectLayers() {
	base := c.config
	root := c.root(base)
	for _, dir := range look.Upward(root, c.rep.Cwd) {
		folder := filepath.Join(dir, homeName)
		path := filepath.Join(folder, configName)
		if _, err := os.Lstat(path); err != nil || folder == c.home || look.Real(folder) == c.home {
			continue
		}
		if _, level := c.trust(base, dir, root, c.main); level != trusted {
			c.rep.Notice(path, 0, fmt.Sprintf("Codex takes no settings from here: %s is not %s in %s", dir, trusted, filepath.Join(c.home, configName)))
			continue
		}
		c.config = c.read(c.config, path, true)
	}
}

// root is the project's root by the markers of these layers, or the start
// folder when none is found.
func (c *client) root(layers config) string {
	markers := []string{gitMarker}
	if s, ok := layers.get(keyMarkers); ok {
		if list, ok := c.stringList(s); ok {
			markers = list
		}
	}
	if dir := look.Marked(c.rep.Cwd, markers); dir != "" {
		return dir
	}
	return c.rep.Cwd
}

// trust returns what the settings say about the first of the folders that they
// name. Only the folder itself counts, not one above it. Measured.
func (c *client) trust(from config, dirs ...string) (setting, string) {
	for _, dir := range dirs {
		s, ok := from.get(keyProjects, dir, keyTrust)
		if !ok || dir == "" {
			continue
		}
		if level, _ := s.Value.(string); level == trusted || level == untrusted {
			return s, level
		}
		c.refused(s, fmt.Sprintf("it must be %q or %q", trusted, untrusted))
	}
	return setting{}, ""
}

// refused tells of a value that keeps the client from starting, once.
func (c *client) refused(s setting, why string) {
	p := startup.Problem{Path: s.file, Line: s.Line, What: fmt.Sprintf("Codex does not start with this %s: %s", s.name(), why)}
	if !slices.Contains(c.rep.Problems, p) {
		c.rep.Problems = append(c.rep.Problems, p)
	}
}

func (c *client) stringList(s setting) ([]string, bool) {
	list, ok := s.Value.([]any)
	var out []string
	for _, v := range list {
		str, isString := v.(string)
		ok = ok && isString
		out = append(out, str)
	}
	if !ok {
		c.refused(s, "it must be a list of strings")
	}
	return out, ok
}

// maxBytes is the budget of the project's files in bytes.
func (c *client) maxBytes() (int64, setting) {
	s, ok := c.config.get(keyMaxBytes)
	if !ok {
		return docMaxBytes, s
	}
	n, ok := s.Value.(int64)
	if !ok || n < 0 {
		c.refused(s, "it must be a whole number of bytes, 0 or more")
		return docMaxBytes, setting{}
	}
	return n, s
}

// names are the file names that are looked for in each folder, in order. A
// fallback name that is no plain name is passed over without a word; white
// space around it does not count. Measured.
func (c *client) names() []string {
	names := []string{overrideName, docName}
	s, ok := c.config.get(keyFallbacks)
	if !ok {
		return names
	}
	list, _ := c.stringList(s)
	for _, n := range list {
		t := strings.TrimSpace(n)
		if t == "" || t == "." || t == ".." || strings.ContainsAny(t, `/\`) {
			c.rep.Notice(s.file, s.Line, fmt.Sprintf("Codex ignores the name %q in %s: only a plain file name counts", n, keyFallbacks))
		} else if !slices.Contains(names, t) {
			names = append(names, t)
		}
	}
	return names
}
