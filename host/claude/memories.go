package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/host"
	"dormouse/internal/safefile"
)

var _ host.Lister = Host{}

// Memories lists the memory folders below projects/ that hold notes or an index.
// Whose they are is told by the transcripts beside them, which say where their
// session was started, and by the client's state file, which lists projects.
func (Host) Memories(s host.Session) ([]host.Memory, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	base := filepath.Join(c.memoryBase(), projectsName)
	if c.config == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(base)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known := c.knownProjects()
	var out []host.Memory
	for _, e := range entries { // sorted by name
		dir := filepath.Join(base, e.Name(), memoryName)
		if !e.IsDir() || !c.hasNotes(dir) {
			continue
		}
		m := host.Memory{Dir: dir, Notes: countNotes(dir), Logs: newestLogs(filepath.Join(c.config, projectsName, e.Name()))}
		roots := map[string]bool{}
		for _, r := range known[e.Name()] {
			roots[r] = true
		}
		for _, log := range m.Logs {
			if cwd := logFolder(log); cwd != "" {
				roots[cwd] = true
			}
		}
		m.Roots = slices.Sorted(maps.Keys(roots))
		out = append(out, m)
	}
	return out, nil
}

// SameName searches the disk for folders, other than root, whose memory would lie
// in dir.
func (Host) SameName(dir, root string) []string {
	return sameName(root, filepath.Base(filepath.Dir(dir)))
}

// knownProjects are the projects of the client's state file, by folder name.
func (c *client) knownProjects() map[string][]string {
	b, _, err := safefile.Read(c.statePath(), maxState)
	if err != nil {
		return nil
	}
	var state struct {
		Projects map[string]json.RawMessage `json:"projects"`
	}
	if json.Unmarshal(b, &state) != nil {
		return nil // said where it matters: external imports
	}
	out := map[string][]string{}
	for path := range state.Projects {
		name := FolderName(filepath.FromSlash(path))
		out[name] = append(out[name], path)
	}
	return out
}

const (
	logSuffix  = ".jsonl"
	fewLogs    = 3
	logHead    = 256 << 10 // bytes of a transcript that are looked at
	cwdPattern = `"cwd":`
)

// newestLogs are a few transcripts of a folder, the newest first.
func newestLogs(dir string) []string {
	entries, _ := os.ReadDir(dir) // none is as good as none that can be read
	type log struct {
		path string
		mod  int64
	}
	var logs []log
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), logSuffix) || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil {
			logs = append(logs, log{filepath.Join(dir, e.Name()), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(logs, func(a, b log) int {
		return cmp.Or(cmp.Compare(b.mod, a.mod), strings.Compare(a.path, b.path))
	})
	var out []string
	for _, l := range logs[:min(fewLogs, len(logs))] {
		out = append(out, l.path)
	}
	return out
}

// logFolder is the folder that a session was started in: the first cwd of its
// transcript (measured: on every line of a turn), "" if its head names none.
func logFolder(path string) string {
	head, _, err := safefile.Head(path, logHead)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(head) {
		if !bytes.Contains(line, []byte(cwdPattern)) {
			continue
		}
		var turn struct {
			Cwd string `json:"cwd"`
		}
		if json.Unmarshal(line, &turn) == nil && filepath.IsAbs(turn.Cwd) {
			return filepath.Clean(turn.Cwd)
		}
	}
	return ""
}
