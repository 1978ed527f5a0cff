package doctor

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"dormouse/scan"
	"dormouse/startup"
	"dormouse/store"
	"dormouse/trust"
)

// safety looks for what should not be in memory: secrets, what nobody sees,
// instructions that no user gave, and for memory that others can write.
func (c *check) safety() error {
	c.scanned()
	if c.in.Store != nil {
		c.origins()
		c.claimed()
		c.modes()
	}
	if c.in.Unsafe != nil {
		c.unsafe()
	}
	c.supplied()
	return nil
}

// unsafe tells of a memory folder that was not opened because others could change
// it, and of its mode where that is the reason.
func (c *check) unsafe() {
	c.skip("the notes, as the folder is not safe")
	f := c.add("loose-mode", Place{Path: c.in.Dir}, "", "the memory folder is not opened: %v", c.in.Unsafe)
	if info, err := os.Stat(c.in.Dir); err == nil && othersWrite(info) && otherOwner(info) == "" {
		mode := info.Mode().Perm()
		f.fix("take the rights of others away", "", true, Plan{Kind: Modes, To: []Mode{{c.in.Dir, mode, mode &^ 0o077}}})
	}
}

// looked is one text on its way through the scanner.
type looked struct {
	path string
	note *store.Item
	text string
	got  []scan.Finding
}

// scanTexts sends every note, the index and the instructions through the scanner.
// It only reads, and runs beside the other rules.
func (c *check) scanTexts() []looked {
	var texts []looked
	c.notes(func(it *store.Item) {
		texts = append(texts, looked{path: c.notePath(it.Rel), note: it, text: string(it.Note.Bytes())})
	})
	if len(c.index) > 0 {
		texts = append(texts, looked{path: c.indexPath(), text: string(c.index)})
	}
	for _, d := range c.docs {
		texts = append(texts, looked{path: d.path, text: d.text})
	}
	scanAll(texts)
	return texts
}

// scanned tells what the scanner found.
func (c *check) scanned() {
	texts := <-c.seen
	for i := range texts {
		c.found(&texts[i])
	}
}

// scanAll scans on as many processors as the program may use.
func scanAll(texts []looked) {
	const block = 32
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(texts)/block+1) {
		wg.Go(func() {
			s := scan.New()
			for {
				from := int(next.Add(block)) - block
				if from >= len(texts) {
					return
				}
				for i := from; i < min(from+block, len(texts)); i++ {
					texts[i].got = s.Scan(texts[i].text, scan.Options{})
				}
			}
		})
	}
	wg.Wait()
}

func (c *check) found(t *looked) {
	if t.note != nil && c.in.Ledger != nil && c.in.Ledger.Approved(store.HashOf(t.note.Note.Bytes())) {
		return // a person has read just these bytes
	}
	hidden, foreign := false, encodedOtherwise(t.text)
	for _, g := range t.got {
		at := Place{Path: t.path, Line: g.Line, Column: g.Column}
		switch {
		case g.Kind == scan.Secret && g.Level >= scan.Quarantine:
			at.Text = g.Shown
			f := c.add("secret", at, g.Rule+g.Shown, "%s holds what looks like a secret (%s): %s", c.at(at), g.Rule, g.Why)
			if t.note != nil || t.path == c.indexPath() {
				f.fix("purge it from the note, the index and the journal, and change the secret", "purge", false, Plan{})
			} else {
				f.fix("take it out of the file and of git's history, and change the secret", "", false, Plan{})
			}
		case g.Kind == scan.Hidden:
			at.Text = scan.Visible(g.Shown)
			if foreign && (g.Rule == "hidden/invalid-utf8" || g.Rule == "hidden/control") { // said once, of the file
				c.add("hidden-characters", at, "encoding", "%s holds bytes that are no UTF-8, and the client shows the agent marks in their place", c.at(at)).level(Warning).
					fix("convert the file to UTF-8", "", false, Plan{})
				continue
			}
			f := c.add("hidden-characters", at, g.Rule+g.Shown, "%s holds characters that nobody sees: %s", c.at(at), g.Why)
			if g.Level < scan.Quarantine || copiedAlong(t.text[g.Start:g.End]) {
				f.level(Warning)
			}
			if !hidden && !foreign {
				c.unhide(f, t)
			}
			hidden = true
		case c.ownWord(t) && (g.Kind == scan.Instruction || g.Kind == scan.Frontmatter):
			// A person's instructions are there to ask for something.
		case g.Kind != scan.Secret && g.Kind != scan.Hidden && g.Level >= scan.Quarantine:
			at.Text = g.Shown
			c.add("foreign-instruction", at, g.Rule+g.Shown, "%s asks the agent for something that no user gave: %s", c.at(at), g.Why).
				fix("look at it, then approve or reject it", "review", false, Plan{})
		}
	}
}

