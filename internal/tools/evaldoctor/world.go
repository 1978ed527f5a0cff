package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf16"
)

// A noteFile is a note of the memory folder.
type noteFile struct {
	file        string // slash path in the folder
	name        string
	description string
	typ         string
	body        string
	raw         []byte // instead of what note.New would make
	modified    time.Time
	mtime       time.Time // zero: modified
	unstamped   bool      // no modified field
	unlisted    bool      // no line in the index
	planted     bool      // no session wrote it
	more        [][2]string
	session     int
}

// A world is a home folder with a project in it. The clean twin and the one with
// the fault are made by the same calls from the same random numbers.
type world struct {
	r      *rand.Rand
	now    time.Time
	faulty bool

	home, proj string
	start      string // where the session starts; proj if empty
	names      names
	kind       *kind

	tracked   map[string]string // in the last commit
	untracked map[string]string
	homeFiles map[string]string
	claudeAt  string

	notes     []*noteFile
	index     *string // instead of the one made of the notes
	indexTail string
	headings  bool
	store     string // the memory folder; the client's own if empty

	userSettings, projectSettings, localSettings string // the text; empty: none
	state                                        map[string]map[string]any
	others                                       []string
	remoteOnly, packed                           bool
	tool                                         []string // tool results seen in the sessions

	after []func() error // once everything is on disk
	modes []func() error // after the owner is set
}

// slug is the client's name for a folder's own folder, measured on 2.1.332.
func slug(path string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(path)) {
		if u < 128 && (u >= '0' && u <= '9' || u >= 'A' && u <= 'Z' || u >= 'a' && u <= 'z') {
			b.WriteByte(byte(u))
		} else {
			b.WriteByte('-')
		}
	}
	return b.String() // the paths here are shorter than 200 units
}

func (w *world) projects() string { return filepath.Join(w.home, ".claude", "projects") }

func (w *world) storeOf(path string) string { return filepath.Join(w.projects(), slug(path), "memory") }

func (w *world) memory() string {
	if w.store != "" {
		return w.store
	}
	return w.storeOf(w.proj)
}

func (w *world) note(n *noteFile) string {
	return filepath.Join(w.memory(), filepath.FromSlash(n.file))
}
func (w *world) indexPath() string  { return filepath.Join(w.memory(), "MEMORY.md") }
func (w *world) claudePath() string { return filepath.Join(w.proj, w.claudeAt) }

// newWorld is a sound project.
func newWorld(dir string, kindName string, seed, n uint64, now time.Time, faulty bool) *world {
	r := rand.New(rand.NewPCG(seed, n))
	w := &world{
		r: r, now: now, faulty: faulty, names: pickNames(r), home: filepath.Join(dir, "home"),
		tracked: map[string]string{}, untracked: map[string]string{}, homeFiles: map[string]string{},
		state: map[string]map[string]any{}, headings: r.IntN(3) == 0,
		remoteOnly: r.IntN(2) == 0, packed: r.IntN(2) == 0,
	}
	w.kind = readKind(kindName, w.names, now)
	parent := []string{"code", "work", "src/clients", "Projects"}[r.IntN(4)]
	w.proj = filepath.Join(w.home, parent, w.names.project)
	for p, text := range w.kind.files {
		w.tracked[p] = text
	}
	w.instructions()
	w.rules()
	w.settings()
	w.pickNotes()
	w.others = []string{filepath.Join(w.home, parent, "dotfiles"), filepath.Join(w.home, parent, w.names.org+"-infra")}
	return w
}

func (w *world) instructions() {
	text := w.names.fill(w.kind.claude[w.r.IntN(len(w.kind.claude))])
	switch w.r.IntN(6) {
	case 0:
		text += "\nQuestions: platform@" + w.names.domain + ", or the channel of the team.\n"
	case 1:
		text += "\nPackages such as `@" + w.names.org + "/tools` come from the internal registry.\n"
	case 2:
		doc := w.docs()[0]
		text += "\n## More\n\nThe background is in @" + doc + "\n"
	case 3:
		w.tracked["AGENTS.md"] = "# For every agent\n\n- Say which files you changed at the end\n- Leave the formatting of lines that you did not change\n"
		text = "@AGENTS.md\n\n" + text
	}
	w.claudeAt = "CLAUDE.md"
	if w.r.IntN(6) == 0 && w.tracked["AGENTS.md"] == "" && !strings.Contains(text, "@docs") {
		w.claudeAt = ".claude/CLAUDE.md"
	}
	w.tracked[w.claudeAt] = text
	if w.r.IntN(4) == 0 {
		w.untracked["CLAUDE.local.md"] = "My sandbox account is number 7 of the test tenants.\n"
	}
	if w.r.IntN(3) == 0 {
		w.homeFiles[".claude/CLAUDE.md"] = "# Me\n\nAnswer in the language in which I write.\nShow the command before you run it.\n"
	}
}

