package evidence

import (
	"path"
	"strings"
)

// readProse looks at what stands outside code: paths, URLs and their hosts,
// versions, branches and tags.
func (s *scanner) readProse() {
	next := 0
	for at := s.block; at < s.blockEnd; {
		for next < len(s.spans) && s.spans[next].start < at {
			next++
		}
		end := s.blockEnd
		if next < len(s.spans) {
			end = s.spans[next].start
		}
		s.readStretch(at, end)
		if next == len(s.spans) {
			break
		}
		at = s.spans[next].end
		next++
	}
	s.readVersions()
	s.readBranches()
}

// delimiter reports whether a byte ends a word of prose that may be a path.
func delimiter(c byte) bool {
	switch c {
	case '(', ')', '[', ']', '<', '>', '{', '}', '"', '\'', '`', ',', ';', '|', '*':
		return true
	}
	return c <= ' '
}

func (s *scanner) readStretch(from, to int) {
	t := s.text
	for i := from; i < to; {
		for i < to && delimiter(t[i]) {
			i++
		}
		start := i
		for i < to && !delimiter(t[i]) {
			i++
		}
		if i == start || i-start > 300 {
			continue
		}
		s.readWord(start, i)
	}
}

// readWord looks at one word of prose.
func (s *scanner) readWord(start, end int) {
	t := s.text
	for end > start && strings.IndexByte(".:!?_…", t[end-1]) >= 0 {
		end--
	}
	for start < end && strings.IndexByte(":_", t[start]) >= 0 {
		start++
	}
	w := t[start:end]
	if strings.HasPrefix(w, "@") && strings.IndexByte(w, '/') > 0 && knownExt(path.Base(w)) {
		start, w = start+1, w[1:] // an import mark, as in instruction files
		if n := pathLen(w); n > 0 && (start < 2 || t[start-2] <= ' ') {
			s.add(Path, start, start+n)
		}
		return
	}
	if strings.Contains(w, "://") {
		s.readURL(start, end)
		return
	}
	if strings.IndexByte(w, '.') < 0 && strings.IndexByte(w, '/') < 0 {
		if s.bareName(w) && !s.spliced(start, end) {
			s.add(Path, start, end)
		}
		return
	}
	if s.spliced(start, end) {
		return
	}
	inLink := start >= 2 && t[start-1] == '(' && t[start-2] == ']'
	if inLink && strings.IndexByte(w, '/') < 0 || end+1 < len(t) && t[end] == ']' && t[end+1] == '(' || start >= 2 && t[start-2:start] == "[[" {
		return // another note, or the text of a link whose target is looked at
	}
	if n := pathLen(w); n > 0 && prosePath(w[:n]) {
		s.add(Path, start, start+n)
	} else if hostLike(w, 3) && (start == 0 || t[start-1] != '@') {
		s.add(Host, start, start+hostLen(w))
	}
}

// spliced reports whether the word is part of a placeholder or a glob.
func (s *scanner) spliced(start, end int) bool {
	before, after := byte(' '), byte(' ')
	if start > 0 {
		before = s.text[start-1]
	}
	if end < len(s.text) {
		after = s.text[end]
	}
	if before == '*' && after == '*' {
		return false
	}
	return strings.IndexByte("<>{}*$~@\\%", before) >= 0 || strings.IndexByte("<{*$~@\\%", after) >= 0
}

// readURL finds the host of a URL.
func (s *scanner) readURL(start, end int) {
	w := s.text[start:end]
	i := strings.Index(w, "://") + 3
	switch strings.ToLower(w[:i-3]) {
	case "http", "https", "ws", "wss", "postgres", "postgresql", "redis", "mysql", "mongodb", "amqp", "grpc", "ssh", "kafka", "nats":
	default:
		return
	}
	if at := strings.LastIndexByte(w[i:], '@'); at >= 0 && !strings.Contains(w[i:i+at], "/") {
		i += at + 1
	}
	n := hostLen(w[i:])
	if host := w[i : i+n]; strings.IndexByte(host, '.') > 0 && checkableHost(host) {
		s.add(Host, start+i, start+i+n)
	}
}

