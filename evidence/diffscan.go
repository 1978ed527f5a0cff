package evidence

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
)

// diffLine is a changed line of the history; text is only good until the next one.
type diffLine struct {
	commit commit
	file   string
	added  bool
	text   []byte
}

// maxDiffLine is how much of a changed line is looked at, in bytes.
const maxDiffLine = 32 << 10

// diffLog reads the changed lines of the history, newest first, and gives them to
// each until that returns errEnough. full is false if the history goes on further
// than was read.
func (g *gitRepo) diffLog(ctx context.Context, each func(*diffLine) error, revs []string, paths ...string) (full bool, err error) {
	args := []string{
		"log", "-p", "-U0", "--format=" + logFormat, "--encoding=UTF-8", "--no-notes", "--no-decorate", "--no-mailmap", "--no-color", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--ignore-submodules=all", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", "--inter-hunk-context=0", "--no-indent-heuristic", "-n", strconv.Itoa(diffCommits + 1),
	}
	args = append(args, revs...)
	args = append(args, "--")
	args = append(args, paths...)
	d := diffReader{each: each}
	err = g.run(ctx, "", d.read, args...)
	if errors.Is(err, errCut) || errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return false, nil
	}
	return d.commits <= diffCommits && !g.shallow, err
}

// diffReader reads a log with patches. It counts the lines of each hunk, so that
// what a file holds is never taken for the frame around it.
type diffReader struct {
	each       func(*diffLine) error
	line       diffLine
	old, new   int // lines still to come in the hunk
	commits    int
	oldF, newF string
}

