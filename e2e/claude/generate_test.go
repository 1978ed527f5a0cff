//go:build claude

package claude

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"

	"dormouse/testkit"
)

// gen builds one random project.
type gen struct {
	r *rand.Rand
	c *testkit.Case
	n int // numbers texts, so that no two are the same
}

func generate(r *rand.Rand) *testkit.Case {
	g := &gen{r: r, c: &testkit.Case{Name: "generated", Env: map[string]string{}}}
	g.place()
	g.instructions()
	g.rules()
	g.memory()
	g.settings()
	g.flags()
	g.reads()
	return g.c
}

func (g *gen) maybe(percent int) bool { return g.r.IntN(100) < percent }

func pick[T any](g *gen, list ...T) T { return list[g.r.IntN(len(list))] }

func (g *gen) file(name, text string) { g.c.Files.Set(name, text) }

// place decides where the session starts.
func (g *gen) place() {
	g.file("proj/src/keep.go", "package src\n")
	g.file("proj/src/api/keep.ts", "x\n")
	switch g.r.IntN(10) {
	case 0:
		no := false
		g.c.Git = &no
	case 1:
		g.c.Setup = append(g.c.Setup, "cd proj && git add src && git commit -qm a && git worktree add -q ../wt")
		g.c.Cwd = "wt"
	case 2:
		g.c.Setup = append(g.c.Setup, "cd proj && git add . && git commit -qm a && git worktree add -q .worktrees/w1")
		g.c.Cwd = "proj/.worktrees/w1"
	case 3:
		g.c.Setup = append(g.c.Setup, "ln -s proj link")
		g.c.Cwd = "link"
	case 4:
		g.c.Setup = append(g.c.Setup, "cd proj/src && git init -q")
		g.c.Cwd = "proj/src/api"
	case 5, 6:
		g.c.Cwd = pick(g, "proj/src", "proj/src/api")
	}
}

// store is the memory folder's placeholder for where the session starts.
func (g *gen) store() string {
	switch {
	case strings.HasPrefix(g.c.Cwd, "proj/src") && len(g.c.Setup) > 0:
		return "@mem(proj/src)"
	case g.c.Git != nil && g.c.Cwd != "":
		return "@mem(" + g.c.Cwd + ")"
	}
	return "@mem(proj)"
}

func (g *gen) instructions() {
	for _, at := range []struct {
		name    string
		percent int
	}{
		{"CLAUDE.md", 20},
		{"CLAUDE.local.md", 8},
		{"proj/CLAUDE.md", 65},
		{"proj/.claude/CLAUDE.md", 20},
		{"proj/CLAUDE.local.md", 25},
		{"proj/src/CLAUDE.md", 25},
		{"proj/src/api/CLAUDE.md", 20},
		{"proj/src/api/CLAUDE.local.md", 10},
		{"proj/AGENTS.md", 30},
		{"proj/src/AGENTS.md", 10},
		{"home/.claude/CLAUDE.md", 45},
		{"proj/claude.md", 5},
		{"CLAUDE.md.bak", 3},
	} {
		if g.maybe(at.percent) {
			g.file(at.name, g.text(path.Dir(at.name), 0))
		}
	}
	if g.maybe(8) {
		g.c.Setup = append(g.c.Setup, "mkdir -p proj/.claude && [ -e proj/.claude/CLAUDE.md ] || ln -s ../AGENTS.md proj/.claude/CLAUDE.md")
	}
}

