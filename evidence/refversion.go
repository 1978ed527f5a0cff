package evidence

import "strings"

// readVersions finds "Go 1.21", "node >= 16", "`react@18.2`" in the block, in code
// and out of it.
func (s *scanner) readVersions() {
	var few [5]field // the last words, the newest at the end
	back := few[:0]
	t := s.text
	for i := s.block; i < s.blockEnd; {
		for i < s.blockEnd && (t[i] == '_' || quoting(t[i])) {
			if c := t[i]; c == ',' || c == '|' || c == '(' || c == ')' {
				back = back[:0]
			}
			i++
		}
		start, digit := i, false
		for i < s.blockEnd && !quoting(t[i]) {
			digit = digit || t[i] >= '0' && t[i] <= '9'
			i++
		}
		if i == start {
			continue
		}
		f := field{t[start:i], start, i}
		if strings.IndexByte(f.text, '/') >= 0 && strings.IndexByte(f.text, '@') < 0 {
			back = back[:0]
			continue
		}
		if digit && s.versionWord(back, f) {
			back = back[:0]
			continue
		}
		if len(back) == cap(back) {
			copy(back, back[1:])
			back = back[:len(back)-1]
		}
		back = append(back, f)
	}
	s.readRuns()
}

// quoting reports whether a byte stands between words, or around one.
func quoting(c byte) bool {
	switch c {
	case '`', '*', '(', ')', '[', ']', ',', '|', '"', '\'':
		return true
	}
	return c <= ' '
}

// versionWord looks whether a word ends a statement of a version.
func (s *scanner) versionWord(back []field, f field) bool {
	if i := strings.LastIndexAny(f.text, "@:"); i > 0 {
		if toolOf(f.text[:i]) != "" || f.text[i] == '@' && packageName(f.text[:i]) {
			if n := versionLen(f.text[i+1:]); n > 0 && i+1+n == len(f.text) {
				s.add(Version, f.start, f.end)
				return true
			}
		}
	}
	op := strings.TrimLeft(f.text, "<>=~^v")
	n := versionLen(op)
	if n == 0 || len(op) > n && strings.Trim(op[n:], ".:;!?") != "" {
		return false
	}
	at := f.end - len(op) // of the number
	held := false
	for k := len(back) - 1; k >= 0; k-- {
		w := strings.Trim(back[k].text, ":=.")
		switch strings.ToLower(w) {
		case "version", "versions", "v", "", ">=", ">", "<", "<=", "~", "^", "toolchain", "major", "minimum", "runtime", "to", "on":
			continue
		case "is", "at", "sits", "stays", "held", "kept", "pinned", "locked", "frozen", "still":
			held = true
			continue
		}
		if held && strings.Count(op[:n], ".") == 2 && dependencyName(w) && len(back)-k <= 4 && !strings.HasSuffix(back[k].text, ".") {
			s.add(Version, back[k].start, at+n)
			return true
		}
		if strings.HasSuffix(back[k].text, ".") || len(back)-k > 4 {
			return false
		}
		if !toolBefore(w, op[:n], len(back)-1-k > 0 || op != f.text) {
			return false
		}
		s.add(Version, back[k].start, at+n)
		return true
	}
	return false
}

// toolBefore reports whether a word is a tool that the version can be of.
func toolBefore(w, version string, marked bool) bool {
	tool := toolOf(w)
	switch {
	case tool == "":
		return false
	case w == "go" && !marked || tool == "go":
		return strings.HasPrefix(version, "1.")
	case tool == "rust":
		return strings.HasPrefix(version, "1.")
	case tool == "edition":
		return rustEdition(version)
	}
	return true
}

// rustEdition reports whether Rust has an edition of that year.
func rustEdition(year string) bool {
	return year == "2015" || year == "2018" || year == "2021" || year == "2024"
}

