package claude

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dormouse/frontmatter"
	"dormouse/host"
	"dormouse/host/internal/look"
	"dormouse/instructions"
	"dormouse/internal/safefile"
	"dormouse/startup"
	"dormouse/store"
)

var (
	_ host.Keeper  = Host{}
	_ host.Insider = Host{}
)

// IndexLimits are what the client loads of an index, and how large it makes one
// itself. See facts.go.
func (Host) IndexLimits() store.Limits {
	return store.Limits{
		Lines: indexLines, Units: indexUnits, WantLines: generatedMax - 1, WantUnits: generatedUnits,
		Measure: measureIndex,
	}
}

// measureIndex is how large the client finds an index.
func measureIndex(index []byte) store.IndexSize {
	text := indexText(look.Text(index))
	if text == "" {
		return store.IndexSize{}
	}
	return store.IndexSize{Lines: startup.Lines(text), Units: startup.Units(text)}
}

// Inside tells whether the client started this process, and in which session.
func (Host) Inside(env host.Env) (session string, inside bool) {
	if env.Getenv(envInside) != "1" {
		return "", false
	}
	session = env.Getenv(envSession)
	// The id goes into notes: whatever else was put there is none.
	if len(session) > 64 || strings.Trim(session, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") != "" {
		session = ""
	}
	return session, true
}

// Global plans the store of the user's notes across projects: a folder in the
// client's configuration whose index the user's CLAUDE.md imports. The error
// names the file that is in the way; where the folder is is told all the same.
func (Host) Global(s host.Session) (*host.GlobalMemory, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	if c.config == "" {
		_, err := configFolder(s)
		return nil, err
	}
	g := &host.GlobalMemory{Dir: filepath.Join(c.config, globalName), Defuse: defuse}
	g.Advice = fmt.Sprintf("Claude Code shows the agent the index of these notes; before it lets the agent read a note's text it asks, unless permissions.allow in %s has %q.",
		filepath.Join(c.config, settingsName), fmt.Sprintf(globalRead, c.tilde(g.Dir)))
	path, before, err := readInstructions(filepath.Join(c.config, instructionsName))
	if err != nil {
		return g, err
	}
	g.Import = host.FileChange{Path: path, Before: before, After: before}
	index := filepath.Join(g.Dir, indexName)
	if g.Line, err = c.importLine(path, index); err != nil {
		return g, err
	}
	if c.importsFrom(path, before, index) > 0 || c.userImports(index) {
		return g, nil
	}
	if g.Import.After, err = c.withImport(path, before, index, g.Line); err != nil {
		return g, err
	}
	return g, nil
}

// readInstructions returns where an instructions file really is and what it
// holds: nil when it is not there.
func readInstructions(path string) (real string, b []byte, err error) {
	if isLink(path) {
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return "", nil, fmt.Errorf("%s is a link to nothing; mend or remove the link first", path)
		}
	} else {
		real = settled(path)
	}
	b, _, err = safefile.Read(real, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return real, nil, nil
	case err != nil:
		return "", nil, fmt.Errorf("the user's instructions cannot be read: %w", err)
	case !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0:
		return "", nil, fmt.Errorf("%s is not UTF-8 text: save it as UTF-8 first, the client cannot read it either", real)
	}
	return real, b, nil
}

// settled resolves the links in what there is of a path.
func settled(path string) string {
	rest := ""
	for dir := path; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path
		}
		rest, dir = filepath.Join(filepath.Base(dir), rest), up
	}
}

// importLine spells the import of the index for the file at path: relative to
// it, or from the home folder or the root where a link led to it, because the
// client starts from where a file really is.
func (c *client) importLine(path, index string) (string, error) {
	words := globalName + "/" + indexName
	if filepath.Join(filepath.Dir(path), globalName, indexName) != settled(index) {
		words = strings.ReplaceAll(c.tilde(index), " ", `\ `)
	}
	if got := instructions.ScanImports("@" + words); len(got) != 1 || got[0].Verdict != instructions.Imports ||
		c.target(path, got[0].Path) != index && settled(c.target(path, got[0].Path)) != settled(index) {
		return "", fmt.Errorf("%s cannot import %s: the client has no way to spell that path; rename the folder", path, index)
	}
	return "@" + words, nil
}