// hostLen is the length of the host name that w begins with.
func hostLen(w string) int {
	n := 0
	for n < len(w) && (identByte(w[n]) || w[n] == '.' || w[n] == '-') && w[n] != '_' {
		n++
	}
	return len(strings.TrimRight(w[:n], ".-"))
}

// hostLike reports whether a word without a scheme is a host name of at least
// so many labels.
func hostLike(w string, labels int) bool {
	n := hostLen(w)
	if n == 0 || n < len(w) && w[n] != ':' && w[n] != '/' || strings.ToLower(w[:n]) != w[:n] {
		return false
	}
	host := w[:n]
	top := host[strings.LastIndexByte(host, '.')+1:]
	switch top {
	case "internal", "lan", "corp":
		labels = 2 // networks of one's own have no domain above them
	}
	if strings.Count(host, ".")+1 < labels || strings.Contains(host, "..") {
		return false
	}
	switch top {
	case "com", "org", "net", "io", "dev", "app", "cloud", "internal", "local", "ai", "co", "eu", "uk", "de", "fr", "lan", "corp", "tech", "xyz", "site":
		return checkableHost(host)
	}
	return false
}

// checkableHost leaves out hosts that say nothing of a repository: examples, the
// machine itself, and public sites that everybody links to.
func checkableHost(host string) bool {
	host = strings.ToLower(host)
	labels := strings.Split(host, ".")
	if len(labels) < 2 || strings.Trim(host, "0123456789.") == "" {
		return false
	}
	switch labels[len(labels)-1] {
	case "localhost", "invalid", "example", "test":
		return false
	}
	switch strings.Join(labels[len(labels)-2:], ".") {
	case "example.com", "example.org", "example.net", "github.com", "gitlab.com", "bitbucket.org", "google.com", "golang.org", "go.dev", "npmjs.com", "npmjs.org",
		"pypi.org", "crates.io", "docs.rs", "rubygems.org", "packagist.org", "stackoverflow.com", "stackexchange.com", "wikipedia.org", "mozilla.org", "w3.org",
		"python.org", "nodejs.org", "rust-lang.org", "githubusercontent.com", "github.io", "readthedocs.io", "medium.com", "youtube.com", "anthropic.com",
		"claude.com", "claude.ai", "openai.com", "microsoft.com", "apple.com", "docker.com", "docker.io", "kubernetes.io", "json-schema.org", "schema.org",
		"reactjs.org", "react.dev", "vuejs.org", "typescriptlang.org", "ietf.org", "apache.org", "gnu.org", "mit.edu", "jsdelivr.net", "unpkg.com",
		"googleapis.com", "gstatic.com", "cloudflare.com", "amazonaws.com", "ghcr.io", "gcr.io", "quay.io", "shields.io", "slack.com", "atlassian.net", "linear.app", "notion.so", "x.com", "twitter.com":
		return false
	}
	for _, l := range labels {
		if l == "" || strings.HasPrefix(l, "your") || l == "foo" || l == "acme-example" || l == "xxx" {
			return false
		}
	}
	return true
}

