package scan

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// builtin are the concepts that the lexer itself finds, not the word lists.
type builtin struct {
	url, unknown, ip, local, email, template, num set
	outside, temp, sens, agentDir, scriptFile     set
	file, flag, pipe, redir, subst                set

	neg, start, agent, discuss, report, refuse, you, cmd, soft        set
	please, modal, aux, pathCred, rot, pkgCmd, pkgVerb, calls, attack set
}

func newBuiltin(l *lexicon) *builtin {
	return &builtin{
		url: l.bits("url"), unknown: l.bits("unknown"), ip: l.bits("ip"), local: l.bits("local"),
		email: l.bits("email"), template: l.bits("template"), num: l.bits("num"),
		outside: l.bits("outside"), temp: l.bits("temp"), sens: l.bits("sens"),
		agentDir: l.bits("agentdir"), scriptFile: l.bits("scriptfile"), file: l.bits("file"),
		flag: l.bits("flag"), pipe: l.bits("pipe"), redir: l.bits("redir"), subst: l.bits("subst"),
		neg: l.bits("neg"), start: l.bits("start"), agent: l.bits("agent"), discuss: l.bits("discuss"),
		report: l.bits("report"), refuse: l.bits("refuse"), you: l.bits("you|agent"),
		cmd: l.bits("toolcmd"), soft: l.bits("softcmd|toolcmd"),
		pathCred: l.bits("pathcred"), calls: l.bits("toagent"), attack: l.bits("attackword"), rot: l.bits("rot"), pkgCmd: l.bits("pkgcmd"), pkgVerb: l.bits("pkgverb"),
		please: l.bits("please|must"), modal: l.bits("modal|please|must"), aux: l.bits("aux"),
	}
}

// delimiter reports the signs that end a chunk.
func delimiter(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '"', '`', '<', '>', '(', ')', '[', ']', '{', '}', '|', ',', ';':
		return true
	}
	return false
}

// chunk reads what stands between two delimiters: a word in most cases. It
// reports whether a sentence ends behind it.
func (l *lexer) chunk() bool {
	start := l.at
	end := l.wordEnd(start)
	if end > start && (end == len(l.text) || simpleEnd(l.text[end:])) {
		l.word(start, end)
		l.at = end
		return false
	}
	end = max(end, start)
	for end < len(l.text) && !delimiter(l.text[end]) {
		if l.text[end] >= 0x80 {
			r, n := utf8.DecodeRuneInString(l.text[end:])
			if joined(r) || r == 0x3002 {
				break
			}
			end += n
			continue
		}
		end++
	}
	if strings.Contains(l.text[start:end], "://") {
		end = max(end, urlEnd(l.text, start))
	}
	text := strings.TrimRight(l.text[start:end], ".:!?*_'\\")
	if text == "" {
		l.at = max(end, start+1)
		return end > start && strings.ContainsAny(l.text[start:end], ".!?") && l.endsSentence()
	}
	l.classify(start, text)
	tail := l.text[start+len(text) : end]
	l.at = end
	if strings.ContainsAny(tail, ":") {
		l.broken = true
	}
	return strings.ContainsAny(tail, ".!?") && l.endsSentence()
}

