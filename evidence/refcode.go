package evidence

import (
	"path"
	"strings"
)

// readSpan looks at one code span: a path, a symbol, a command, a branch that git
// is told about, or a host.
func (s *scanner) readSpan(c codeSpan) {
	w := s.text[c.innerStart:c.innerEnd]
	if w == "" || len(w) > 400 {
		return
	}
	if c.start > 0 && s.text[c.start-1] == '[' && c.end+1 < len(s.text) && s.text[c.end] == ']' && s.text[c.end+1] == '(' {
		if !strings.HasPrefix(s.text[c.end+2:], "http") {
			return // the text of a link, whose target is looked at
		}
	}
	if strings.Contains(w, "://") && !strings.ContainsAny(w, " \n") {
		s.readURL(c.innerStart, c.innerEnd)
		return
	}
	if strings.ContainsAny(w, " \n\t") {
		s.commandLine(c.innerStart, c.innerEnd, false)
		return
	}
	if strings.ContainsAny(w, "*$?…{}|=;,%^!\"'") || strings.Contains(w, "...") {
		return
	}
	if strings.IndexByte(w, '\\') > 0 && strings.IndexByte(w, '/') < 0 {
		s.readBackslashed(c, w)
		return
	}
	if strings.ContainsAny(w, "<>") || !s.readCodePath(c.innerStart, w) {
		if s.gitRef(c, w) {
			return
		}
		if hostLike(w, 3) || hostLike(w, 2) && (strings.HasSuffix(w, ".com") || strings.HasSuffix(w, ".org")) {
			s.add(Host, c.innerStart, c.innerStart+hostLen(w))
			return
		}
		if n := symbolLen(w); n > 0 && !codeFile(w) {
			s.add(Symbol, c.innerStart, c.innerStart+n)
		}
	}
}