// dependencyName reports whether a word that is said to be held at a version can
// be the name of a dependency. Only one that a file declares is looked at further.
func dependencyName(w string) bool {
	switch w {
	case "it", "this", "that", "which", "we", "release", "app", "api", "build", "image", "service", "client", "server", "one", "and":
		return false
	}
	for i := 0; i < len(w); i++ {
		if c := w[i]; !(c >= 'a' && c <= 'z' || i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '_')) {
			return false
		}
	}
	return len(w) > 1
}

// versionLen is the length of the version number that w begins with.
func versionLen(w string) int {
	i, digits := 0, 0
	if strings.HasPrefix(w, "v") {
		i = 1
	}
	for i < len(w) {
		if w[i] >= '0' && w[i] <= '9' {
			digits++
			i++
			continue
		}
		if (w[i] == '.') && i+1 < len(w) && (w[i+1] >= '0' && w[i+1] <= '9' || w[i+1] == 'x') && digits > 0 {
			i++
			if w[i] == 'x' {
				i++
				break
			}
			continue
		}
		break
	}
	if digits == 0 || digits > 12 {
		return 0
	}
	if i < len(w) && w[i] == '+' {
		i++
	}
	if i < len(w) && (identByte(w[i]) || w[i] == '-' || w[i] == '%' || w[i] == '/') {
		return 0
	}
	return i
}

func packageName(w string) bool {
	if w == "" || strings.ToLower(w) != w || strings.ContainsAny(w, ".:@<>{}") && !strings.HasPrefix(w, "@") {
		return false
	}
	return letters(strings.TrimPrefix(w, "@")[:min(1, len(strings.TrimPrefix(w, "@")))])
}

// toolOf is the name under which a repository declares a tool, "" where the word
// is none whose versions can be told.
func toolOf(w string) string {
	switch w {
	case "Go", "go", "golang", "Golang":
		return "go"
	case "Node", "node", "Node.js", "NodeJS", "nodejs", "node.js":
		return "node"
	case "Python", "python", "CPython":
		return "python"
	case "Rust", "rust", "rustc":
		return "rust"
	case "edition", "Edition":
		return "edition" // of Rust
	case "Ruby", "ruby":
		return "ruby"
	case "Java", "java", "JDK", "jdk", "openjdk":
		return "java"
	case "PHP", "php":
		return "php"
	case "React", "react":
		return "react"
	case "Vue", "vue", "Vue.js":
		return "vue"
	case "Next", "next", "Next.js", "nextjs":
		return "next"
	case "Nuxt":
		return "nuxt"
	case "Angular":
		return "@angular/core"
	case "Svelte", "svelte":
		return "svelte"
	case "TypeScript", "Typescript", "typescript":
		return "typescript"
	case "Postgres", "postgres", "PostgreSQL", "postgresql", "Postgresql":
		return "postgres"
	case "MySQL", "mysql":
		return "mysql"
	case "MariaDB", "mariadb":
		return "mariadb"
	case "Redis", "redis":
		return "redis"
	case "MongoDB", "mongo", "Mongo", "mongodb":
		return "mongo"
	case "Elasticsearch", "elasticsearch":
		return "elasticsearch"
	case "Kafka":
		return "kafka"
	case "Tailwind", "tailwind", "TailwindCSS", "tailwindcss":
		return "tailwindcss"
	case "Rails", "rails":
		return "rails"
	case "Spring":
		return ""
	case "Alpine", "alpine":
		return "alpine"
	case "Debian", "debian", "Ubuntu", "ubuntu":
		return strings.ToLower(w)
	case "RabbitMQ", "rabbitmq":
		return "rabbitmq"
	case "nginx", "Nginx", "NGINX":
		return "nginx"
	}
	lower := strings.ToLower(w)
	switch lower {
	case "django", "flask", "fastapi", "pydantic", "sqlalchemy", "celery", "pytest", "numpy", "pandas", "express", "vite", "vitest", "webpack", "jest", "eslint", "prettier", "pnpm", "npm", "yarn", "bun", "deno",
		"prisma", "laravel", "symfony", "phoenix", "tokio", "axum", "actix-web", "serde", "bevy", "redux", "electron", "jquery", "bootstrap", "storybook", "playwright", "cypress", "zod", "graphql", "lodash", "fastify", "nestjs", "poetry", "terraform", "gradle", "kotlin", "clap", "cobra", "echo", "gin", "fiber":
		return lower
	}
	return ""
}

