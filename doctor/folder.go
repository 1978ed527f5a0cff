package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"dormouse/note"
	"dormouse/scan"
	"dormouse/store"
)

// folder compares the index with what is really in the memory folder.
func (c *check) folder() error {
	if c.in.Store == nil {
		return nil
	}
	c.indexLines()
	c.notIndexed()
	c.unreadable()
	c.otherFiles()
	return nil
}

func (c *check) indexPath() string { return filepath.Join(c.dir, store.IndexName) }

// indexLines looks at where the lines of the index lead.
func (c *check) indexLines() {
	there := map[string]bool{}
	for i := range c.items {
		there[c.items[i].Rel] = true
	}
	if _, err := note.ReadIndex(c.index).Remove("any.md"); err != nil && strings.Contains(err.Error(), note.ErrLocked.Error()) {
		c.add("index-unreadable", Place{Path: c.indexPath()}, "", "%s can't be read as a list: %v", store.IndexName, err)
	}
	lines := map[string][]int{}
	for _, l := range note.ReadIndex(c.index).Listed() {
		at := Place{Path: c.indexPath(), Line: l.Line, Text: l.Text}
		if l.Stands {
			lines[l.Files[0]] = append(lines[l.Files[0]], l.Line)
		}
		for k, file := range l.Files {
			switch {
			case there[file]:
			case leadsOut(file):
				c.add("index-escapes", at, file, "%s leads to %s, outside the memory folder", c.at(at), file)
			case exists(c.notePath(file)):
			case k == 0 && strings.HasSuffix(l.Text, strings.TrimSpace(store.DeadMark)): // marked already
			default:
				c.dangling(at, file, l.Stands)
			}
		}
	}
	for i := range c.items {
		if l := lines[c.items[i].Rel]; len(l) > 1 {
			c.add("index-twice", Place{Path: c.indexPath(), Line: l[1]}, c.items[i].Rel, "%s has %d lines in the index: %s", c.items[i].Rel, len(l), numbers(l))
		}
	}
}

func (c *check) dangling(at Place, file string, stands bool) {
	f := c.add("index-dangling", at, file, "%s names %s, and there is no such note", c.at(at), file)
	if near := c.nearNote(file); near != "" {
		f.evidence("%s is there", near)
	}
	if stands {
		f.fix("mark the line as missing; it stays, and the mark goes when the note is back", "index --fix", true, Plan{Kind: Index})
	}
}

// nearNote is a note of the same name but for case, separators and folder.
func (c *check) nearNote(file string) string {
	bare := func(s string) string {
		s = strings.TrimSuffix(strings.ToLower(path.Base(s)), ".md")
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(s)
	}
	for i := range c.items {
		if bare(c.items[i].Rel) == bare(file) {
			return c.items[i].Rel
		}
	}
	return ""
}

func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}

func leadsOut(file string) bool {
	return file == ".." || strings.HasPrefix(file, "../") || strings.HasPrefix(file, "/")
}

// notIndexed tells of notes that no line leads to. Without an index the client
// makes one of all of them; a blank one is told for itself. Notes that wait for a
// review have no line on purpose.
func (c *check) notIndexed() {
	if c.index == nil {
		c.beyondGenerated()
		return
	}
	if strings.TrimSpace(string(c.index)) == "" {
		return
	}
	told, more := 0, 0
	for i := range c.items {
		it := &c.items[i]
		if it.IndexLine > 0 || it.Page != "" || it.Note == nil || superseded(it) || c.waits(it) || c.inNested(it.Rel) {
			continue
		}
		at := Place{Path: c.notePath(it.Rel)}
		if told++; told > maxOrphans {
			more++
			continue
		}
		f := c.add("note-not-indexed", at, "", "%s has no line in %s, so no session knows of it", it.Rel, store.IndexName)
		if d := it.Note.Description(); d != "" {
			f.evidence("it says: %s", clip(d))
		}
		if c.in.Loads != nil {
			if ok, why := c.in.Loads(it.Note.Bytes()); !ok {
				f.evidence("it gets no line before a person has looked at it: %s", why)
				f.fix("look at it, then approve or reject it", "review", false, Plan{})
				continue
			}
		}
		if _, err := note.ReadIndex(nil).Insert(note.Line{File: it.Rel, Title: "x"}); err != nil || scan.Visible(it.Rel) != it.Rel && !strings.Contains(it.Rel, "<") {
			f.fix("rename it: a line can't name it as it is called", "", false, Plan{})
			continue
		}
		f.fix("give it a line, from its own description", "index --fix", true, Plan{Kind: Index})
	}
	if more > 0 {
		c.add("note-not-indexed", Place{Path: c.dir}, "more", "%d more notes have no line in %s", more, store.IndexName).
			fix("give them lines, and move those that have no room to a page", "index --fix --make-room", true, Plan{Kind: Index, Room: store.MakeRoom})
	}
}

// maxOrphans is how many notes without a line are told of one by one: an index has
// room for fewer.
const maxOrphans = 300

// inNested tells a note that lies in a memory folder of its own, such as that of a
// subagent, inside this one.
func (c *check) inNested(rel string) bool {
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		if exists(filepath.Join(c.notePath(dir), store.IndexName)) {
			return true
		}
	}
	return false
}

// waits tells a note that a person turned down or that is held for its origin.
func (c *check) waits(it *store.Item) bool {
	if c.in.Ledger == nil {
		return false
	}
	hash := store.HashOf(it.Note.Bytes())
	return c.in.Ledger.Rejected(hash) || c.lowOrigin(hash)
}

// beyondGenerated tells of notes that the client leaves out of the index that it
// makes itself.
func (c *check) beyondGenerated() {
	for _, l := range c.rep.Left {
		if l.Reason != "not-indexed" {
			continue
		}
		c.add("note-not-indexed", Place{Path: l.Path}, "", "%s: %s", c.show(l.Path), l.Why)
	}
}

// unreadable tells of notes that can't be read, and of links of a note's name that
// lead to nothing: links are followed by whoever reads them, if they lead somewhere.
func (c *check) unreadable() {
	for i := range c.items {
		it := &c.items[i]
		if it.Err != nil {
			c.add("note-unreadable", Place{Path: c.notePath(it.Rel), Line: 0}, "", "%s can't be read: %v", it.Rel, it.Err)
		}
	}
}

// maxOther bounds what is told of files that are no notes.
const maxOther = 20

// otherFiles names the files of the memory folder that are no notes. Names with a
// dot in front are somebody's own business.
func (c *check) otherFiles() {
	var found, dead []string
	_ = filepath.WalkDir(c.dir, func(p string, d fs.DirEntry, err error) error { // what can't be read was told
		switch {
		case err != nil:
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), ".") && p != c.dir:
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
		case d.Type()&fs.ModeSymlink != 0 && strings.HasSuffix(d.Name(), ".md") && d.Name() != store.IndexName:
			if _, err := os.Stat(p); err != nil && len(dead) < maxOther {
				dead = append(dead, p)
			}
		case !strings.HasSuffix(d.Name(), ".md") && len(found) < maxOther:
			found = append(found, p)
		}
		return nil
	})
	for _, p := range dead {
		c.add("note-unreadable", Place{Path: p}, "", "%s is a link to nothing", c.show(p))
	}
	for _, p := range found {
		f := c.add("not-a-note", Place{Path: p}, "", "%s is no note, and nothing reads it: notes end in .md", c.show(p))
		if info, err := os.Lstat(p); err == nil && !info.Mode().IsRegular() {
			f.evidence("it is no plain file")
		}
	}
}