// readBackslashed takes a path as Windows writes it.
func (s *scanner) readBackslashed(c codeSpan, w string) {
	p := strings.ReplaceAll(w, `\`, "/")
	if n := pathLen(p); n > 0 && knownExt(path.Base(p[:n])) {
		s.add(Path, c.innerStart, c.innerStart+n)
	}
}

// readCodePath takes a code span that is a path.
func (s *scanner) readCodePath(at int, w string) bool {
	off := 0
	if strings.HasPrefix(w, "@") && strings.Count(w, "/") >= 1 && knownExt(w) {
		off = 1 // an import mark, as in instruction files
	}
	w = w[off:]
	n := pathLen(w)
	if n == 0 {
		return false
	}
	p := strings.TrimPrefix(w[:n], "./")
	base := path.Base(p)
	slash := strings.IndexByte(p, '/') >= 0
	switch {
	case slash && (knownExt(base) || strings.HasSuffix(p, "/") || strings.HasPrefix(w, "./")):
	case slash && s.nameOfBranch(at-off):
		return false
	case slash && codeFolder(p):
	case !slash && n < len(w) && strings.HasPrefix(w[n:], "::"):
		return false // A::b
	case !slash && (s.bareName(p) || codeFile(base)):
	default:
		return false
	}
	s.add(Path, at+off, at+off+n)
	return true
}

// codeFile reports whether a name in a code span is a file's and not a member's:
// "config.go", ".nvmrc", but not "app.get", "a.c" or "foo.r".
func codeFile(base string) bool {
	if strings.HasPrefix(base, ".") {
		switch base {
		case ".nvmrc", ".gitignore", ".dockerignore", ".editorconfig", ".env.example", ".env.sample", ".golangci.yml", ".golangci.yaml", ".eslintrc.json", ".eslintrc.js", ".eslintrc", ".prettierrc",
			".python-version", ".tool-versions", ".node-version", ".ruby-version", ".npmrc", ".babelrc", ".pre-commit-config.yaml", ".gitlab-ci.yml", ".travis.yml", ".gitattributes", ".mcp.json":
			return true
		}
		return false
	}
	if base == "MEMORY.md" || base == "Node.js" || base == "Next.js" || base == "Vue.js" {
		return false
	}
	if !knownExt(base) {
		return false
	}
	switch path.Ext(base) {
	case ".r", ".c", ".h", ".m", ".env", ".local", ".service", ".example", ".sample", ".patch", ".feature", ".lock", ".d", ".properties", ".jl", ".ml", ".pl", ".cfg", ".conf":
		// as often a member of something: only where the name is a usual one
		stem := strings.TrimSuffix(base, path.Ext(base))
		return len(stem) > 3 && strings.ToLower(stem) == stem && strings.IndexByte(stem, '.') < 0 && path.Ext(base) != ".env" && path.Ext(base) != ".local" || base == "Cargo.lock" || base == "Gemfile.lock"
	}
	return true
}

// codeFolder reports whether "a/b" in a code span can be meant as a path: API
// routes, MIME types and branches have the same shape.
func codeFolder(p string) bool {
	first := p[:strings.IndexByte(p, '/')]
	switch strings.ToLower(first) {
	case "application", "image", "text", "audio", "video", "multipart", "font", "origin", "feature", "feat", "fix", "bugfix", "hotfix", "release", "chore", "refs", "heads", "upstream",
		"users", "v1", "v2", "and", "on", "yes", "true", "read", "input", "get", "post", "tcp", "net", "encoding", "crypto", "math", "os", "io", "path", "database", "container", "go", "log", "sync", "unicode", "html", "archive", "compress", "hash", "debug", "runtime", "testing", "regexp":
		return false
	}
	for seg := range strings.SplitSeq(strings.TrimSuffix(p, "/"), "/") {
		if seg == "" || strings.IndexByte(seg, '@') >= 0 || strings.IndexByte(seg, '+') >= 0 {
			return false
		}
	}
	if tail := path.Base(p); tail != "" && strings.Trim(tail, "0123456789") == "" {
		return false
	}
	return strings.Count(p, "/") >= 2 && len(first) > 1 || folderName(first) || folderLike(first)
}

// folderLike are folders that in code, other than in prose, are meant as such.
func folderLike(name string) bool {
	switch name {
	case "client", "server", "web", "api", "data", "test", "frontend", "backend", "cli", "ci", "app", "config", "common", "core":
		return true
	}
	return false
}

// symbolLen is how much of w is a symbol, its brackets and arguments left out; 0
// where w has not the shape of one.
func symbolLen(w string) int {
	n := len(w)
	called := false
	if i := strings.IndexAny(w, "(<["); i > 0 {
		called = w[i] == '('
		if !called && strings.HasSuffix(w, "()") {
			called = true
		}
		n = i
	} else if i == 0 {
		return 0
	}
	name := w[:n]
	if name == "" || len(name) > 120 || name[0] >= '0' && name[0] <= '9' || strings.IndexByte(name, '/') >= 0 {
		return 0
	}
	shaped := called
	parts := 0
	for i := 0; i < len(name); {
		start := i
		for i < len(name) && identByte(name[i]) {
			i++
		}
		part := name[start:i]
		if part == "" || part[0] >= '0' && part[0] <= '9' {
			return 0
		}
		parts++
		shaped = shaped || codeShape(part)
		switch {
		case i == len(name):
		case name[i] == '.' || name[i] == '#':
			i++
		case strings.HasPrefix(name[i:], "::"), strings.HasPrefix(name[i:], "->"):
			i += 2
		default:
			return 0
		}
		if i == len(name) && !identByte(name[i-1]) {
			return 0
		}
	}
	if parts == 1 && !shaped || wellKnown(name) {
		return 0
	}
	return n
}

// codeShape reports whether an identifier could be no plain word: it has humps,
// an underscore, or is a capitalised word of some length.
func codeShape(id string) bool {
	lower, upper, under, hump := 0, 0, 0, false
	for i := 0; i < len(id); i++ {
		switch c := id[i]; {
		case c == '_':
			if i > 0 && i < len(id)-1 {
				under++
			}
		case c >= 'A' && c <= 'Z':
			upper++
			hump = hump || i > 0 && id[i-1] >= 'a' && id[i-1] <= 'z'
		case c >= 'a' && c <= 'z':
			lower++
		}
	}
	return lower+upper > 1 && (under > 0 || hump) || lower >= 3 && upper >= 1 && id[0] >= 'A' && id[0] <= 'Z' && len(id) >= 5
}

// wellKnown reports whether a symbol begins in a standard library or is a word
// of a language.
func wellKnown(name string) bool {
	head := name
	if i := strings.IndexAny(name, ".:#-"); i > 0 {
		head = name[:i]
	}
	switch head {
	case "fmt", "os", "io", "http", "context", "time", "strings", "strconv", "errors", "json", "sync", "filepath", "bytes", "bufio", "sort", "slices", "maps", "atomic", "exec", "slog", "regexp", "testing", "httptest", "url",
		"std", "core", "alloc", "tokio", "serde", "console", "process", "window", "document", "module", "globalThis", "Math", "JSON", "Object", "Array", "Promise", "Number", "String", "Date", "Map", "Set", "Symbol", "Buffer", "Error",
		"sys", "asyncio", "pathlib", "logging", "typing", "datetime", "collections", "itertools", "functools", "subprocess", "unittest", "dataclasses", "np", "pd", "self", "this", "super", "None", "True", "False", "Boolean", "Integer", "Option", "Result", "Optional",
		"Vec", "HashMap", "Arc", "Mutex", "TypeError", "ValueError", "KeyError", "RuntimeError", "Exception", "NullPointerException", "Infinity", "Markdown", "Docker", "GitHub", "GitLab", "JavaScript", "TypeScript", "Python", "PostgreSQL", "MySQL", "Redis", "Postgres", "Claude", "React", "Django", "Content", "Authorization", "Accept":
		return true
	}
	return false
}
