package doctor

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"dormouse/startup"
	"dormouse/store"
)

// switches tells of memory that is off, and of settings that the client passes
// over.
func (c *check) switches() error {
	if m := &c.rep.Mem; !m.On && m.Switch.By != "default" {
		at := Place{Path: m.Switch.File, Line: m.Switch.Line}
		by := m.Switch.By
		if m.Switch.Value != "" && m.Switch.Value != "given" {
			by = fmt.Sprintf("%s is %s", m.Switch.By, m.Switch.Value)
		}
		if at.Path == "" {
			at.Path = c.rep.Cwd
		}
		f := c.add("memory-off", at, m.Switch.By, "memory is switched off by %s, so no note loads and none is written", by)
		if m.Switch.File != "" {
			f.fix("switch memory on, if off is not meant", "on", false, Plan{})
		}
	}
	for _, n := range c.rep.Notices {
		if isRuleNotice(n.What) {
			c.add("rule-broken", Place{Path: n.Path, Line: n.Line}, "always", "%s: %s", c.at(Place{Path: n.Path, Line: n.Line}), n.What).level(Warning)
			continue
		}
		at := Place{Path: n.Path, Line: n.Line}
		if at.Path == "" {
			at.Path = c.rep.Cwd
		}
		c.add("settings-ignored", at, n.What, "%s", n.What)
	}
	return nil
}

func isRuleNotice(what string) bool { return strings.Contains(what, "so the rule loads always") }

// files tells of what can't be read, and of files that are there and not read.
func (c *check) files() error {
	said := map[string]bool{}
	for _, l := range c.rep.Left {
		at := Place{Path: l.Path}
		switch l.Reason {
		case startup.NotTooLarge, startup.NotAFile, startup.NotUnreadable:
			if c.isIndex(l.Path) {
				said[l.Path] = true
				c.add("index-unreadable", at, "", "%s does not load: %s", c.show(l.Path), l.Why)
				continue
			}
		}
		switch l.Reason {
		case startup.NotTooLarge, startup.NotAFile, startup.NotUnreadable:
			if l.Reason == startup.NotAFile && l.Text != "" {
				continue // an import of a folder, which imports tells
			}
			said[l.Path] = true
			f := c.add("file-unread", at, string(l.Reason), "%s does not load: %s", c.show(l.Path), l.Why)
			if l.From != "" {
				f.relate("imports it", Place{Path: l.From, Line: l.Line, Text: l.Text})
			}
		case startup.NotWrongCase:
			c.add("wrong-case", at, "", "%s is not read: %s", c.show(l.Path), l.Why).
				fix("rename it to CLAUDE.md", "", false, Plan{})
		case startup.NotShadowed:
			if base := filepath.Base(l.Path); base == "AGENTS.md" {
				c.add("agents-ignored", at, "", "%s is %s", c.show(l.Path), l.Why).
					fix("import it from CLAUDE.md: add a line @AGENTS.md", "", false, Plan{})
			}
		case startup.NotEmpty:
			if l.Scope == startup.Memory {
				c.add("index-blank", at, "", "%s is blank: %s", c.show(l.Path), l.Why).
					fix("give each note a line", "index --fix", true, Plan{Kind: Index})
				continue
			}
			c.add("file-empty", at, "", "%s holds nothing that loads: %s", c.show(l.Path), l.Why)
		case startup.NotLinkOutside:
			c.add("link-outside", at, "", "%s %s", c.show(l.Path), l.Why)
		}
	}
	for _, p := range c.rep.Problems {
		switch base := filepath.Base(p.Path); {
		case said[p.Path], p.Path == "":
		case c.isIndex(p.Path):
			c.add("index-unreadable", Place{Path: p.Path}, "", "%s does not load: %s", c.show(p.Path), p.What)
		case strings.HasPrefix(base, "settings") || base == "managed-settings.json" || base == ".claude.json":
			c.add("settings-ignored", Place{Path: p.Path, Line: p.Line}, "", "%s: %s", c.at(Place{Path: p.Path, Line: p.Line}), p.What)
		default:
			c.add("file-unread", Place{Path: p.Path, Line: p.Line}, "", "%s: %s", c.show(p.Path), p.What)
		}
	}
	return nil
}

// isIndex tells the index of the memory folder.
func (c *check) isIndex(path string) bool {
	return path == filepath.Join(c.rep.Mem.Dir, store.IndexName) || c.dir != "" && path == c.indexPath()
}