// unhide plans to take out of a text what nobody sees, all of it at once.
func (c *check) unhide(f *Finding, t *looked) {
	p := Plan{Kind: File, Path: t.path, Before: []byte(t.text)}
	shift := 0
	for _, d := range c.docs {
		if d.path == t.path && d.mark {
			p.Before, shift = []byte(fileText(d)), len("\ufeff")
		}
	}
	for _, g := range t.got {
		if g.Kind == scan.Hidden && drawsNothing(g.Rule) {
			p.Edits = append(p.Edits, Edit{Start: g.Start + shift, End: g.End + shift})
		}
	}
	if len(p.Edits) == 0 {
		return
	}
	if t.note != nil {
		p.Kind, p.Path = Note, t.note.Rel
	}
	f.fix("take them out", "", t.note != nil, p)
}

// ownWord tells a file of instructions from notes and their index.
func (c *check) ownWord(t *looked) bool { return t.note == nil && t.path != c.indexPath() }

// copiedAlong tells one character that a copied page brings along inside words of
// any script: a place to break a word, one not to, the mark of a file's start.
func copiedAlong(s string) bool { return s == "\u00ad" || s == "\u2060" || s == "\ufeff" }

// drawsNothing tells the rules for characters that no font draws and no program
// acts on. Others are a person's to take out: a terminal's sequences leave text
// behind, and one of private use is a sign where a font has it.
func drawsNothing(rule string) bool {
	switch rule {
	case "hidden/private-use", "hidden/control", "hidden/escape", "hidden/line-separator", "hidden/invalid-utf8":
		return false
	}
	return true
}

// encodedOtherwise tells a text in UTF-16 or in one byte a letter. What is no
// letter in UTF-8 is one there, and must not be taken out.
func encodedOtherwise(text string) bool {
	return !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0
}

func (c *check) lowOrigin(hash string) bool {
	if c.in.Ledger.Approved(hash) {
		return false
	}
	switch c.in.Ledger.Origin(hash) {
	case trust.Tool, trust.Web, trust.Import, trust.Sync:
		return true
	}
	return false
}

// origins tells of notes that a session is told of though their text came from
// where nobody vouches for it, and no person approved it.
func (c *check) origins() {
	if c.in.Ledger == nil {
		return
	}
	c.notes(func(it *store.Item) {
		hash := store.HashOf(it.Note.Bytes())
		if it.IndexLine == 0 || !c.lowOrigin(hash) {
			return
		}
		at := Place{Path: c.notePath(it.Rel)}
		c.add("foreign-instruction", at, "origin", "%s came from %s, and the index tells a session of it though no person approved it", it.Rel, c.in.Ledger.Origin(hash)).
			relate("lists it", Place{Path: c.indexPath(), Line: it.IndexLine}).
			fix("look at it, then approve or reject it", "review", false, Plan{})
	})
}

