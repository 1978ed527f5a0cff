package evidence

import (
	"path"
	"strings"
)

// A target is what a command runs: the tool that knows it, and its name.
type target struct {
	tool string // npm, make, just, task, go, cargo-bin, cargo-pkg, xtask, module, composer, rake, gradle
	name string
}

// field is one word of a command line.
type field struct {
	text       string
	start, end int
}

// commandLine finds the commands of one line, a code span or a line of a fence,
// and the scripts and files that they name.
func (s *scanner) commandLine(start, end int, fenced bool) {
	line := s.text[start:end]
	if fenced {
		rest := strings.TrimLeft(line, "$%> \t")
		start += len(line) - len(rest)
	}
	var few [24]field
	all := split(s.text, start, end, few[:0])
	for len(all) > 0 {
		n := 0
		for n < len(all) && !separator(all[n].text) {
			n++
		}
		s.command(all[:n], fenced)
		if n == len(all) {
			return
		}
		if strings.HasPrefix(all[n].text, "#") {
			return
		}
		all = all[n+1:]
	}
}

func separator(w string) bool {
	switch w {
	case "&&", "||", ";", "|", "&":
		return true
	}
	return strings.HasPrefix(w, "#")
}

func split(text string, start, end int, out []field) []field {
	for i := start; i < end; {
		for i < end && text[i] <= ' ' {
			i++
		}
		from := i
		for i < end && text[i] > ' ' {
			i++
		}
		if i > from && len(out) < 64 {
			f := field{text[from:i], from, i}
			if t := strings.TrimSuffix(f.text, ";"); t != f.text && t != "" {
				out = append(out, field{t, from, i - 1}, field{";", i - 1, i})
				continue
			}
			out = append(out, f)
		}
	}
	return out
}

// command looks at one command.
func (s *scanner) command(f []field, fenced bool) {
	for len(f) > 0 && (strings.IndexByte(f[0].text, '=') > 0 || f[0].text == "sudo" || f[0].text == "time" || f[0].text == "env" || f[0].text == "run" || f[0].text == "npx" || f[0].text == "exec") {
		f = f[1:]
	}
	if len(f) > 1 && (f[0].text == "uv" || f[0].text == "poetry" || f[0].text == "pdm" || f[0].text == "pipenv" || f[0].text == "bundle") && (f[1].text == "run" || f[1].text == "exec") {
		f = f[2:]
	}
	if len(f) == 0 {
		return
	}
	if f[0].text == "git" {
		s.gitCommand(f[1:])
		return
	}
	if n, ok := commandTarget(f); ok {
		s.add(Command, f[0].start, f[n].end)
		return
	}
	if !commandWord(f[0].text) {
		return
	}
	for _, w := range f {
		s.commandPath(w)
	}
}

// commandWord reports whether a line that begins with w is a command line and not
// some other code.
func commandWord(w string) bool {
	if strings.HasPrefix(w, "./") || knownExt(path.Base(w)) && strings.IndexByte(w, '/') > 0 {
		return true
	}
	switch w {
	case "cat", "vim", "code", "less", "head", "tail", "pytest", "python", "python3", "node", "bash", "sh", "zsh", "tsx", "ts-node", "ruby", "php", "deno", "bun", "source", ".", "go", "cargo",
		"kubectl", "docker", "docker-compose", "helm", "terraform", "ansible-playbook", "psql", "sqlite3", "vitest", "jest", "eslint", "prettier", "mypy", "ruff", "black", "uvicorn", "flask", "streamlit", "perl", "make", "grep", "rg", "wc", "rspec", "phpunit", "playwright", "cp", "gofmt", "tsc", "swift", "java", "protoc", "chmod":
		return true
	}
	return false
}

// commandPath takes a word of a command line that is clearly a file.
func (s *scanner) commandPath(w field) {
	t := strings.Trim(w.text, "\"'")
	if t != w.text || strings.ContainsAny(t, "*$<>{}?=(),") || strings.Contains(t, "...") {
		return
	}
	n := pathLen(t)
	if n == 0 {
		return
	}
	if p := t[:n]; strings.IndexByte(p, '/') > 0 && knownExt(path.Base(p)) {
		s.add(Path, w.start, w.start+n)
	}
}

// parseCommand reads the text of a Command as Refs found it.
func parseCommand(text string) (target, bool) {
	var few [16]field
	f := split(text, 0, len(text), few[:0])
	n, ok := commandTarget(f)
	if !ok {
		return target{}, false
	}
	return targetOf(f, n)
}

// commandTarget finds the word that names what a command runs.
func commandTarget(f []field) (int, bool) {
	if len(f) < 2 {
		return 0, false
	}
	n := 0
	switch f[0].text {
	case "npm", "pnpm", "yarn", "bun":
		n = packageScript(f)
	case "make", "gmake", "just", "task", "rake", "gradle", "./gradlew", "gradlew":
		n = skipFlags(f, 1, "-C", "-f", "-j", "--justfile", "-d", "--dir", "-t", "--taskfile", "-p")
		if n > 0 && (strings.IndexByte(f[n].text, '=') >= 0 || !targetName(f[n].text)) {
			n = 0
		}
	case "composer":
		if n = 1; f[1].text == "run" || f[1].text == "run-script" {
			n = 2
		} else {
			switch f[1].text {
			case "install", "update", "require", "remove", "dump-autoload", "show", "audit", "outdated", "create-project", "global", "self-update", "validate", "exec", "init":
				n = 0
			}
		}
	case "go":
		n = goTarget(f)
	case "cargo":
		n = cargoTarget(f)
	case "python", "python3":
		if f[1].text == "-m" && len(f) > 2 {
			n = 2
		}
	}
	if n <= 0 || n >= len(f) || strings.ContainsAny(f[n].text, "<>$*{}()…\"'?`,|\\") || strings.Contains(f[n].text, "...") && f[0].text != "go" {
		return 0, false
	}
	_, ok := targetOf(f, n)
	return n, ok
}

