package gemini

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"dormouse/host/internal/jsonkeys"
	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// layer is one settings.json that counts.
type layer struct {
	path string
	file *jsonkeys.File
}

// settings are the layers from weak to strong: the machine's defaults, the
// user's, the project's where it is trusted, the machine's.
type settings []layer

// setting is a key's value and where it stands.
type setting struct {
	jsonkeys.Key
	file string
}

func (s setting) decision() startup.Decision {
	return startup.Decision{Value: fmt.Sprint(s.Value), By: strings.Join(s.Path, "."), File: s.file, Line: s.Line}
}

// get returns the strongest layer's value of a key. A layer with something else
// in place of the object around it hides the weaker ones.
func (s settings) get(path ...string) (setting, bool) {
	for _, l := range slices.Backward(s) {
		k, ok, blocked := l.file.Get(path...)
		if ok {
			return setting{k, l.path}, true
		}
		if blocked {
			break
		}
	}
	return setting{}, false
}

// loadSettings reads the layers and decides about trust. What would keep the
// client from starting is a problem, and the answer goes on without that file.
func (c *client) loadSettings() {
	system := c.s.Env.Getenv(envSystem)
	if system == "" {
		system = filepath.Join(c.s.Env.Root, systemFolder(c.s.Env.OS), settingsName)
	}
	defaults := c.s.Env.Getenv(envDefaults)
	if defaults == "" {
		defaults = defaultsBeside(system)
	}
	machine := c.readJSON(system)
	c.settings = append(c.readJSON(defaults), c.readJSON(filepath.Join(c.dot, settingsName))...)
	c.trusted = c.trust(append(slices.Clone(c.settings), machine...))
	if home := look.Real(c.home); c.rep.Cwd != c.home && c.rep.Cwd != home {
		// A file that is not JSON stops the client even where it is not trusted.
		if project := c.readJSON(filepath.Join(c.rep.Cwd, dotFolder, settingsName)); c.trusted.Value == "true" {
			c.settings = append(c.settings, project...)
		} else if len(project) > 0 {
			c.rep.Notice(project[0].path, 0, "these settings do not count: the folder is not trusted")
		}
	}
	c.settings = append(c.settings, machine...)
}

// readJSON reads a file of settings, none when it is not there.
func (c *client) readJSON(path string) settings {
	b, _, err := safefile.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var f *jsonkeys.File
	if err == nil {
		f, err = jsonkeys.Parse(b)
	}
	if err == nil {
		return settings{{path, f}}
	}
	line := 0
	if je, ok := errors.AsType[*jsonkeys.Error](err); ok {
		line = je.Line
	}
	c.rep.Problem(path, line, "Gemini CLI does not start with this file: "+strings.TrimPrefix(err.Error(), path+": "))
	return nil
}

// byNobody stands for a folder about which nobody has decided yet.
const byNobody = "default"

// trust decides whether the start folder is trusted: by a variable, by the
// switch that trusts all, by the longest rule that fits. Without any the client
// asks, or does not start when it cannot ask. Measured.
func (c *client) trust(from settings) startup.Decision {
	if c.s.Env.Getenv(envRestricted) == "true" {
		return startup.Decision{Value: "false", By: envRestricted}
	}
	if v := c.s.Env.Getenv(envTrust); v == "true" || v == "false" {
		return startup.Decision{Value: v, By: envTrust}
	}
	if s, ok := from.get(keySecurity, keyTrust, keyEnabled); ok && s.Value == false {
		d := s.decision()
		d.Value = "true"
		return d
	}
	path := c.s.Env.Getenv(envTrustFile)
	if path == "" {
		path = filepath.Join(c.dot, trustName)
	}
	for _, l := range c.readJSON(path) {
		if d := c.longestRule(l); d.By != "" {
			return d
		}
	}
	return startup.Decision{Value: "false", By: byNobody, File: path}
}