func (d *diffReader) read(r *bufio.Reader) error {
	for {
		b, err := r.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !long && !errors.Is(err, io.EOF) {
			return err
		}
		if len(b) > 0 {
			if err := d.take(bytes.TrimRight(b[:min(len(b), maxDiffLine)], "\r\n")); err != nil {
				return err
			}
		}
		for long {
			_, err = r.ReadSlice('\n')
			long = errors.Is(err, bufio.ErrBufferFull)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (d *diffReader) take(b []byte) error {
	if d.old > 0 || d.new > 0 {
		switch {
		case len(b) > 0 && b[0] == '-' && d.old > 0:
			d.old--
			d.line.added, d.line.file = false, d.oldF
		case len(b) > 0 && b[0] == '+' && d.new > 0:
			d.new--
			d.line.added, d.line.file = true, d.newF
		case len(b) > 0 && b[0] == '\\':
			return nil
		default:
			d.old, d.new = 0, 0
			return nil
		}
		d.line.text = b[1:]
		return d.each(&d.line)
	}
	switch {
	case bytes.HasPrefix(b, []byte("\x01\x01")):
		d.commits++
		d.line.commit, _ = parseCommit(string(b))
	case bytes.HasPrefix(b, []byte("@@ -")):
		d.old, d.new = hunkSizes(string(b))
	case bytes.HasPrefix(b, []byte("--- ")):
		d.oldF = diffName(string(b[4:]), "a/")
	case bytes.HasPrefix(b, []byte("+++ ")):
		d.newF = diffName(string(b[4:]), "b/")
	}
	return nil
}

func diffName(s, prefix string) string {
	s = strings.Trim(strings.TrimSuffix(s, "\t"), `"`)
	return strings.TrimPrefix(s, prefix)
}

// hunkSizes reads "@@ -a,b +c,d @@".
func hunkSizes(s string) (old, new int) {
	f := strings.Fields(s)
	if len(f) < 3 {
		return 0, 0
	}
	size := func(r string) int {
		_, n, ok := strings.Cut(r, ",")
		if !ok {
			return 1
		}
		v, err := strconv.Atoi(n)
		if err != nil || v < 0 {
			return 0
		}
		return v
	}
	return size(f[1]), size(f[2])
}

// prose reports whether a file tells of code instead of being it: notes,
// documents and change logs keep names of what is gone.
func prose(name string) bool {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return false
	}
	switch strings.ToLower(name[i:]) {
	case ".md", ".mdx", ".rst", ".adoc", ".txt", ".markdown", ".jsonl", ".log", ".patch", ".diff", ".snap":
		return true
	}
	return false
}

// memoryFile reports whether a file is an agent's notes: what they say is no
// evidence for themselves.
func memoryFile(name string) bool {
	return prose(name) && (strings.Contains(name, ".claude/") || strings.Contains(name, "memory/") || strings.HasSuffix(name, "MEMORY.md") || strings.Contains(name, "notes/"))
}

// defines reports whether the line, in which id stands at i, is one that makes
// the thing: a declaration, an assignment, a key. Uses of what others make are
// none, so a library that is no longer used leaves no gap.
func defines(line []byte, i, n int) bool {
	before := bytes.TrimRight(line[:i], " \t*&\"'`")
	after := bytes.TrimLeft(line[i+n:], " \t\"'`")
	quoted := i > 0 && (line[i-1] == '"' || line[i-1] == '\'')
	word := before
	for k := len(before); k >= 0; k-- {
		if k == 0 || !identByte(before[k-1]) {
			word = before[k:]
			break
		}
	}
	if declares(string(word)) {
		return !(bytes.HasPrefix(after, []byte(".")) || bytes.HasPrefix(after, []byte("::")))
	}
	lead := bytes.Trim(before, " \t-+")
	if len(lead) == 0 {
		return keyed(line, i+n, after, quoted)
	}
	if bytes.HasPrefix(after, []byte("(")) || bytes.HasPrefix(after, []byte("<")) {
		return header(line, before)
	}
	// "int x;", "private String name = …": a type in front, an end behind.
	if last := lead[len(lead)-1]; (identByte(last) || last == '>' || last == ']') && !bytes.ContainsAny(lead, "=(.") && !statement(string(word)) && len(after) > 0 {
		return after[0] == ';' || after[0] == '=' && !bytes.HasPrefix(after, []byte("==")) || after[0] == ':' && !bytes.HasPrefix(after, []byte("::"))
	}
	return false
}

// header reports whether "… name(" is the head of a function and not a call.
func header(line, before []byte) bool {
	trimmed := bytes.TrimRight(line, " \t")
	if len(trimmed) == 0 {
		return false
	}
	if bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("func (")) && bytes.HasSuffix(before, []byte(")")) {
		return true
	}
	if last := trimmed[len(trimmed)-1]; last != '{' && last != ';' && last != ')' {
		return false
	}
	if bytes.ContainsAny(before, "=(.,") || len(before) == 0 {
		return false
	}
	if c := before[len(before)-1]; !identByte(c) && c != '>' && c != ']' {
		return false
	}
	word := before[bytes.LastIndexAny(before, " \t")+1:]
	return !statement(string(word)) && (trimmed[len(trimmed)-1] == '{' || bytes.ContainsAny(bytes.TrimSpace(before), " \t") || trimmed[len(trimmed)-1] == ';')
}

func statement(w string) bool {
	switch w {
	case "return", "if", "for", "while", "switch", "new", "await", "throw", "yield", "not", "in", "and", "or", "else", "case", "assert", "raise", "delete", "typeof", "go", "defer", "do", "import", "from", "use", "using", "require", "include", "del", "print", "match", "unless", "echo", "call":
		return true
	}
	return false
}

// keyed reports whether a line that begins with the name makes it: "x = 1",
// "x: 1", "x := 1", "x int", "x() {".
func keyed(line []byte, end int, after []byte, quoted bool) bool {
	if len(after) == 0 {
		return false
	}
	switch after[0] {
	case '=':
		return len(after) < 2 || after[1] != '='
	case ':':
		return len(after) < 2 || after[1] != ':'
	case '(':
		t := bytes.TrimRight(line, " \t")
		return t[len(t)-1] == '{' || t[len(t)-1] == ':'
	case '?':
		return bytes.HasPrefix(after, []byte("?:")) || bytes.HasPrefix(after, []byte("?="))
	case ',':
		return !quoted && len(after) == 1 && upperOnly(line[:end])
	}
	return !quoted && (identByte(after[0]) || after[0] == '[' && bytes.HasPrefix(after, []byte("[]"))) && end < len(line) && (line[end] == ' ' || line[end] == '\t')
}

// upperOnly reports whether the line so far is a constant's name: a member of an
// enumeration.
func upperOnly(b []byte) bool {
	t := bytes.TrimSpace(b)
	return len(t) > 2 && bytes.Equal(t, bytes.ToUpper(t))
}

func declares(w string) bool {
	switch strings.ToLower(w) {
	case "func", "def", "class", "type", "struct", "enum", "union", "trait", "interface", "fn", "const", "let", "var", "static", "mod", "module", "namespace", "function", "val",
		"object", "record", "protocol", "macro", "define", "table", "procedure", "view", "index", "typedef", "sub", "data", "newtype", "export", "readonly", "macro_rules", "defmodule", "defp", "service", "message", "rpc", "component", "fun", "method", "final", "property", "alias", "set", "column", "exists", "package":
		return true
	}
	return false
}