// versionClaim reports whether the sentence says that the repository uses the
// version, and not what the version brought or when something came.
func versionClaim(left, right, sentence string) bool {
	if anyOf(sentence, " since ", " added in ", " introduced in ", " as of ", " before ", " until ", " prior to ", " bug in ", " broken in ", " starting with ", " starting in ", " fixed in ", " upgrade", " migrat",
		" bump", " deprecated ", " removed in ", " from ", " after ", " when ", " if ", " available in ", " new in ", " supported in ", " changed in ", " behaviour ", " behavior ", " older than ", " newer than ", " earlier than ", " unlike ", " docs ", " release notes ", " plan", " was ", " were ", " used to ", " used ", " tried ", " not ", " don't ", " never ", " move to ", " moved to ", " switch") &&
		!anyOf(sentence, " bumped to ", " upgraded to ", " migrated to ", " moved to ", " switched to ") {
		return false
	}
	r := strings.TrimPrefix(right, " ")
	if beginsWith(r, "changed ", "introduced ", "added ", "removed ", "has ", "had ", "brought ", "broke ", "ships ", "shipped ", "does ", "doesn't ", "will ", "deprecat", "supports ", "and later changed", "or later changed", "behav", "can ", "makes ", "made ", "fixes ", "fixed ", "api", "docs ", "syntax", "semantics", "days ", "hours ", "minutes ", "seconds ", "times ", "workers ", "instances ", "replicas ", "nodes ", "scripts ", "files ", "tests ", "services ", "release", "feature", "style") {
		return false
	}
	before := strings.Trim(left, " ")
	switch before {
	case "", "the", "our", "its":
		return true
	}
	if len(strings.Fields(before)) <= 2 && anyOf(" "+before+" ", " backend ", " frontend ", " stack ", " language ", " runtime ", " database ", " db ", " server ", " client ", " web ", " api ", " toolchain ", " and ", " with ", " on ", " service ", " app ", " tech ") {
		return strings.TrimSpace(left) != "in"
	}
	return anyOf(sentence, " uses ", " use ", " using ", " on ", " is ", " are ", " runs ", " run ", " running ", " requires ", " require ", " required ", " needs ", " need ", " target", " pinned ", " pin ", " pins ", " built with ", " build with ", " builds with ",
		" written in ", " stack ", " with ", " minimum ", " at least ", " engine ", " image ", " against ", " stay ", " at ", " ci ", " toolchain ", " version ", " to ", " we ", " has ", " says ", " declares ", " supports ", " support ", " depends ", " database ", " backend ", " frontend ", " compiled ", " works ", " and ") ||
		beginsWith(r, "is ", "as ", "in ci", "toolchain", "only", "for ", "on ", "with ", "or ", "and ", "throughout", "project", "app", "service", "codebase", "backend", "frontend", "everywhere", "required")
}