func targetName(w string) bool {
	switch w {
	case "sure", "it", "the", "a", "an", "of", "use", "this", "that", "is", "and", "to", "in", "for", "changes", "queue", "runner", "force", "name", "target", "id", "list", "as", "because", "like", "build-system", "your":
		return false
	}
	for i := 0; i < len(w); i++ {
		if !identByte(w[i]) && strings.IndexByte("-:./", w[i]) < 0 {
			return false
		}
	}
	return letters(w[:1]) && w[0] != '.' && !knownExt(w)
}

// skipFlags returns the index of the first word from i on that is no flag; the
// named flags take the next word with them. 0: there is none.
func skipFlags(f []field, i int, valued ...string) int {
	for i < len(f) {
		w := f[i].text
		switch {
		case w == "--":
			return 0
		case !strings.HasPrefix(w, "-") && strings.IndexByte(w, '=') < 0:
			return i
		}
		i++
		for _, v := range valued {
			if w == v && v != "-j" {
				i++
				break
			}
		}
	}
	return 0
}

// packageScript finds the script's name in a command of a JavaScript package manager.
func packageScript(f []field) int {
	n := skipFlags(f, 1, "--prefix", "--filter", "-F", "-w", "--workspace", "-C", "--cwd", "--dir")
	if n == 0 {
		return 0
	}
	if f[0].text == "yarn" && f[n].text == "workspace" && n+2 < len(f) {
		n += 2
	}
	switch w := f[n].text; w {
	case "run", "run-script":
		n = skipFlags(f, n+1, "--prefix", "--filter", "-w", "--workspace")
		if n == 0 || strings.IndexByte(f[n].text, '.') > 0 {
			return 0
		}
		return n
	case "test", "start":
		if f[0].text == "bun" {
			return 0
		}
		return n
	default:
		if f[0].text == "npm" || f[0].text == "bun" || !targetName(w) {
			return 0
		}
		switch w {
		case "install", "i", "add", "remove", "rm", "up", "update", "upgrade", "dlx", "exec", "create", "init", "why", "list", "ls", "publish", "pack", "link", "config", "cache", "audit", "outdated", "import", "set", "store", "workspaces", "workspace", "version", "info", "login", "patch", "dedupe", "plugin", "prune", "rebuild", "deploy-cli", "node", "tsc", "berry", "global":
			return 0
		}
		return n
	}
}

func goTarget(f []field) int {
	switch f[1].text {
	case "run", "test", "build", "vet", "install", "generate":
	default:
		return 0
	}
	for i := 2; i < len(f); i++ {
		if w := f[i].text; strings.HasPrefix(w, "./") && len(w) > 2 && w != "./..." && !strings.Contains(w, "@") {
			return i
		}
	}
	return 0
}

func cargoTarget(f []field) int {
	if f[1].text == "xtask" {
		return 1
	}
	for i := 1; i+1 < len(f); i++ {
		switch f[i].text {
		case "--":
			return 0
		case "--bin", "-p", "--package", "--example", "--bench":
			return i + 1
		}
	}
	return 0
}

// targetOf names what the command runs, whose name stands in word n.
func targetOf(f []field, n int) (target, bool) {
	name := strings.Trim(f[n].text, ".,;:")
	t := target{name: name}
	switch f[0].text {
	case "npm", "pnpm", "yarn", "bun":
		t.tool = "npm"
	case "make", "gmake":
		t.tool = "make"
	case "just", "task", "rake", "composer":
		t.tool = f[0].text
	case "gradle", "./gradlew", "gradlew":
		t.tool = "gradle"
		t.name = name[strings.LastIndexByte(name, ':')+1:]
	case "go":
		t.tool = "go"
		t.name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(f[n].text, "./"), "..."), "/")
		if !realSegments(t.name) {
			return t, false
		}
	case "cargo":
		switch f[n-1].text {
		case "cargo":
			t.tool = "xtask"
		case "-p", "--package":
			t.tool = "cargo-pkg"
		default:
			t.tool = "cargo-bin"
		}
	case "python", "python3":
		t.tool = "module"
		switch name {
		case "venv", "pip", "pytest", "unittest", "http.server", "json.tool", "build", "black", "mypy", "ruff", "flake8", "isort", "coverage", "twine", "pdb", "timeit", "cProfile", "virtualenv", "ensurepip", "site", "uvicorn", "gunicorn", "flask", "django", "celery", "pylint", "tox", "nox", "poetry", "uv", "ipykernel", "jupyter":
			return t, false
		}
	}
	return t, t.name != "" && t.tool != ""
}
