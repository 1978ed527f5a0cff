package testkit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Case is one recorded start of a session: files to lay out, how to start, and
// what the real client then sent to the model.
type Case struct {
	Name   string            `json:"name"`
	Why    string            `json:"why"`
	Client string            `json:"client,omitempty"`
	Git    *bool             `json:"git,omitempty"` // nil means true: proj is a repository
	Files  Files             `json:"files"`
	Setup  []string          `json:"setup,omitempty"`
	Cwd    string            `json:"cwd,omitempty"` // "" means proj
	Env    map[string]string `json:"env,omitempty"`
	Args   []string          `json:"args,omitempty"`
	Reads  []string          `json:"reads,omitempty"`
	Agent  string            `json:"agent,omitempty"` // subagent that the session starts before anything else
	Want   *Want             `json:"want,omitempty"`
}

// Want is what the client sent.
type Want struct {
	Loaded     []Loaded `json:"loaded"`
	AfterReads []Loaded `json:"after_reads,omitempty"`
	AgeDays    *int     `json:"age_days,omitempty"`
	// Agent is what a started subagent was given of its own memory, nil
	// without one.
	Agent *AgentMemory `json:"agent,omitempty"`
}

// Loaded is one file that reached the model.
type Loaded struct {
	Path  string `json:"path"`
	Scope string `json:"scope,omitempty"`
	Text  string `json:"text"`
	Cut   *Cut   `json:"cut,omitempty"`

	Warning string `json:"warning,omitempty"` // what the client added below a cut index
}

// Cut tells how much of an index did not load.
type Cut struct {
	By           string `json:"by"`
	TotalLines   int    `json:"total_lines"`
	CutLines     int    `json:"cut_lines"`
	FirstCutLine int    `json:"first_cut_line,omitempty"`
	WithinLine   int    `json:"within_line,omitempty"`
}

// Files are the files of a case by path. They are written in the order of the
// case's text, each with a later file time than the one before.
type Files struct {
	Names []string
	Texts map[string]FileText
}

// Set adds a file, or replaces its text.
func (f *Files) Set(name, text string) {
	if f.Texts == nil {
		f.Texts = map[string]FileText{}
	}
	if _, ok := f.Texts[name]; !ok {
		f.Names = append(f.Names, name)
	}
	f.Texts[name] = FileText(text)
}

// UnmarshalJSON keeps the order of the object's members.
func (f *Files) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &f.Texts); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		f.Names = append(f.Names, name.(string))
		var skip json.RawMessage
		if err := d.Decode(&skip); err != nil {
			return err
		}
	}
	return nil
}

// MarshalJSON writes the members in order.
func (f Files) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range f.Names {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(f.Texts[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%s", key, text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// FileText is a file's content: JSON text, or {"base64": "..."} for bytes.
type FileText []byte

// UnmarshalJSON reads either form.
func (f *FileText) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte(`"`)) {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*f = FileText(s)
		return nil
	}
	var o struct {
		Base64 string `json:"base64"`
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(o.Base64)
	*f = raw
	return err
}

// MarshalJSON writes text as a string and other bytes as base64.
func (f FileText) MarshalJSON() ([]byte, error) {
	if s := string(f); strings.ToValidUTF8(s, "") == s {
		return json.Marshal(s)
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString(f)})
}

// ReadCase reads one case file.
func ReadCase(path string) (*Case, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &Case{}
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("reading case %s: %w", path, err)
	}
	return c, nil
}

// Layout is a case laid out on disk.
type Layout struct {
	Root, Home, Cwd string
	Env             map[string]string // what the case sets, expanded
	Args            []string
	Reads           []string
	Agent           string
	slug            func(string) string
}

var placeholder = regexp.MustCompile(`@(mem|slug)\(([^)]*)\)`)

// Expand replaces $ROOT, $HOME, @mem(DIR) and @slug(DIR). In paths from $ROOT
// @mem stays relative; everywhere else use it behind $ROOT/.
func (l *Layout) Expand(s string) string {
	s = strings.ReplaceAll(s, "$ROOT", l.Root)
	s = strings.ReplaceAll(s, "$HOME", l.Home)
	return placeholder.ReplaceAllStringFunc(s, func(m string) string {
		p := placeholder.FindStringSubmatch(m)
		name := l.slug(filepath.Join(l.Root, p[2]))
		if p[1] == "slug" {
			return name
		}
		return "home/.claude/projects/" + name + "/memory"
	})
}

// Lay writes the case below root, an empty folder given by its real path.
// slug maps an absolute folder to the client's name for it.
func (c *Case) Lay(root string, slug func(string) string) (*Layout, error) {
	l := &Layout{Root: root, Home: filepath.Join(root, "home"), slug: slug, Env: map[string]string{}}
	for _, d := range []string{"home/.claude", "proj"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o755); err != nil {
			return nil, err
		}
	}
	if c.Git == nil || *c.Git {
		if err := l.run("git init -q proj"); err != nil {
			return nil, err
		}
	}
	start := time.Now().Add(-time.Duration(len(c.Files.Names)) * time.Millisecond)
	for i, name := range c.Files.Names {
		p := filepath.Join(root, l.Expand(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return nil, err
		}
		text := c.Files.Texts[name]
		if bytes.Contains(text, []byte("$ROOT")) || bytes.Contains(text, []byte("$HOME")) || placeholder.Match(text) {
			text = []byte(l.Expand(string(text)))
		}
		if err := os.WriteFile(p, text, 0o644); err != nil {
			return nil, err
		}
		at := start.Add(time.Duration(i) * time.Millisecond)
		if err := os.Chtimes(p, at, at); err != nil {
			return nil, err
		}
	}
	for _, line := range c.Setup {
		if err := l.run(l.Expand(line)); err != nil {
			return nil, err
		}
	}
	for k, v := range c.Env {
		l.Env[k] = l.Expand(v)
	}
	for _, a := range c.Args {
		l.Args = append(l.Args, l.Expand(a))
	}
	for _, r := range c.Reads {
		r = l.Expand(r)
		if !filepath.IsAbs(r) {
			r = filepath.Join(root, r)
		}
		l.Reads = append(l.Reads, r)
	}
	l.Agent = c.Agent
	cwd := c.Cwd
	if cwd == "" {
		cwd = "proj"
	}
	l.Cwd = filepath.Join(root, l.Expand(cwd))
	return l, nil
}

func (l *Layout) run(line string) error {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = l.Root
	cmd.Env = append(os.Environ(), "HOME="+l.Home, "ROOT="+l.Root,
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=d", "GIT_AUTHOR_EMAIL=d@d", "GIT_COMMITTER_NAME=d", "GIT_COMMITTER_EMAIL=d@d")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("setup line %q: %w\n%s", line, err, out)
	}
	return nil
}
