package claude

import (
	"encoding/json"
	"path/filepath"

	"dormouse/instructions/globs"
	"dormouse/startup"
)

// excludes are the claudeMdExcludes of all settings layers.
type excludes struct {
	globs *globs.Excludes
	from  map[string]startup.Decision // by pattern
}

func (c *client) loadExcludes() {
	var patterns []string
	from := map[string]startup.Decision{}
	for _, l := range c.settings.layers {
		var list []string
		if json.Unmarshal(l.keys[keyExcludes], &list) != nil {
			continue
		}
		for _, p := range list {
			patterns = append(patterns, p)
			from[p] = l.decision(keyExcludes, p)
		}
	}
	if len(patterns) > 0 {
		c.exclude = excludes{globs.NewExcludes(patterns, filepath.EvalSymlinks), from}
	}
}

// excluded tells which pattern keeps a file out, if any. They match absolute
// paths; managed files are exempt.
func (c *client) excluded(path string, scope startup.Scope) (startup.Decision, bool) {
	if scope == startup.Managed || c.exclude.globs == nil {
		return startup.Decision{}, false
	}
	pattern, ok := c.exclude.globs.Match(filepath.ToSlash(path))
	return c.exclude.from[pattern], ok
}