// tilde shortens a path below the home folder, in the client's spelling.
func (c *client) tilde(path string) string {
	if rel, err := filepath.Rel(c.s.Env.Home, path); c.s.Env.Home != "" && err == nil && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// importsFrom counts the imports of the index in an instructions file's bytes.
func (c *client) importsFrom(path string, b []byte, index string) int {
	_, body, _ := splitRule(look.Text(b))
	n, want := 0, settled(index)
	for _, im := range instructions.ScanImports(body) {
		if im.Verdict == instructions.Imports && settled(c.target(path, im.Path)) == want {
			n++
		}
	}
	return n
}

// userImports tells whether any of the user's own files, rules included, leads
// to the index, be it there yet or not.
func (c *client) userImports(index string) bool {
	c.loadUser(c.newPass())
	want := settled(index)
	for _, f := range c.rep.Loaded {
		if f.Reason == startup.ByImport && settled(f.Path) == want {
			return true
		}
	}
	for _, l := range c.rep.Left {
		if (l.Reason == startup.NotImportMissing || l.Reason == startup.NotEmpty && l.From != "") && settled(l.Path) == want {
			return true
		}
	}
	return false
}

// withImport returns an instructions file's bytes with the import in it: as a
// paragraph of its own at the end, or at the top where the client would not see
// it there, because a fence or a comment is open. Line breaks, a byte order mark
// and a missing last line break stay as they are.
func (c *client) withImport(path string, before []byte, index, line string) ([]byte, error) {
	text, nl := string(before), "\n"
	if strings.Contains(text, "\r\n") {
		nl = "\r\n"
	}
	for _, after := range []string{atEnd(text, line, nl), atTop(text, line, nl)} {
		_, body, _ := splitRule(look.Text([]byte(after)))
		_, old, _ := splitRule(look.Text(before))
		if c.importsFrom(path, []byte(after), index) == 1 && imports(body) == imports(old)+1 {
			return []byte(after), nil
		}
	}
	return nil, fmt.Errorf("%s has no place where the client would see a new import (an open code block or comment?): put %s on a line of its own there, then try again", path, line)
}

func imports(text string) int {
	n := 0
	for _, im := range instructions.ScanImports(text) {
		if im.Verdict == instructions.Imports {
			n++
		}
	}
	return n
}

func atEnd(text, line, nl string) string {
	switch {
	case strings.TrimPrefix(text, "\ufeff") == "":
		return text + line + nl
	case strings.HasSuffix(text, nl+nl):
		return text + line + nl
	case strings.HasSuffix(text, "\n"):
		return text + nl + line + nl
	}
	return text + nl + nl + line
}

func atTop(text, line, nl string) string {
	at := 0
	if b, ok := frontmatter.Split(text); ok {
		at = b.BodyOffset
	} else if strings.HasPrefix(text, "\ufeff") {
		at = len("\ufeff")
	}
	return text[:at] + line + nl + nl + text[at:]
}

// defuse puts a backslash before every @ that could begin an import in a list
// item. Measured on 2.1.332: backticks do not help in every place there, nor do
// two backslashes, but one (or three) does: in a list item, in emphasis, in a
// link's text, in code. An address such as a@b.example stays as it is.
func defuse(text string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	var b strings.Builder
	last := ' '
	slashes, again := 0, false // backslashes just before; an @ in this word already
	for _, r := range text {
		if r == '@' {
			if slashes%2 == 0 && (again || !asciiAlnum(last)) {
				b.WriteByte('\\')
			}
			again = true
		}
		if slashes++; r != '\\' {
			slashes = 0
		}
		if frontmatter.IsSpace(r) {
			again = false
		}
		last = r
		b.WriteRune(r)
	}
	return b.String()
}

func asciiAlnum(r rune) bool {
	return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
}
