package codex

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dormouse/host"
	"dormouse/host/internal/look"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

func memoryFolder(s host.Session, home string) string {
	if s.Store != "" {
		return s.Store
	}
	return filepath.Join(home, memoriesName)
}

// memory describes the store and loads its summary, which comes before the
// instructions.
func (c *client) memory() {
	m := &c.rep.Mem
	m.On, m.Switch = c.memorySwitch()
	m.Dir = memoryFolder(c.s, c.home)
	switch {
	case c.s.Store != "":
		m.Where = startup.Decision{Value: c.s.Store, By: "--store"}
	case c.s.Env.Getenv(envHome) != "":
		m.Where = startup.Decision{Value: c.home, By: envHome}
	default:
		m.Where = startup.Decision{Value: c.home, By: "one store for all projects"}
	}
	if !m.On {
		// Off means off: the folder is not even looked into.
		c.rep.Leave(startup.Left{
			Path: m.Dir, Scope: startup.Memory, Reason: startup.NotOff, From: m.Switch.File, Line: m.Switch.Line,
			Why: fmt.Sprintf("memory is off: %s is %s", m.Switch.By, m.Switch.Value),
		})
		return
	}
	info, err := os.Stat(m.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil || !info.IsDir() {
		c.rep.Problem(m.Dir, 0, "the memory folder cannot be used: it is no folder that can be read")
		return
	}
	m.Exists = true
	c.summary(filepath.Join(m.Dir, summaryName))
	c.handbook(m)
}

// memorySwitch decides whether the summary loads: a requirement of the machine,
// then the feature, then use_memories. Off by default. Measured.
func (c *client) memorySwitch() (bool, startup.Decision) {
	for _, from := range []config{c.required, c.config} {
		for _, key := range []string{keyOldMemories, keyMemories} {
			on, s, ok := c.flag(from, keyFeatures, key)
			if !ok {
				continue
			}
			if use, u, ok := c.flag(c.config, keyMemories, keyUse); on && ok && !use {
				return false, u.decision()
			}
			return on, s.decision()
		}
	}
	return false, startup.Decision{Value: "off", By: "default"}
}

// flag returns a key that must be true or false.
func (c *client) flag(from config, path ...string) (on bool, s setting, set bool) {
	if s, set = from.get(path...); !set {
		return false, s, false
	}
	if on, set = s.Value.(bool); !set {
		c.refused(s, "it must be true or false")
	}
	return on, s, set
}

// summary loads memory_summary.md. The client does not follow a link there, and
// takes nothing of a file that is not UTF-8. Measured.
func (c *client) summary(path string) {
	left := startup.Left{Path: path, Scope: startup.Memory}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.rep.Notice(path, 0, "not there yet, so nothing of the memory loads by itself")
		return
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		left.Reason, left.Why = startup.NotAFile, "a link; Codex does not follow one here, so the summary does not load"
		c.rep.Leave(left)
		c.rep.Problem(path, 0, left.Why)
		return
	}
	b, info, err := safefile.Read(path, look.MaxFile)
	if err == nil && !utf8.Valid(b) {
		err = errors.New("not valid UTF-8; Codex then loads nothing of it")
	}
	if err != nil {
		c.rep.Unread(left, info, err)
		return
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		left.Reason, left.Why = startup.NotEmpty, "nothing in it"
		c.rep.Leave(left)
		return
	}
	f := startup.File{Path: path, Scope: startup.Memory, Reason: startup.ByIndex, Why: "the memory summary", Bytes: info.Size(), Modified: info.ModTime()}
	f.Text, f.Cut = cutMiddle(text)
	if f.Cut != nil {
		left.Reason, left.Line, left.From = startup.NotCut, f.Cut.FirstCutLine, path
		left.Why = fmt.Sprintf("cut: of its %d bytes the first and the last %d load, the middle does not", len(text), summaryBytes/2)
		c.rep.Leave(left)
	}
	c.load(f)
}

// cutMiddle keeps the first and the last half of the limit, each at a
// character's edge, and puts the client's own words between them. Measured.
func cutMiddle(text string) (string, *startup.Cut) {
	if len(text) <= summaryBytes {
		return text, nil
	}
	from, to := summaryBytes/2, len(text)-summaryBytes/2
	for !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	over := len(text) - summaryBytes
	marker := fmt.Sprintf(middleCutWords, (over+bytesPerToken-1)/bytesPerToken)
	first, last := strings.Count(text[:from], "\n")+1, strings.Count(text[:to], "\n")+1
	if text[to-1] == '\n' {
		last--
	}
	return text[:from] + marker + text[to:], &startup.Cut{By: "size", TotalLines: startup.Lines(text), FirstCutLine: first, CutLines: last - first + 1}
}

// handbook remarks on what the agent looks up by itself.
func (c *client) handbook(m *startup.MemoryState) {
	path := filepath.Join(m.Dir, handbookName)
	if _, err := os.Stat(path); err == nil {
		m.Notes++
		c.rep.Notice(path, 0, "not loaded at start: the agent searches it when the summary points there")
	}
	entries, err := os.ReadDir(filepath.Join(m.Dir, rolloutsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.rep.Problem(filepath.Join(m.Dir, rolloutsName), 0, "cannot be listed")
	}
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), ".md") {
			m.Notes++
		}
	}
}
