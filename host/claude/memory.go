package claude

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/frontmatter"
	"dormouse/host/internal/look"
	"dormouse/instructions"
	"dormouse/internal/safefile"
	"dormouse/note"
	"dormouse/startup"
	"dormouse/store"
)

// memory adds the index, which loads last, and describes the store.
func (c *client) memory(p *pass) {
	m := &c.rep.Mem
	m.On, m.Switch = c.memorySwitch()
	m.Dir, m.Where = c.memoryFolder()
	if c.config == "" && !filepath.IsAbs(m.Dir) {
		m.Dir = "" // it cannot be told without a home folder
		return
	}
	if !m.On {
		// Off means off: the folder is not even looked into.
		c.left(startup.Left{
			Path: m.Dir, Scope: startup.Memory, Reason: startup.NotOff, From: m.Switch.File, Line: m.Switch.Line,
			Why: fmt.Sprintf("memory is off: %s is %s", m.Switch.By, m.Switch.Value),
		})
		return
	}
	if c.s.Thorough && c.s.Store == "" {
		c.elsewhere()
	}
	info, err := os.Stat(m.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil || !info.IsDir() {
		what := "it is a file, not a folder"
		if err != nil {
			what = reason(err).Error()
		}
		c.problem(m.Dir, 0, "the memory folder cannot be used: "+what)
		return
	}
	m.Exists = true
	c.loadIndex(p, m)
}

func (c *client) loadIndex(p *pass, m *startup.MemoryState) {
	path := filepath.Join(m.Dir, indexName)
	b, info, err := safefile.Read(path, maxFile)
	generate := errors.Is(err, fs.ErrNotExist) && !isLink(path)
	var notes []store.File
	if generate || !c.s.IndexOnly {
		var lerr error
		if notes, lerr = store.Notes(m.Dir, generate || c.s.Thorough); lerr != nil {
			c.problem(m.Dir, 0, "notes cannot be listed: "+lerr.Error())
		}
	}
	m.Notes = len(notes)
	if c.s.Thorough {
		m.Oldest = c.oldest(m.Dir, notes)
	}
	if generate {
		c.generateIndex(m, path, notes)
		return
	}
	if err != nil {
		c.unread(path, how{scope: startup.Memory}, info, err)
		return
	}
	if p.given(path) {
		c.left(startup.Left{Path: path, Scope: startup.Memory, Reason: startup.NotDuplicate, Why: "an instruction file imports it, so it is not loaded again as memory"})
		return
	}
	whole := look.Text(b)
	text := indexText(whole)
	f := startup.File{Path: path, Scope: startup.Memory, Reason: startup.ByIndex, Why: "the memory index", Bytes: int64(len(b)), Modified: info.ModTime()}
	if text == "" {
		c.left(startup.Left{
			Path: path, Scope: startup.Memory, Reason: startup.NotEmpty,
			Why: "an index that is there but blank loads nothing, even when there are notes; without it the client would make one from the notes",
		})
		m.Index = &startup.Index{Path: path, LinesLimit: indexLines, CharsLimit: indexUnits}
		c.leftNotes(m.Dir, nil, notes)
		return
	}
	m.Index = c.addIndex(f, text)
	// A line count has no bound but the file's size: what is listed has one.
	listed := firstLines(text, indexLines+maxListed)
	entries, line := note.ParseIndex(listed), diskLines(whole, listed)
	c.leftCut(path, entries, line, c.rep.Loaded[len(c.rep.Loaded)-1].Cut)
	if c.s.IndexOnly {
		return
	}
	c.leftNotes(m.Dir, entries, notes)
	c.leftDangling(m.Dir, path, entries, notes, line)
}

// indexText is what the client measures and loads of an index: without front
// matter and comments, trimmed. Measured on 2.1.332.
func indexText(whole string) string {
	return frontmatter.TrimSpace(instructions.StripComments(withoutFront(whole)))
}

// maxListed is how many lines past the limit are listed one by one.
const maxListed = 1000

// addIndex cuts an index to the client's limits and adds it.
func (c *client) addIndex(f startup.File, text string) *startup.Index {
	kept, cut := cutIndex(text)
	f.Text, f.Cut = frontmatter.TrimSpace(sanitizeIndex(kept)), cut
	f = c.give(f)
	c.rep.Loaded = append(c.rep.Loaded, f)
	return &startup.Index{
		Path: f.Path, Generated: f.Reason == startup.ByGeneratedIndex,
		Lines: startup.Lines(text), LinesLimit: indexLines, Chars: startup.Units(text), CharsLimit: indexUnits,
		LoadedLines: startup.Lines(kept), LoadedChars: startup.Units(kept),
	}
}

// cutIndex returns what loads of a stripped and trimmed index. Measured on
// 2.1.332: first by lines, then by size at the last line break that fits; a
// single line over the limit is cut inside, and half a character there goes.
func cutIndex(text string) (string, *startup.Cut) {
	total, units := startup.Lines(text), startup.Units(text)
	overLines, overSize := total > indexLines, units > indexUnits
	if !overLines && !overSize {
		return text, nil
	}
	cut := &startup.Cut{By: "lines", TotalLines: total}
	switch {
	case overLines && overSize:
		cut.By = "both"
	case overSize:
		cut.By = "size"
	}
	kept := text
	if overLines {
		kept = firstLines(text, indexLines)
	}
	if startup.Units(kept) > indexUnits {
		head := firstUnits(kept, indexUnits)
		// A line break right behind the limit still ends a line that fits.
		if i := strings.LastIndexByte(kept[:min(len(kept), len(head)+1)], '\n'); i > 0 {
			kept = kept[:i]
		} else {
			kept = head
			cut.WithinLine = 1
		}
	}
	n := startup.Lines(kept)
	cut.CutLines = total - n
	if cut.WithinLine == 0 {
		cut.FirstCutLine = n + 1
	}
	return kept, cut
}

func firstLines(s string, n int) string {
	at := 0
	for range n {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			return s
		}
		at += i + 1
	}
	return s[:at-1]
}