// wordEnd returns the end of the letters at i, apostrophes between them
// included.
func (l *lexer) wordEnd(i int) int {
	for i < len(l.text) {
		c := l.text[i]
		switch {
		case asciiLetter(rune(c)):
			i++
		case c == '\'' && i+1 < len(l.text) && asciiLetter(rune(l.text[i+1])):
			i++
		case c >= 0x80:
			r, n := utf8.DecodeRuneInString(l.text[i:])
			if joined(r) || !unicode.IsLetter(r) && !unicode.IsMark(r) {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

// simpleEnd reports that a word ends before rest, and is not the first part of
// an address, a path or a file name.
func simpleEnd(rest string) bool {
	switch c := rest[0]; c {
	case '-', '_', '/', '@', '=', '~', '$', '%', '&', '+', '\\', '#':
		return false
	case '.', ':', '!', '?', '*':
		if c == '.' || c == ':' {
			return len(rest) == 1 || delimiter(rest[1]) || rest[1] == '*' || rest[1] == '_' || rest[1] == '.'
		}
		return true
	default:
		return c < '0' || c > '9'
	}
}

// urlEnd returns the end of the address at start. Brackets and angles belong to
// it when they open inside: that is how a template says what to put there.
func urlEnd(text string, start int) int {
	depth := 0
	for i := start; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '"', '`', '|', ',', ';':
			if depth == 0 || c != ' ' || i-start > 400 {
				return i
			}
		case '(', '[', '{', '<':
			if c == '<' && (i == 0 || text[i-1] != '=' && text[i-1] != '/') {
				return i
			}
			depth++
		case ')', ']', '}', '>':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(text)
}

// word emits a word of letters.
func (l *lexer) word(start, end int) {
	text := l.text[start:end]
	if i := strings.IndexByte(text, '\''); i >= 0 {
		if i <= 5 && len(text) > i+3 {
			// An article or pronoun grown on: "l'utilisateur", "d'envoyer".
			l.word(start, start+i)
			l.word(start+i+1, end)
			return
		}
		text = strings.TrimSuffix(text, "'s")
		text = strings.ReplaceAll(text, "'", "")
	}
	e, infl := l.words.find(text)
	if e == nil {
		l.emit(start, end, set{}, 0)
		return
	}
	var marks uint16
	if infl {
		marks |= inflected
	} else if e.verb {
		marks |= verbForm
	}
	if e.foreign {
		marks |= alien
	}
	l.emit(start, end, e.bits, marks)
	l.s.tokens[len(l.s.tokens)-1].entry = e
}

// classify emits what a chunk with more than letters is.
func (l *lexer) classify(start int, text string) {
	end := start + len(text)
	switch {
	case text[0] == '-' && len(text) > 1:
		l.option(start, text)
		return
	}
	if name, value, ok := strings.Cut(text, "="); ok && name != "" && !strings.ContainsAny(name, "/?") {
		l.named(start, name)
		if value != "" && l.nested < 2 {
			l.nested++
			l.classify(end-len(value), value)
			l.nested--
		}
		return
	}
	switch {
	case strings.Contains(text, "://"):
		l.address(start, text)
	case isPath(text):
		l.path(start, text)
	case strings.Contains(text, "@") && text[0] != '@' && l.mailbox(start, text):
	case l.host(start, text):
	case strings.Contains(text, "/"):
		l.path(start, text)
	default:
		l.named(start, text)
	}
}

// named emits a name: as the lexicon has it, or in its parts.
func (l *lexer) named(start int, text string) {
	e, infl := l.words.find(text)
	if e == nil && !strings.ContainsAny(text, "-_.") {
		l.letters(start, text)
		return
	}
	if e == nil && strings.Contains(text, ".") && !strings.Contains(text, "..") {
		l.emit(start, start+len(text), l.fileBits(text), 0)
		return
	}
	if e == nil {
		l.letters(start, text)
		return
	}
	var marks uint16
	if infl {
		marks = inflected
	} else if e.verb {
		marks = verbForm
	}
	bits := e.bits
	if strings.HasPrefix(text, ".") && bits.meets(&l.own.pathCred) {
		bits = bits.or(l.own.sens)
	}
	l.emit(start, start+len(text), bits, marks)
	l.s.tokens[len(l.s.tokens)-1].entry = e
}

// letters emits the words in a chunk: "word-for-word", "don't!stop".
func (l *lexer) letters(start int, text string) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r >= '0' && r <= '9':
			j := i
			for j < len(text) && (text[j] >= '0' && text[j] <= '9' || text[j] == '.') {
				j++
			}
			l.emit(start+i, start+j, l.numeral(text[i:j]), 0)
			i = j
		case unicode.IsLetter(r):
			j := max(l.wordEnd(start+i)-start, i+n)
			j = min(j, len(text))
			l.word(start+i, start+j)
			i = j
		default:
			if r == ':' || r == '!' || r == '?' {
				l.broken = true
			}
			i += n
		}
	}
}

// numeral is a number, or a bare address of the network.
func (l *lexer) numeral(text string) set {
	if strings.Count(text, ".") == 3 {
		if kind := l.hosts.kind(text); kind != hostNone {
			return l.hostBits(kind)
		}
	}
	e := l.words.words[text]
	if e != nil {
		return e.bits.or(l.own.num)
	}
	return l.own.num
}

func (l *lexer) option(start int, text string) {
	name, value, _ := strings.Cut(text, "=")
	bits := l.own.flag
	if e := l.words.words[name]; e != nil {
		bits = bits.or(e.bits)
	} else if e := l.words.words[strings.TrimLeft(name, "-")]; e != nil {
		bits = bits.or(e.bits)
	}
	l.emit(start, start+len(name), bits, 0)
	if value != "" && l.nested < 2 {
		l.nested++
		l.classify(start+len(text)-len(value), value)
		l.nested--
	}
}

func (l *lexer) mailbox(start int, text string) bool {
	name, host, _ := strings.Cut(text, "@")
	if name == "" || strings.ContainsAny(name, "/:") {
		return false
	}
	host, _, _ = strings.Cut(host, ":")
	if kind := l.hosts.kind(host); kind != hostNone {
		l.emit(start, start+len(text), l.own.email.or(l.hostBits(kind)), 0)
		return true
	}
	return false
}

func (l *lexer) hostBits(kind hostKind) set {
	switch kind {
	case hostLocal:
		return l.own.local
	case hostKnown, hostNone:
		return l.own.url
	case hostIP:
		return l.own.url.or(l.own.unknown).or(l.own.ip)
	case hostUnknown:
	}
	return l.own.url.or(l.own.unknown)
}

// address emits a URL.
func (l *lexer) address(start int, text string) {
	host := urlHost(text)
	kind := l.hosts.kindOf(host, text)
	if kind == hostNone {
		kind = hostUnknown
	}
	bits := l.hostBits(kind)
	if kind != hostLocal && isTemplate(text) {
		bits = bits.or(l.own.template)
	}
	if strings.HasPrefix(text, "uggc") { // http in rot13
		bits = bits.or(l.own.rot)
	}
	l.emit(start, start+len(text), bits, 0)
}

// host emits an address without a scheme, if text is one.
func (l *lexer) host(start int, text string) bool {
	if !strings.ContainsAny(text, ".") && !strings.HasPrefix(text, "localhost") {
		return false
	}
	name := text
	if i := strings.IndexAny(text, "/:?@"); i >= 0 {
		name = text[:i]
	}
	kind := l.hosts.kind(name)
	if kind == hostNone {
		return false
	}
	bits := l.hostBits(kind)
	if isTemplate(text) {
		bits = bits.or(l.own.template)
	}
	l.emit(start, start+len(text), bits, 0)
	return true
}

func isPath(text string) bool {
	switch {
	case text[0] == '/' || text[0] == '~' && len(text) > 1:
		return true
	case strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "$home") || strings.HasPrefix(text, "%"):
		return true
	case len(text) > 2 && text[1] == ':' && text[2] == '\\':
		return true
	}
	return strings.HasPrefix(text, "\\\\")
}