// claimed tells of notes that say of themselves how far they are to be trusted.
func (c *check) claimed() {
	c.notes(func(it *store.Item) {
		keys := trust.Claims(it.Note.Bytes())
		if len(keys) == 0 {
			return
		}
		at := Place{Path: c.notePath(it.Rel)}
		if f, ok := it.Note.Field(keys[0]); ok {
			at.Line, at.Text = f.Line, f.Key+": "+f.Value.Text
		}
		c.add("forged-trust", at, "", "%s claims trust for itself (%s); that counts for nothing here, but an agent may believe it", c.at(at), strings.Join(keys, ", "))
	})
}

// modes looks at who else may write the memory.
func (c *check) modes() {
	paths := []string{c.dir, c.indexPath()}
	for i := range c.items {
		paths = append(paths, c.notePath(c.items[i].Rel))
	}
	var loose []Mode
	for _, path := range paths {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue
		}
		if other := otherOwner(info); other != "" {
			c.add("loose-mode", Place{Path: path}, "owner", "%s belongs to another user (%s), who can change what the agent is told", c.name(path), other)
		}
		if mode := info.Mode().Perm(); othersWrite(info) {
			loose = append(loose, Mode{path, mode, mode &^ 0o077})
		}
	}
	if len(loose) == 0 {
		return
	}
	first := loose[0]
	f := c.add("loose-mode", Place{Path: first.Path}, "", "%s has mode %04o: others on this machine may write what the agent is told", c.name(first.Path), first.Before)
	for _, m := range loose[1:] {
		f.relate(fmt.Sprintf("has mode %04o", m.Before), Place{Path: m.Path})
	}
	f.fix("take the rights of others away", "", true, Plan{Kind: Modes, To: loose})
}

// name is a path for a person, and the memory folder itself by its path.
func (c *check) name(path string) string {
	if path == c.dir {
		return "the memory folder " + path
	}
	return c.show(path)
}

// supplied tells of memory that comes with the repository: whoever can commit can
// write what the agent takes for its own notes.
func (c *check) supplied() {
	m := &c.rep.Mem
	const who = "whoever can commit can write what the agent takes for its own notes"
	if f := m.Where.File; m.Where.By != "" && f != "" && c.within(f) && (!strings.HasSuffix(f, "settings.local.json") || c.tracked(f)) {
		at := Place{Path: f, Line: m.Where.Line, Text: m.Where.By + ": " + m.Where.Value}
		c.add("repo-memory", at, "where", "%s decides where memory lies (%s): whoever can change the repository decides what the agent takes for its own notes", c.at(at), m.Where.Value)
		return
	}
	if c.dir != "" && c.within(c.dir) && c.dir != c.root && c.out.Checked.Notes > 0 && c.tracked(c.dir) {
		c.add("repo-memory", Place{Path: c.dir}, "tracked", "the memory folder %s lies in the repository: %s", c.show(c.dir), who)
	}
	for _, l := range slices.Concat(c.rep.Loaded, c.rep.After) {
		if l.Reason != startup.ByImport || !c.within(l.Path) || !inMemoryFolder(l.Path) || !c.within(l.ImportedBy) || !c.tracked(l.Path) {
			continue
		}
		at := Place{Path: l.ImportedBy, Line: l.ImportLine, Text: "@" + filepath.Base(l.Path)}
		c.add("repo-memory", at, l.Path, "%s imports the notes %s, which the repository supplies: %s", c.at(at), c.show(l.Path), who)
	}
}

// inMemoryFolder tells a file that is an index, or lies beside one.
func inMemoryFolder(path string) bool {
	return filepath.Base(path) == store.IndexName || exists(filepath.Join(filepath.Dir(path), store.IndexName))
}

// tracked tells whether git knows a file, or one below a folder.
func (c *check) tracked(dir string) bool {
	files, err := c.tree()
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(c.root, dir)
	if err != nil {
		return false
	}
	for _, f := range files {
		if f == filepath.ToSlash(rel) || strings.HasPrefix(f, filepath.ToSlash(rel)+"/") {
			return true
		}
	}
	return false
}