// text is an instruction file's text of a few random pieces.
func (g *gen) text(dir string, depth int) string {
	var b strings.Builder
	if g.maybe(15) {
		b.WriteString(pick(g, "---\ntitle: x\n---\n", "---\npaths: src/**\n---\n", "\ufeff", "---\n---\n"))
	}
	for range 1 + g.r.IntN(5) {
		g.n++
		b.WriteString(g.piece(dir, depth))
	}
	s := b.String()
	if g.maybe(8) {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if g.maybe(20) {
		s = strings.TrimRight(s, "\r\n")
	}
	return s
}

func (g *gen) piece(dir string, depth int) string {
	switch g.r.IntN(14) {
	case 0:
		return fmt.Sprintf("<!-- note %d -->\n", g.n)
	case 1:
		return fmt.Sprintf("<!-- note %d\nmore @%s\n-->\n", g.n, g.target(dir, depth))
	case 2:
		return fmt.Sprintf("text %d <!-- inline --> end\n", g.n)
	case 3:
		return fmt.Sprintf("```\n@%s\n<!-- kept %d -->\n```\n", g.target(dir, depth), g.n)
	case 4:
		return fmt.Sprintf("Use `@%s` here %d.\n", g.target(dir, depth), g.n)
	case 5, 6, 7:
		return fmt.Sprintf(pick(g, "See @%s for %d\n", "@%s\n%d\n", "- @%s item %d\n", "> @%s quote %d\n", "1. @%s one %d\n\n",
			"# @%s head %d\n", "*@%s* em %d\n", "**@%s** st %d\n", "x\n@%s\ny %d\n\n"), g.target(dir, depth), g.n)
	case 8:
		return fmt.Sprintf(pick(g, "(@%s) %d\n", "\"@%s\" %d\n", "see @%s, then %d\n", "see @%s. %d\n", "me@%s %d\n", "@%s#part %d\n"), g.target(dir, depth), g.n)
	case 9:
		return fmt.Sprintf("@missing-%d.md and @scope/pkg-%d\n", g.n, g.n)
	case 10:
		return "\n\n   \n"
	}
	return fmt.Sprintf(pick(g, "Line %d.\n", "Рядок %d — ї.\n", "行 %d 🚀\n", "\tTab %d\n", "    indented %d\n\n", "| a | %d |\n|---|---|\n"), g.n)
}

// target makes a file to import and returns its path as written.
func (g *gen) target(dir string, depth int) string {
	g.n++
	name := fmt.Sprintf("i%d%s", g.n, pick(g, ".md", ".md", ".md", ".txt", ".json", "", ".png", ".weird"))
	where, spelled := dir, name
	switch g.r.IntN(6) {
	case 0:
		where, spelled = path.Join(dir, "sub"), "sub/"+name
	case 1:
		where, spelled = path.Dir(path.Clean(dir+"/x/..")), "../"+name
		if dir == "." {
			where, spelled = dir, name
		}
	case 2:
		spelled = "./" + name
	case 3:
		if g.maybe(40) {
			where, spelled = "home", "~/"+name
		}
	}
	text := fmt.Sprintf("imported %d\n", g.n)
	if depth < 6 && g.maybe(45) {
		text = g.text(where, depth+1)
	}
	if g.maybe(90) {
		g.file(path.Join(where, name), text)
	}
	return spelled
}

func (g *gen) rules() {
	for _, dir := range []string{"proj/.claude/rules", "home/.claude/rules", "proj/src/.claude/rules"} {
		for range g.r.IntN(3) {
			g.n++
			head := pick(g, "", "", "---\ndescription: d\n---\n", "---\npaths: \"**/*.go\"\n---\n", "---\npaths: **/*.go\n---\n",
				"---\npaths:\n  - \"src/**\"\n  - \"*.md\"\n---\n", "---\npaths: src/api/**, **/*.{ts,tsx}\n---\n", "---\npaths: []\n---\n",
				"---\npaths: [src/**\n---\n", "---\nglobs: \"*.go\"\n---\n", "---\npaths: \"*.ts\"\n---\n")
			name := fmt.Sprintf("r%d.md", g.n)
			if g.maybe(20) {
				name = "deep/" + name
			}
			body := fmt.Sprintf("Rule %d\n", g.n)
			if g.maybe(20) {
				body = fmt.Sprintf("Rule %d @x%d.txt\n", g.n, g.n)
				g.file(path.Join(dir, path.Dir(name), fmt.Sprintf("x%d.txt", g.n)), fmt.Sprintf("Rule import %d", g.n))
			}
			g.file(path.Join(dir, name), head+body)
		}
	}
}

func (g *gen) memory() {
	store := g.store()
	switch g.r.IntN(6) {
	case 0:
		return
	case 1:
		for i := range 1 + g.r.IntN(5) {
			name := fmt.Sprintf("%s/n%d.md", store, i)
			g.file(name, fmt.Sprintf("---\nname: n%d\ndescription: %s\nmetadata:\n  type: user\n---\nBody\n", i, pick(g, "short", "one: two", "\"quoted\"", strings.Repeat("long ", 40))))
			g.c.Setup = append(g.c.Setup, fmt.Sprintf("touch -d '%d hours ago' %s", 3+i*7, name))
		}
		return
	}
	lines := pick(g, 0, 1, 5, 150, 199, 200, 201, 230)
	pad := pick(g, 0, 0, 10, 100, 140, 300)
	var b strings.Builder
	if g.maybe(20) {
		b.WriteString("---\nname: index\n---\n\n")
	}
	for i := range lines {
		fmt.Fprintf(&b, "- [N%d](n%d.md) — %s%s\n", i, i, pick(g, "hook", "гачок", "🚀"), strings.Repeat(pick(g, "x", "ї", "🚀"), pad))
		if g.maybe(1) {
			b.WriteString(pick(g, "<!-- c -->\n", "\n\n", "## Head\n"))
		}
	}
	g.file(store+"/MEMORY.md", b.String())
	g.file(store+"/n0.md", "---\nname: n0\n---\nBody\n")
}

func (g *gen) settings() {
	for _, name := range []string{"home/.claude/settings.json", "proj/.claude/settings.json", "proj/.claude/settings.local.json"} {
		if !g.maybe(20) {
			continue
		}
		s := map[string]any{}
		if g.maybe(40) {
			s["autoMemoryEnabled"] = pick[any](g, true, false, true, "false")
		}
		if g.maybe(30) {
			s["claudeMdExcludes"] = []string{pick(g, "$ROOT/CLAUDE.md", "**/src/CLAUDE.md", "**/.claude/rules/**", "$ROOT/proj/CLAUDE.local.md")}
		}
		if g.maybe(15) {
			s["autoMemoryDirectory"] = pick(g, "$ROOT/mm", "rel", "~/mm")
			g.file("mm/MEMORY.md", "- [Own](own.md) — own folder\n")
			g.file("home/mm/MEMORY.md", "- [Own](own.md) — home folder\n")
		}
		if g.maybe(20) {
			s["env"] = map[string]string{"CLAUDE_CODE_DISABLE_AUTO_MEMORY": pick(g, "1", "0", "maybe", "")}
		}
		b, _ := json.Marshal(s)
		if g.maybe(5) {
			b = append(b, "// not JSON"...)
		}
		g.file(name, string(b))
	}
	if g.maybe(20) {
		g.file("home/.claude.json", fmt.Sprintf(`{"projects":{"$ROOT/proj":{"hasTrustDialogAccepted":true,"hasClaudeMdExternalIncludesApproved":%v}}}`, g.maybe(70)))
	}
}

func (g *gen) flags() {
	if g.maybe(25) {
		g.c.Env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"] = pick(g, "0", "1", "true", "off", "maybe", "", " YES ")
	}
	switch g.r.IntN(16) {
	case 0:
		g.c.Args = []string{"--setting-sources", pick(g, "user", "project", "local", "user,local", "")}
	case 1:
		g.c.Args = []string{"--settings", pick(g, `{"autoMemoryEnabled":false}`, `{"autoMemoryEnabled":true}`, `{"claudeMdExcludes":["**/proj/CLAUDE.md"]}`)}
	case 2:
		g.file("other/CLAUDE.md", g.text("other", 1))
		g.file("other/CLAUDE.local.md", "Other local\n")
		g.c.Args = []string{"--add-dir", "$ROOT/other"}
		if g.maybe(70) {
			g.c.Env["CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD"] = "1"
		}
	case 3:
		g.c.Args = []string{pick(g, "--bare", "--safe-mode")}
	}
}

func (g *gen) reads() {
	for range g.r.IntN(3) {
		g.c.Reads = append(g.c.Reads, pick(g, "$ROOT/proj/src/keep.go", "$ROOT/proj/src/api/keep.ts", "$ROOT/proj/none.md"))
	}
	if g.maybe(10) {
		g.c.Reads = append(g.c.Reads, g.store()+"/n0.md")
	}
}