func (c *client) longestRule(l layer) startup.Decision {
	var best startup.Decision
	for _, rule := range l.file.Names() {
		k, _, _ := l.file.Get(rule)
		dir := filepath.Clean(rule)
		switch k.Value {
		case "TRUST_PARENT":
			dir = filepath.Dir(dir)
		case "TRUST_FOLDER", "DO_NOT_TRUST":
		default:
			c.rep.Problem(l.path, k.Line, "Gemini CLI does not start with this level of trust; there are TRUST_FOLDER, TRUST_PARENT, DO_NOT_TRUST")
			continue
		}
		if real := look.Real(dir); real != "" {
			dir = real
		}
		if look.Inside(dir, c.rep.Cwd) && len(rule) > len(best.By) {
			best = startup.Decision{Value: fmt.Sprint(k.Value != "DO_NOT_TRUST"), By: rule, File: l.path, Line: k.Line}
		}
	}
	return best
}

// refused tells of a value that keeps the client from starting.
func (c *client) refused(s setting, why string) {
	c.rep.Problem(s.file, s.Line, "Gemini CLI does not start with this "+strings.Join(s.Path, ".")+": "+why)
}

// texts returns a setting that is a list of strings, variables put in.
func (c *client) texts(s setting) ([]string, bool) {
	list, ok := s.Value.([]any)
	var out []string
	for _, v := range list {
		str, isString := v.(string)
		ok = ok && isString
		out = append(out, c.expand(str))
	}
	if !ok {
		c.refused(s, "it must be a list of strings")
	}
	return out, ok
}

// expand puts in the values of $NAME, ${NAME} and ${NAME:-default}; one that is
// not set stays as it is. Source, measured.
func (c *client) expand(s string) string {
	if !strings.Contains(s, "$") {
		return s
	}
	variable := regexp.MustCompile(`\$(?:(\w+)|\{([^}]+?)(?::-([^}]*))?\})`)
	return variable.ReplaceAllStringFunc(s, func(match string) string {
		m := variable.FindStringSubmatchIndex(match)
		name := match[1:]
		if m[4] >= 0 {
			name = match[m[4]:m[5]]
		}
		if v, ok := c.s.Env.Lookup(name); ok {
			return v
		}
		if m[6] >= 0 {
			return match[m[6]:m[7]]
		}
		return match
	})
}

// contextNames are the names of the files that are looked for: those set, and
// always GEMINI.md behind them. Measured.
func (c *client) contextNames() []string {
	var set []string
	if s, ok := c.settings.get(keyContext, keyNames); ok {
		switch v := s.Value.(type) {
		case string:
			set = []string{c.expand(v)}
		case nil:
		default:
			set, _ = c.texts(s)
		}
	}
	var names []string
	for _, n := range append(set, contextName) {
		if n = strings.TrimSpace(n); n != "" && !slices.Contains(names, filepath.Clean(n)) {
			names = append(names, filepath.Clean(n))
		}
	}
	return names
}

// boundaryMarkers are the names that mark the project's root. One that leads
// elsewhere marks nothing. Measured.
func (c *client) boundaryMarkers() []string {
	s, ok := c.settings.get(keyContext, keyMarkers)
	if !ok || s.Value == nil {
		return []string{rootMarker}
	}
	list, ok := c.texts(s)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(list, func(m string) bool { return filepath.IsAbs(m) || strings.Contains(m, "..") })
}

// workspace lists the start folder and those included. One that is not there
// keeps the client from starting; measured (the document says it is skipped).
func (c *client) workspace() []string {
	roots := []string{c.rep.Cwd}
	add := func(dir string) bool {
		if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
			dir = c.home + rest
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(c.rep.Cwd, dir)
		}
		real, err := filepath.EvalSymlinks(dir)
		if info, serr := os.Stat(dir); err != nil || serr != nil || !info.IsDir() {
			return false
		}
		if !slices.Contains(roots, real) {
			roots = append(roots, real)
		}
		return true
	}
	for _, l := range c.settings { // the lists of all layers are joined
		k, ok, _ := l.file.Get(keyContext, keyDirs)
		if !ok {
			continue
		}
		list, _ := c.texts(setting{k, l.path})
		for _, dir := range list {
			if !add(dir) {
				c.refused(setting{k, l.path}, "there is no folder "+dir)
			}
		}
	}
	for _, dir := range c.s.Flags.AddDirs {
		if !add(dir) {
			c.rep.Problem(dir, 0, "--include-directories: there is no such folder, and Gemini CLI does not start so")
		}
	}
	return roots
}