// imports tells of the words that look like imports and load nothing.
func (c *check) imports() error {
	for _, f := range c.rep.Loaded {
		if f.Reason == startup.ByImport {
			c.out.Checked.Imports++
		}
	}
	for _, l := range c.rep.Left {
		at := Place{Path: l.From, Line: l.Line, Text: l.Text}
		switch l.Reason {
		case startup.NotImportMissing:
			if !c.meantAsImport(l) {
				continue
			}
			c.out.Checked.Imports++
			c.add("import-missing", at, l.Text, "%s imports %s, which finds no file: %s is not there", c.at(at), l.Text, c.show(l.Path))
		case startup.NotImportPunct:
			c.out.Checked.Imports++
			f := c.add("import-punctuation", at, l.Text, "%s imports %s, which finds no file: the punctuation behind it counts as part of the name", c.at(at), l.Text)
			f.evidence("%s is there", c.show(l.Near))
			c.mendImport(f, l)
		case startup.NotImportText:
			c.enclosed(l)
		case startup.NotImportExternal:
			c.out.Checked.Imports++
			c.add("import-external", at, l.Text, "%s imports %s, which does not load: %s", c.at(at), l.Text, l.Why).
				fix("approve external imports: start the client here once and answer yes, or move the file into the project", "", false, Plan{})
		case startup.NotImportDepth:
			c.out.Checked.Imports++
			c.add("import-depth", at, l.Text, "%s imports %s, which does not load: %s", c.at(at), l.Text, l.Why).
				fix("import it from a file further up", "", false, Plan{})
		case startup.NotImportKind:
			c.out.Checked.Imports++
			c.add("import-kind", at, l.Text, "%s imports %s, which does not load: %s", c.at(at), l.Text, l.Why)
		case startup.NotAFile:
			if strings.HasPrefix(l.Text, "@") {
				c.out.Checked.Imports++
				c.add("import-kind", at, l.Text, "%s imports %s, which loads nothing: it is a folder", c.at(at), l.Text)
			}
		}
	}
	return nil
}

// enclosed tells of an import that a bracket or a quote in front of it keeps from
// being one, where the file is there.
func (c *check) enclosed(l startup.Left) {
	if !strings.HasSuffix(l.Why, "not after white space") {
		return
	}
	word := strings.TrimRight(l.Text, ")]}\"'»”’.,;:!?")
	start, end := 0, 0
	for _, d := range c.docs {
		if d.path == l.From {
			start, end = lineSpan(d.text, l.Line)
			before, _, found := strings.Cut(d.text[start:end], l.Text)
			if !found || before == "" || !strings.ContainsAny(before[len(before)-1:], "([{\"'") && !strings.HasSuffix(before, "“") && !strings.HasSuffix(before, "«") {
				return
			}
		}
	}
	target := filepath.Join(filepath.Dir(l.From), filepath.FromSlash(strings.TrimPrefix(word, "@")))
	if end == 0 || word == "@" || !exists(target) || isFolder(target) {
		return
	}
	c.out.Checked.Imports++
	at := Place{Path: l.From, Line: l.Line, Text: l.Text}
	c.add("import-punctuation", at, l.Text, "%s names %s, which is not imported: only white space may stand in front of it", c.at(at), word).
		evidence("%s is there", c.show(target)).
		fix("put a space in front of it, and one behind", "", false, Plan{})
}

// meantAsImport tells a file that somebody wanted imported from a handle, a
// decorator or a package, which begin with the same sign.
func (c *check) meantAsImport(l startup.Left) bool {
	word := strings.TrimPrefix(l.Text, "@")
	if strings.ContainsAny(word, "()<>{}*|=\"'`,;$") {
		return false
	}
	for _, start := range []string{"./", "../", "~/", "/"} {
		if strings.HasPrefix(word, start) {
			return true
		}
	}
	word, _, _ = strings.Cut(word, "#")
	word = strings.TrimRight(word, ".:!?")
	switch ext := strings.ToLower(path.Ext(word)); ext {
	case ".md", ".txt", ".mdx", ".markdown", ".rst", ".json", ".yaml", ".yml", ".toml", ".adoc":
		return true
	}
	first, _, below := strings.Cut(word, "/")
	if !below {
		return false
	}
	return isFolder(filepath.Join(filepath.Dir(l.From), first))
}

// mendImport plans a space in front of the punctuation.
func (c *check) mendImport(f *Finding, l startup.Left) {
	const title = "put a space in front of the punctuation"
	short := l.Text
	if at := strings.LastIndex(l.Path, filepath.Base(l.Near)); at >= 0 {
		short = strings.TrimSuffix(l.Text, l.Path[at+len(filepath.Base(l.Near)):])
	}
	for _, d := range c.docs {
		if d.path != l.From || short == l.Text {
			continue
		}
		before := fileText(d)
		start, end := lineSpan(before, l.Line)
		line := before[start:end]
		if strings.Count(line, l.Text) != 1 && strings.ContainsAny(line, "`<") {
			break // some of them may be code or a comment
		}
		var edits []Edit
		for from := 0; ; {
			n := strings.Index(line[from:], l.Text)
			if n < 0 {
				break
			}
			word := from + n
			from = word + len(l.Text)
			if (word == 0 || isBlank(line[word-1])) && (from == len(line) || isBlank(line[from])) {
				at := start + word + len(short)
				edits = append(edits, Edit{Start: at, End: at, New: " "})
			}
		}
		if len(edits) == 0 {
			break
		}
		f.fix(title, "", true, Plan{Kind: File, Path: d.path, Before: []byte(before), Edits: edits})
		return
	}
	f.fix(title, "", false, Plan{})
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// lineSpan is where the n-th line of a text stands, in bytes; nothing at its end
// when there are not as many.
func lineSpan(text string, n int) (start, end int) {
	for l := range strings.Lines(text) {
		if n--; n == 0 {
			return start, start + len(l)
		}
		start += len(l)
	}
	return len(text), len(text)
}