// pathLen is how much of w is a path of a repository's shape, what a line number,
// an anchor or a test's name behind it left out; 0 where w is none.
func pathLen(w string) int {
	n := len(w)
	for i := 0; i < len(w); i++ {
		if w[i] == ':' || w[i] == '#' {
			n = i
			break
		}
	}
	if n < len(w) && w[n] == ':' && n+1 < len(w) && w[n+1] != ':' && (w[n+1] < '0' || w[n+1] > '9') {
		if strings.IndexByte(w[:n], '/') < 0 || strings.IndexByte(w[n:], '/') >= 0 {
			return 0 // image:tag/x, key:value
		}
	}
	p := w[:n]
	if p == "" || len(p) > 250 {
		return 0
	}
	if strings.HasPrefix(p, "./") && len(p) > 2 {
		p = p[2:]
	}
	switch p[0] {
	case '/':
		if !beginsWith(p, "/home/", "/Users/", "/workspace/", "/workspaces/", "/repo/", "/work/", "/tmp/") || path.Ext(p) == "" {
			return 0
		}
		p = p[1:]
	case '-', '~', '@', '$', '\\', '+', '=':
		return 0
	}
	if strings.HasPrefix(p, "../") || p == ".." || p == "." {
		return 0
	}
	for i := 0; i < len(p); i++ {
		c := p[i]
		if !identByte(c) && c != '/' && c != '.' && c != '-' && c != '+' && c != '@' && c < 0x80 {
			return 0
		}
	}
	if strings.Contains(p, "//") || strings.Contains(p, "...") || strings.Contains(p, "…") || !realSegments(p) {
		return 0
	}
	return n
}

// realSegments reports whether no part of the path is a placeholder, a folder
// that tools generate, or the start of a module's address.
func realSegments(p string) bool {
	if strings.HasPrefix(p, "path/to") || strings.HasPrefix(p, "a/b") {
		return false
	}
	first := true
	if i := strings.IndexByte(p, '/'); i > 0 && strings.HasSuffix(p[:i], ".md") {
		return false // a.md/b.md: two files
	}
	for seg := range strings.SplitSeq(strings.TrimSuffix(p, "/"), "/") {
		stem, _, _ := strings.Cut(strings.ToLower(seg), ".")
		switch stem {
		case "foo", "bar", "baz", "qux", "foobar", "xxx", "yyy", "yyyy", "your-file", "my-file", "filename", "file-name", "some-file":
			return false
		}
		switch seg {
		case "node_modules", "dist", "target", "build", "__pycache__", ".venv", "venv", ".git", ".next", "..", "", "vendor":
			return false
		}
		if first && strings.Contains(p, "/") && siteLike(seg) {
			return false // golang.org/x/net, ghcr.io/a/b
		}
		if strings.Trim(seg, ".") == "" {
			return false
		}
		first = false
	}
	return strings.Trim(p, "0123456789./-+") != ""
}

// siteLike reports whether the first part of a path is the name of a site.
func siteLike(seg string) bool {
	switch strings.ToLower(seg[strings.LastIndexByte(seg, '.')+1:]) {
	case "com", "org", "net", "io", "dev", "in", "ai", "co", "app":
		return strings.IndexByte(seg, '.') > 0
	}
	return false
}

// knownExt reports whether the name ends as a file of a repository does.
func knownExt(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 && len(name) < 4 || i < 0 || i == len(name)-1 {
		return false
	}
	switch strings.ToLower(name[i+1:]) {
	case "go", "mod", "sum", "py", "pyi", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "rs", "rb", "java", "kt", "kts", "scala", "swift", "c", "h", "cc",
		"cpp", "hpp", "cs", "php", "ex", "exs", "erl", "hs", "ml", "lua", "dart", "r", "jl", "pl", "zig", "nim", "clj", "m", "mm", "sh", "bash", "zsh", "fish", "ps1", "bat",
		"sql", "graphql", "gql", "proto", "thrift", "json", "json5", "jsonl", "jsonc", "yaml", "yml", "toml", "ini", "cfg", "conf", "xml", "csv", "tsv", "html", "htm", "css", "scss", "sass",
		"less", "md", "mdx", "rst", "adoc", "txt", "tf", "tfvars", "hcl", "gradle", "lock", "env", "tmpl", "tpl", "j2", "mk", "cmake", "bzl", "bazel", "nix", "prisma", "snap", "ipynb",
		"astro", "ejs", "hbs", "erb", "plist", "properties", "service", "dockerfile", "example", "sample", "png", "svg", "jpg", "pdf", "wasm", "golden", "feature", "patch", "cue", "rego", "graphqls", "local":
		return true
	}
	return false
}

