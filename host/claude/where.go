package claude

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"dormouse/internal/gitroot"
	"dormouse/startup"
)

// memoryFolder returns the store's folder for this session and what decided
// it. Measured on 2.1.332.
func (c *client) memoryFolder() (string, startup.Decision) {
	if c.s.Store != "" {
		return c.s.Store, startup.Decision{Value: c.s.Store, By: "--store"}
	}
	if v, from, ok := c.variable(envMemoryPath); ok && filepath.IsAbs(v) {
		return filepath.Clean(v), from
	}
	// The strongest layer that has the key decides, even when its value is one
	// that the client then does not use.
	if l, raw, ok := c.settings.strongest(keyMemoryDir); ok {
		var v string
		_ = json.Unmarshal(raw, &v) // its kind was checked when the file was read
		if dir, usable := c.usableFolder(v); usable {
			return dir, l.decision(keyMemoryDir, v)
		}
		if v != "" {
			c.notice(l.path, keyLine(l.raw, keyMemoryDir), fmt.Sprintf(
				"%s %q is ignored by the client: only an absolute path or ~/… counts; notes go to the default folder", keyMemoryDir, v))
		}
	}
	name, from := c.projectName()
	return filepath.Join(c.memoryBase(), projectsName, name, memoryName), from
}

// usableFolder expands ~/ and refuses what the client refuses.
func (c *client) usableFolder(v string) (string, bool) {
	if rest, ok := strings.CutPrefix(v, "~/"); ok && filepath.IsLocal(rest) && filepath.Clean(rest) != "." {
		v = filepath.Join(c.s.Env.Home, rest)
	}
	if !filepath.IsAbs(v) || strings.IndexByte(v, 0) >= 0 {
		return "", false
	}
	v = filepath.Clean(v)
	return v, v != filepath.Dir(v)
}

// memoryBase is the folder that holds projects/ for memory.
func (c *client) memoryBase() string {
	if v, _, ok := c.variable(envRemoteMemory); ok && v != "" {
		return v
	}
	return c.config
}

// projectName is the folder name below projects/ that memory uses: that of the
// main checkout, so that all worktrees and subfolders share one store.
func (c *client) projectName() (string, startup.Decision) {
	if name, ok := c.fixedName(); ok {
		return name, startup.Decision{Value: name, By: envProjectName}
	}
	root := c.root()
	how := "the folder itself (no repository)"
	switch {
	case c.repo != nil && c.repo.Linked:
		how = "shared via the git common dir with " + c.repo.Main
	case c.repo != nil && root != c.cwd:
		how = "shared by the whole repository " + root
	case c.repo != nil:
		how = "the repository"
	}
	return FolderName(root), startup.Decision{Value: root, By: how}
}

// fixedName is the name set by CLAUDE_CODE_PROJECT_DIR_NAME, which counts only
// beside CLAUDE_CONFIG_DIR, in the environment of the process, and when it is 1
// to 64 of [A-Za-z0-9_-].
func (c *client) fixedName() (string, bool) {
	name := c.s.Env.Getenv(envProjectName)
	if name == "" || len(name) > 64 || c.s.Env.Getenv(envConfigDir) == "" {
		return "", false
	}
	for _, r := range name {
		if r != '_' && r != '-' && !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return "", false
		}
	}
	return name, true
}

// transcriptsFolder is named after the start folder, not the repository.
func (c *client) transcriptsFolder() string {
	name, ok := c.fixedName()
	if !ok {
		name = FolderName(c.cwd)
	}
	return filepath.Join(c.config, projectsName, name)
}

// isProject tells whether a folder is one that the client would name a store
// after: a repository's main checkout, or any folder outside a repository.
func isProject(dir string) bool {
	r := gitroot.Find(dir)
	return r == nil || r.Main == dir
}