// path emits a path with what is known of where it leads.
func (l *lexer) path(start int, text string) {
	bits := l.fileBits(text)
	if leavesProject(text) {
		bits = bits.or(l.own.outside)
	}
	for _, dir := range [...]string{"/tmp/", "/var/tmp/", "/dev/shm/", "/dev/tcp/", "%temp%", "\\temp\\"} {
		if strings.Contains(text, dir) && !strings.HasPrefix(text, ".") {
			bits = bits.or(l.own.temp)
		}
	}
	if strings.Contains(text, ".claude/") && leavesProject(text) {
		bits = bits.or(l.own.agentDir)
	}
	l.emit(start, start+len(text), bits, 0)
}

// fileBits says what a file is by the parts of its path.
func (l *lexer) fileBits(text string) set {
	bits := l.own.file
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' || r == '\\' || r == ':' || r == '~' }) {
		if e := l.words.words[part]; e != nil && strings.ContainsAny(part, "._") {
			bits = bits.or(e.bits)
			if e.bits.meets(&l.own.pathCred) {
				bits = bits.or(l.own.sens)
			}
		}
	}
	for _, ext := range [...]string{".sh", ".py", ".js", ".mjs", ".cjs", ".ps1", ".bat", ".cmd", ".exe", ".pl", ".rb", ".pem", ".key"} {
		if !strings.HasSuffix(text, ext) {
			continue
		}
		if ext == ".pem" || ext == ".key" {
			return bits.or(l.own.sens)
		}
		return bits.or(l.own.scriptFile)
	}
	return bits
}

// leavesProject reports paths that lead out of the project: home, system and
// temporary folders, drives, and two or more steps up or one step up and into
// something else.
func leavesProject(text string) bool {
	switch {
	case text[0] == '~' || strings.HasPrefix(text, "$home") || strings.HasPrefix(text, "\\\\") || strings.HasPrefix(text, "../"):
		return true
	case len(text) > 2 && text[1] == ':' && text[2] == '\\', strings.HasPrefix(text, "%"):
		return true
	case text[0] != '/':
		return strings.Contains(text, "/../../")
	}
	first, _, more := strings.Cut(text[1:], "/")
	switch first {
	case "etc", "tmp", "var", "usr", "home", "root", "opt", "dev", "proc", "users", "private", "sbin", "mnt", "library", "boot", "sys", "bin":
		return more || first == "tmp" || first == "etc" || first == "root"
	}
	return false
}