// readBranches finds branches and tags: "branch x", "the x branch", "tag v1.2",
// "origin/x".
func (s *scanner) readBranches() {
	for _, noun := range []string{"branch", "tag"} {
		for at := 0; ; {
			i := strings.Index(s.masked[at:], noun)
			if i < 0 {
				break
			}
			i += at
			at = i + len(noun)
			end := at
			if strings.HasPrefix(s.masked[end:], "es ") || strings.HasPrefix(s.masked[end:], "s ") {
				end = at + strings.IndexByte(s.masked[at:], ' ')
			}
			if i > 0 && (identByte(s.masked[i-1]) || s.masked[i-1] == '-' || s.masked[i-1] == '/') || end < len(s.masked) && (identByte(s.masked[end]) || s.masked[end] == '-' || s.masked[end] == '/') {
				continue
			}
			s.branchAround(i, end, noun)
		}
	}
	for at := 0; ; {
		i := strings.Index(s.masked[at:], "origin/")
		if i < 0 {
			return
		}
		i += at
		at = i + len("origin/")
		if i > 0 && s.masked[i-1] != ' ' && s.masked[i-1] != '(' && s.masked[i-1] != '"' {
			continue
		}
		n := at
		for n < len(s.masked) && branchByte(s.masked[n]) {
			n++
		}
		n -= len(s.masked[at:n]) - len(strings.TrimRight(s.masked[at:n], "./-"))
		if n > at && !strings.Contains(s.masked[at:n], "...") {
			s.add(Branch, s.block+i, s.block+n)
		}
	}
}

// branchAround takes the name before or behind the noun at i to end of the block.
func (s *scanner) branchAround(i, end int, noun string) {
	// Only the spans next to the noun: one before and one behind it.
	k := s.spanFrom(s.block + i)
	for _, sp := range s.spans[max(0, k-1):min(len(s.spans), k+1)] {
		a, b := sp.start-s.block, sp.end-s.block
		w := s.text[sp.innerStart:sp.innerEnd]
		if !branchName(w) {
			continue
		}
		gap := ""
		switch {
		case a >= end && a-end < 12:
			gap = strings.Trim(s.masked[end:a], " :*_(\"")
		case b <= i && i-b < 4:
			gap = strings.Trim(s.masked[b:i], " *_)\"")
		default:
			continue
		}
		if gap == "" || gap == "is" || gap == "named" || gap == "called" {
			s.add(Branch, sp.innerStart, sp.innerEnd)
		}
	}
	// A plain word only where it has the shape of a name.
	if end < len(s.masked) && s.masked[end] == ' ' {
		from := end + 1
		to := from
		for to < len(s.masked) && branchByte(s.masked[to]) {
			to++
		}
		s.plainBranch(from, to, noun)
	}
	if i > 1 && s.masked[i-1] == ' ' {
		from := i - 1
		for from > 0 && branchByte(s.masked[from-1]) {
			from--
		}
		if from == 0 || s.masked[from-1] == ' ' {
			s.plainBranch(from, i-1, noun)
		}
	}
}

func (s *scanner) plainBranch(from, to int, noun string) {
	for to > from && (s.masked[to-1] == '.' || s.masked[to-1] == '/') {
		to--
	}
	w := s.text[s.block+from : s.block+to]
	if !branchName(w) {
		return
	}
	digit := strings.ContainsAny(w, "0123456789")
	named := digit && letters(w[:1]) && (noun == "tag" || strings.ContainsAny(w, "-/._"))
	if noun == "branch" {
		switch w {
		case "main", "master", "develop", "dev", "staging", "production", "trunk", "gh-pages":
			named = true
		}
		named = named || strings.IndexByte(w, '/') > 0 && !strings.HasSuffix(w, "/branch")
		if i := strings.IndexByte(w, '-'); i > 0 && !named {
			switch w[:i] {
			case "long", "short", "per", "non", "sub", "half", "other", "single", "multi", "up", "right", "left", "old", "new", "git", "topic", "in", "pre", "post", "co", "re", "de", "least", "error", "if", "fast", "slow", "stale", "throw", "work", "one", "two":
			default:
				named = strings.Count(w, "-") < 5 && !strings.HasSuffix(w, "-lived") && !strings.HasSuffix(w, "-specific")
			}
		}
	}
	if named {
		s.add(Branch, s.block+from, s.block+to)
	}
}