// firstUnits returns the longest start of s of at most n UTF-16 units that
// splits no character.
func firstUnits(s string, n int) string {
	for i, r := range s {
		w := 1
		if r > 0xFFFF {
			w = 2
		}
		if n -= w; n < 0 {
			return s[:i]
		}
	}
	return s
}

// leftCut lists every line past the cut.
func (c *client) leftCut(path string, entries []note.Entry, line func(int) int, cut *startup.Cut) {
	if cut == nil {
		return
	}
	first := cut.FirstCutLine
	if cut.WithinLine > 0 {
		first = cut.WithinLine + 1
	}
	for _, e := range entries {
		if e.Line >= first {
			c.left(startup.Left{
				Path: path, Scope: startup.Memory, Reason: startup.NotCut, From: path, Line: line(e.Line), Text: e.Text,
				Why: "past the limit of " + limitWords(cut.By),
			})
		}
	}
	if rest := cut.TotalLines - indexLines - maxListed; rest > 0 {
		c.left(startup.Left{
			Path: path, Scope: startup.Memory, Reason: startup.NotCut, Count: rest,
			Why: fmt.Sprintf("%d further lines, past the limit of %s", rest, limitWords(cut.By)),
		})
	}
}

func limitWords(by string) string {
	lines, size := fmt.Sprintf("%d lines", indexLines), fmt.Sprintf("%d characters", indexUnits)
	switch by {
	case "lines":
		return lines
	case "size":
		return size
	}
	return lines + " and of " + size
}

// diskLines maps a line of the stripped text to its line in the file: the next
// line there that reads the same.
func diskLines(whole, text string) func(int) int {
	if strings.HasPrefix(whole, text) {
		return func(n int) int { return n }
	}
	at := []int{0}
	rest, next := whole, 0 // what of the file is still ahead, and the lines behind
	for l := range strings.Lines(text) {
		at = append(at, len(at))
		l = frontmatter.TrimSpace(l)
		for ahead, k := rest, next; ahead != "" && k-next < maxStripped; {
			raw, after, _ := strings.Cut(ahead, "\n")
			ahead, k = after, k+1
			if strings.HasSuffix(frontmatter.TrimSpace(raw), l) {
				at[len(at)-1], rest, next = k, ahead, k
				break
			}
		}
	}
	return func(n int) int { return at[min(n, len(at)-1)] }
}

// maxStripped bounds the search for a line behind what was stripped.
const maxStripped = 2000

// leftNotes lists the notes that no index line names.
func (c *client) leftNotes(dir string, entries []note.Entry, notes []store.File) {
	named := map[string]bool{}
	for _, e := range entries {
		for _, f := range e.Files {
			named[f] = true
		}
	}
	for _, n := range notes {
		if !named[n.Rel] {
			c.left(startup.Left{
				Path: filepath.Join(dir, filepath.FromSlash(n.Rel)), Scope: startup.Memory, Reason: startup.NotIndexed,
				Why: "no line of " + indexName + " names it, so the agent does not know of it",
			})
		}
	}
}

// leftDangling lists index lines that name a note that is not there.
func (c *client) leftDangling(dir, path string, entries []note.Entry, notes []store.File, line func(int) int) {
	there := make(map[string]bool, len(notes))
	for _, n := range notes {
		there[n.Rel] = true
	}
	for _, e := range entries {
		for _, f := range e.Files {
			if there[f] {
				continue
			}
			what := ""
			if f == ".." || strings.HasPrefix(f, "../") || strings.HasPrefix(f, "/") {
				what = "names a file outside the memory folder"
			} else if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(f))); err != nil {
				what = "names a note that is not there"
			}
			if what != "" {
				c.left(startup.Left{
					Path: filepath.Join(dir, filepath.FromSlash(f)), Scope: startup.Memory, Reason: startup.NotDangling,
					From: path, Line: line(e.Line), Text: e.Text, Why: what,
				})
			}
		}
	}
}

// oldest returns the few notes with the oldest file time.
func (c *client) oldest(dir string, notes []store.File) []startup.Note {
	const few = 3
	byAge := slices.Clone(notes)
	slices.SortFunc(byAge, func(a, b store.File) int { return a.Mod.Compare(b.Mod) })
	var out []startup.Note
	for _, n := range byAge[:min(few, len(byAge))] {
		out = append(out, startup.Note{Path: filepath.Join(dir, filepath.FromSlash(n.Rel)), Days: daysOld(c.s.Now, n.Mod)})
	}
	return out
}