// bareName reports whether a word is the name of a well-known file without an ending.
func (s *scanner) bareName(w string) bool {
	switch w {
	case "Makefile", "Dockerfile", "Justfile", "justfile", "Rakefile", "Gemfile", "Procfile", "Vagrantfile", "Jenkinsfile", "CODEOWNERS", "Brewfile", "Tiltfile", "Caddyfile", "GNUmakefile", "Pipfile":
		return true
	}
	return false
}

// prosePath reports whether a word of prose that has a path's shape is meant as
// one: "and/or" and "client/server" are not.
func prosePath(w string) bool {
	p := strings.TrimPrefix(w, "./")
	base := path.Base(p)
	slash := strings.IndexByte(strings.TrimSuffix(p, "/"), '/') >= 0
	if knownExt(base) {
		if slash {
			return !strings.HasSuffix(strings.ToLower(p[:strings.IndexByte(p, '/')]), ".js") // React.js/Vue.js
		}
		return proseFile(base)
	}
	if strings.HasSuffix(p, "/") {
		return len(p) > 3 && strings.ToLower(p) == p && letters(p[:1]) && p != "origin/" && p != "upstream/"
	}
	if !slash {
		return false
	}
	if strings.HasPrefix(w, "./") {
		return true
	}
	if strings.ContainsAny(p, "@+") || base == "" {
		return false
	}
	return folderName(p[:strings.IndexByte(p, '/')])
}

// proseFile reports whether a word with a known ending is a file's name and not
// that of a product (Node.js) or site (docs.rs).
func proseFile(base string) bool {
	ext := path.Ext(base)
	stem := strings.TrimSuffix(base, ext)
	switch ext {
	case ".js", ".ts":
		lower := strings.ToLower(stem)
		switch lower {
		case "node", "next", "vue", "react", "express", "three", "d3", "nuxt", "nest", "chart", "ember", "backbone", "moment", "alpine", "p5", "socket", "solid", "discord", "day", "deno":
			return false
		}
		return stem != ""
	case ".md", ".txt", ".env", ".lock", ".local", ".example", ".sample", ".m", ".r", ".c", ".h", ".mod", ".sum", ".service", ".feature", ".pdf", ".png":
		switch base {
		case "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md", "go.mod", "go.sum", "Cargo.lock", "yarn.lock", "poetry.lock", "requirements.txt", "SECURITY.md":
			return true
		}
		return false
	case ".rs":
		return base != "docs.rs" && base != "lib.rs"
	}
	return stem != "" && !strings.HasPrefix(base, ".")
}

func letters(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return s[i] == '.'
		}
	}
	return s != ""
}

// folderName reports whether repositories use to have a folder of that name at
// their root: only then is "a/b" of prose a path.
func folderName(name string) bool {
	switch name {
	case "src", "lib", "libs", "cmd", "internal", "pkg", "pkgs", "docs", "doc", "test", "tests", "app", "apps", "packages", "crates", "scripts", "config", "configs", "deploy", "infra",
		"services", "modules", "components", "migrations", "db", "web", "frontend", "backend", "tools", "examples", "e2e", "spec", "specs", "bin", "assets", "public", "static", "templates",
		"resources", "core", "common", "shared", "utils", "handlers", "models", "views", "controllers", "routes", "hooks", "pages", "charts", "terraform", "k8s", "ci", ".github", ".claude",
		".circleci", "fixtures", "testdata", "proto", "protos", "schemas", "plugins", "workers", "jobs", "xtask", "benches", "api", "server", "client", "cli", "data", "examples.d", "helm", "ops", "etc":
		switch name {
		case "client", "server", "web", "api", "data", "test", "frontend", "backend", "cli", "etc", "ci", "app", "config", "common", "core":
			return false // "client/server", "web/mobile": prose; with an ending they are paths
		}
		return true
	}
	return false
}

func identByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