func branchByte(c byte) bool {
	return identByte(c) || c == '-' || c == '/' || c == '.'
}

// branchName reports whether git would take w as a branch's or tag's name.
func branchName(w string) bool {
	if w == "" || len(w) > 120 || w[0] == '-' || w[0] == '/' || w[0] == '.' || strings.HasSuffix(w, "/") || strings.HasSuffix(w, ".lock") || strings.Contains(w, "..") || strings.Contains(w, "//") {
		return false
	}
	for i := 0; i < len(w); i++ {
		if !branchByte(w[i]) && w[i] != '+' && w[i] != '#' {
			return false
		}
	}
	return !strings.HasPrefix(strings.ToUpper(w), "HEAD")
}

// nameOfBranch reports whether the code span around at stands beside the word
// branch or tag.
func (s *scanner) nameOfBranch(at int) bool {
	a, b := s.outer(at-s.block, at-s.block)
	left := strings.TrimRight(s.masked[:a], " :*_(\"")
	right := strings.TrimLeft(s.masked[b:], " *_)\"")
	return beginsWith(right, "branch", "tag ") || strings.HasSuffix(left, " branch") || strings.HasSuffix(left, " branches") || strings.HasSuffix(left, " tag") || left == "branch"
}

// gitRef takes `origin/x`, and what nameOfBranch leaves to readBranches.
func (s *scanner) gitRef(c codeSpan, w string) bool {
	if rest, ok := strings.CutPrefix(w, "origin/"); ok && branchName(rest) {
		s.add(Branch, c.innerStart, c.innerEnd)
		return true
	}
	if !branchName(w) || s.nameOfBranch(c.innerStart) {
		return branchName(w)
	}
	// By custom these are branches even where the word is not said.
	if beginsWith(w, "feat/", "feature/", "fix/", "bugfix/", "hotfix/", "release/", "chore/") && !knownExt(w) {
		s.add(Branch, c.innerStart, c.innerEnd)
		return true
	}
	return false
}

// gitCommand finds the branch that a git command names.
func (s *scanner) gitCommand(f []field) {
	if len(f) < 2 {
		return
	}
	switch f[0].text {
	case "checkout", "switch", "merge", "rebase":
	case "push", "pull", "fetch":
		if len(f) == 3 && f[1].text == "origin" && branchName(f[2].text) && letters(f[2].text[:1]) {
			s.add(Branch, f[2].start, f[2].end)
		}
		return
	default:
		return
	}
	if w := f[1]; len(f) == 2 && branchName(w.text) && letters(w.text[:1]) && !knownExt(w.text) && w.text != "branch" {
		s.add(Branch, w.start, w.end)
	}
}

// readRuns finds commands that stand in prose behind the word run.
func (s *scanner) readRuns() {
	if !strings.Contains(s.masked, "run ") && !strings.Contains(s.masked, " make ") {
		return
	}
	for _, lead := range []string{"npm run ", "pnpm run ", "yarn run ", "bun run ", "run make ", "run just ", "run task ", "via make ", "with make "} {
		for at := 0; ; {
			i := strings.Index(s.masked[at:], lead)
			if i < 0 {
				break
			}
			i += at
			at = i + len(lead)
			if i > 0 && s.masked[i-1] != ' ' && s.masked[i-1] != '(' {
				continue
			}
			to := at
			for to < len(s.masked) && (identByte(s.masked[to]) || s.masked[to] == '-' || s.masked[to] == ':') {
				to++
			}
			from := i
			if !strings.HasSuffix(lead, "run ") {
				from = i + strings.IndexByte(lead, ' ') + 1
			}
			a, b := s.block+from, s.block+to
			b -= len(s.text[a:b]) - len(strings.TrimRight(s.text[a:b], ":-"))
			if t, ok := parseCommand(s.text[a:b]); ok && targetName(t.name) {
				s.add(Command, a, b)
			}
		}
	}
}