func (w *world) docs() []string {
	var out []string
	for _, p := range w.kind.order {
		if strings.HasPrefix(p, "docs/") && strings.HasSuffix(p, ".md") {
			out = append(out, p)
		}
	}
	return out
}

// pattern is a glob that matches files of the project.
func (w *world) pattern() string {
	return map[string]string{
		"goservice": "internal/**/*.go", "tsweb": "src/**/*.{ts,tsx}", "pylib": "src/**/*.py",
		"rustws": "crates/**/*.rs", "monorepo": "apps/gateway/**",
	}[w.kind.name]
}

func (w *world) rules() {
	if w.r.IntN(2) == 0 {
		w.tracked[".claude/rules/sources.md"] = "---\npaths:\n  - \"" + w.pattern() + "\"\n---\n\nA comment says why a line is there; the name says what it does.\n"
	}
	if w.r.IntN(3) == 0 {
		w.tracked[".claude/rules/docs.md"] = "---\npaths: \"**/*.md, docs/**\"\n---\n\nHeadings are in sentence case.\n"
	}
	if w.r.IntN(4) == 0 {
		w.tracked[".claude/rules/reviews.md"] = "A review comment quotes the line that it is about.\n"
	}
}

func (w *world) settings() {
	switch w.r.IntN(3) {
	case 0:
		w.userSettings = "{\n  \"cleanupPeriodDays\": 60,\n  \"includeCoAuthoredBy\": false\n}\n"
	case 1:
		w.userSettings = "{\n  \"permissions\": {\n    \"allow\": [\"Bash(git status)\", \"Bash(git diff:*)\"]\n  }\n}\n"
	}
	if w.r.IntN(3) == 0 {
		w.projectSettings = "{\n  \"permissions\": {\n    \"deny\": [\"Read(./.env)\"]\n  }\n}\n"
	}
	if w.r.IntN(5) == 0 {
		w.localSettings = "{\n  \"autoMemoryEnabled\": true\n}\n"
	}
}

func (w *world) pickNotes() {
	pool := append([]noteText(nil), w.kind.notes...)
	w.r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	want := 5 + w.r.IntN(18)
	have := map[string]bool{}
	for _, t := range pool {
		if len(w.notes) >= want {
			break
		}
		w.withRequired(t, have)
	}
}

func (w *world) withRequired(t noteText, have map[string]bool) {
	if have[t.slug] {
		return
	}
	have[t.slug] = true
	for _, slug := range w.kind.requires[t.slug] {
		for _, other := range w.kind.notes {
			if other.slug == slug {
				w.withRequired(other, have)
			}
		}
	}
	w.addNote(t.typ, t.slug, t.description, t.body)
}

var notName = regexp.MustCompile(`[^a-z0-9_-]+`)

// addNote puts a note into the folder, as a session of the last three weeks wrote it.
func (w *world) addNote(typ, slug, description, body string) *noteFile {
	name := strings.Trim(notName.ReplaceAllString(strings.ToLower(slug[strings.LastIndexByte(slug, '/')+1:]), "-"), "-")
	if name == "" {
		name = fmt.Sprintf("note-%d", len(w.notes)+1)
	}
	at := w.now.Add(-time.Duration(2+w.r.IntN(20))*24*time.Hour - time.Duration(w.r.IntN(80000))*time.Second)
	n := &noteFile{
		file: slug + ".md", name: name, description: description, typ: typ,
		body: body, modified: at, session: len(w.notes) % 3,
	}
	w.notes = append(w.notes, n)
	return n
}

// indexLine is the line that tells a session of a note.
func (n *noteFile) indexLine() string {
	file := strings.ReplaceAll(n.file, " ", "%20")
	title := upper(strings.NewReplacer("-", " ", "_", " ").Replace(n.name))
	return fmt.Sprintf("- [%s](%s) — %s", title, file, n.description)
}

func (w *world) indexText() string {
	if w.index != nil {
		return *w.index
	}
	var b strings.Builder
	b.WriteString("# Memory\n\n")
	types := []string{""}
	if w.headings {
		types = []string{"user", "feedback", "project", "reference"}
	}
	for _, typ := range types {
		if typ != "" {
			fmt.Fprintf(&b, "## %s\n\n", upper(typ))
		}
		for _, n := range w.notes {
			if !n.unlisted && (typ == "" || n.typ == typ) {
				b.WriteString(n.indexLine() + "\n")
			}
		}
		if typ != "" {
			b.WriteByte('\n')
		}
	}
	return b.String() + w.indexTail
}

// say adds a line to the project's instructions.
func (w *world) say(lines ...string) {
	w.tracked[w.claudeAt] += "\n" + strings.Join(lines, "\n") + "\n"
}

// A label is what was seeded, and where.
type label struct {
	path  string  // absolute; a folder stands for all in it
	text  string  // the line is the one with this text; empty: the file as a whole
	line  int     // instead of text
	where []label // other places that would be as right
}

func (l label) or(others ...label) label {
	l.where = append(l.where, others...)
	return l
}

func at(path, text string) label { return label{path: path, text: text} }
