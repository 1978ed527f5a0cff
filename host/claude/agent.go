package claude

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dormouse/frontmatter"
	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// The folders of subagents' own memory. Measured on 2.1.332: the session's own
// start folder is the anchor, also when the agent is defined further up; the
// text is neither stripped of frontmatter nor of comments; without an index
// nothing is generated.
const (
	agentMemory      = "agent-memory"
	agentMemoryLocal = "agent-memory-local"
)

// agent fills the report with what the named subagent is given of its own
// memory, behind all that the session loads (it gets that too).
func (c *client) agent(name string) error {
	def, err := c.findAgent(name)
	if err != nil {
		return err
	}
	c.start()
	m := startup.MemoryState{On: c.rep.Mem.On, Switch: c.rep.Mem.Switch, Where: startup.Decision{
		Value: def.memory, By: "memory in " + def.path, File: def.path, Line: def.line,
	}}
	dir, ok := c.agentFolder(name, def.memory)
	if !ok {
		return fmt.Errorf("agent %s has no memory of its own: %s says memory: %q (user, project or local would give it one)", name, def.path, def.memory)
	}
	m.Dir = dir
	c.rep.Mem = m
	if !m.On {
		return nil
	}
	c.otherAgentStores(name, def)
	c.loadAgentIndex()
	return nil
}

func (c *client) loadAgentIndex() {
	m := &c.rep.Mem
	path := filepath.Join(m.Dir, indexName)
	b, info, err := safefile.Read(path, maxFile)
	m.Exists = c.disk.exists(m.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		c.unread(path, how{scope: startup.Memory}, info, err)
		return
	}
	text := frontmatter.TrimSpace(look.Text(b))
	if text == "" {
		c.left(startup.Left{Path: path, Scope: startup.Memory, Reason: startup.NotEmpty, Why: "nothing is in it"})
		return
	}
	m.Index = c.addIndex(startup.File{
		Path: path, Scope: startup.Memory, Reason: startup.ByIndex,
		Why: "the agent's own memory index", Bytes: int64(len(b)), Modified: info.ModTime(),
	}, text)
}

// agentDef is an agent's definition file.
type agentDef struct {
	path, memory string
	line         int
}

// findAgent looks where the client does: .claude/agents from the start folder
// up to the repository root, then the user's. The name is the one in the
// frontmatter; the nearest definition counts.
func (c *client) findAgent(name string) (*agentDef, error) {
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return nil, fmt.Errorf("%q cannot be an agent's name", name) // it would name a folder elsewhere
	}
	var dirs []string
	if c.source(startup.Project) {
		for dir := c.cwd; ; dir = filepath.Dir(dir) {
			dirs = append(dirs, filepath.Join(dir, dotFolder, agentsName))
			if c.repo == nil || dir == c.repo.Top || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	if c.source(startup.User) {
		dirs = append(dirs, filepath.Join(c.config, agentsName))
	}
	for _, dir := range dirs {
		if def := c.agentIn(dir, name); def != nil {
			return def, nil
		}
	}
	return nil, fmt.Errorf("no agent is named %q in %s", name, strings.Join(dirs, ", "))
}

func (c *client) agentIn(dir, name string) *agentDef {
	var found *agentDef
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".md") {
			return nil //nolint:nilerr // a folder that cannot be read holds no agent that the client would find
		}
		b, _, err := safefile.Read(path, maxFile)
		if err != nil {
			c.problem(path, 0, "cannot be read: "+err.Error())
			return nil
		}
		fields := frontFields(look.Text(b))
		if fields.text("name") == name {
			if found != nil {
				c.notice(path, fields.line("name"), found.path+" defines an agent of the same name; of two in one folder the client takes the one that the file system gives last")
			}
			found = &agentDef{path: path, memory: fields.text("memory"), line: fields.line("memory")}
		}
		return nil
	})
	return found
}

// agentFolder is where an agent's memory of the given kind lies.
func (c *client) agentFolder(name, kind string) (string, bool) {
	name = strings.ReplaceAll(name, ":", "-") // documented
	switch kind {
	case "user":
		return filepath.Join(c.memoryBase(), agentMemory, name), true
	case "project":
		return filepath.Join(c.cwd, dotFolder, agentMemory, name), true
	case "local":
		if base, _, ok := c.variable(envRemoteMemory); ok && base != "" {
			return filepath.Join(base, projectsName, FolderName(c.root()), agentMemoryLocal, name), true
		}
		return filepath.Join(c.cwd, dotFolder, agentMemoryLocal, name), true
	}
	return "", false
}

// otherAgentStores names stores of the same agent beside its definition, which
// a session started here does not read.
func (c *client) otherAgentStores(name string, def *agentDef) {
	for dir := filepath.Dir(c.cwd); c.repo != nil && look.Inside(c.repo.Top, dir); dir = filepath.Dir(dir) {
		other := filepath.Join(dir, dotFolder, filepath.Base(filepath.Dir(c.rep.Mem.Dir)), filepath.Base(c.rep.Mem.Dir))
		if def.memory == "user" || !c.disk.exists(other) {
			continue
		}
		why := fmt.Sprintf("not read: the client takes the agent's memory from the start folder %s, although the agent is defined in %s", c.cwd, def.path)
		c.rep.Mem.Others = append(c.rep.Mem.Others, startup.Store{Dir: other, Notes: countNotes(other), Why: why})
		c.left(startup.Left{Path: filepath.Join(other, indexName), Scope: startup.Memory, Reason: startup.NotShadowed, From: def.path, Line: def.line, Why: why})
	}
}

func countNotes(dir string) int {
	entries, _ := os.ReadDir(dir)
	n := 0
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".md") && e.Name() != indexName {
			n++
		}
	}
	return n
}
