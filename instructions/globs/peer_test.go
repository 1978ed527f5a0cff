package globs

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// question is one pair for the peer: patterns and a path.
type question struct {
	kind     string
	patterns []string // of picomatch: one
	path     string
}

func (q question) MarshalJSON() ([]byte, error) {
	if q.kind == "ignore" {
		return json.Marshal([]any{q.kind, q.patterns, q.path})
	}
	return json.Marshal([]any{q.kind, q.patterns[0], q.path})
}

// askPeer has the npm packages answer. GLOB_PEER names the folder they are
// installed in; SEED and N vary the questions.
func askPeer(t *testing.T, questions []question) []bool {
	t.Helper()
	var in, out bytes.Buffer
	for _, q := range questions {
		b, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(b, '\n'))
	}
	cmd := exec.Command("node", "testdata/peer/globs.mjs")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(out.String())
	if len(lines) != len(questions) {
		t.Fatalf("%d answers to %d questions", len(lines), len(questions))
	}
	answers := make([]bool, len(lines))
	for i, l := range lines {
		answers[i] = l == "true"
	}
	return answers
}

func needPeer(t *testing.T) (*rnd, int) {
	if os.Getenv("GLOB_PEER") == "" {
		t.Skip("GLOB_PEER is not set: install the npm packages ignore@7.0.5 and picomatch@4 in a folder and name it there to compare")
	}
	return &rnd{rand.New(rand.NewPCG(uint64(envInt("SEED", 1)), 3))}, envInt("N", 40_000)
}

func envInt(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

func TestMatchAgainstTheIgnorePackage(t *testing.T) {
	r, n := needPeer(t)
	questions := make([]question, n)
	for i := range questions {
		questions[i] = question{"ignore", r.patterns(), r.path()}
	}
	questions = append(questions, casePairs()...)
	matched, bad := 0, 0
	for i, want := range askPeer(t, questions) {
		q := questions[i]
		if want {
			matched++
		}
		if got := matchTexts(q.patterns, q.path); got != want {
			if bad++; bad <= 30 {
				t.Errorf("%q on %q: %v, the package says %v (as %q)", q.patterns, q.path, got, want, rewrite(strings.TrimPrefix(q.patterns[0], "!")))
			}
		}
	}
	t.Logf("%d pairs, %d of them match, %d answered differently", len(questions), matched, bad)
}

// casePairs asks of every letter below U+10000 whether it is taken for those that
// Unicode folds to the same, alone and in a range.
func casePairs() []question {
	var out []question
	for c := rune(0x21); c <= 0xffff; c++ {
		for d := unicode.SimpleFold(c); d != c; d = unicode.SimpleFold(d) {
			out = append(out, question{"ignore", []string{"x" + string(c)}, "x" + string(d)},
				question{"ignore", []string{"x[" + string(c) + "]"}, "x" + string(d)})
		}
	}
	return out
}

func matchTexts(texts []string, path string) bool {
	var ps []Pattern
	for _, t := range texts {
		ps = append(ps, compile(t))
	}
	return match(ps, path)
}

// rnd makes patterns and paths out of the same few names, so that many match.
type rnd struct{ *rand.Rand }

func (r *rnd) one(of ...string) string { return of[r.IntN(len(of))] }

func (r *rnd) name() string {
	return r.one("a", "b", "ab", "src", "x.go", "y.ts", "a.b", "A", "é", "É", "😀", ".dot", ".d", "a b", "1", "a1", "[a]", "a]", "-", "_", "a-b", "{a", "(a)", "a+b", "a|b", "$", "^a", "!a", "#a", "*", "a*b", "?", "a\\b", "\\", "я", "ſ", "K", "ß", "aa", "b.go", "x", "...")
}

func (r *rnd) path() string {
	var parts []string
	for range 1 + r.IntN(4) {
		parts = append(parts, r.name())
	}
	s := strings.Join(parts, "/")
	if strings.HasPrefix(s, "..") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "/") {
		return "x" + s
	}
	return s
}

func (r *rnd) patterns() []string {
	out := []string{r.pattern()}
	for r.IntN(4) == 0 {
		out = append(out, r.one("", "!", "!")+r.pattern())
	}
	return out
}

func (r *rnd) pattern() string {
	if r.IntN(3) == 0 {
		return r.like(r.path())
	}
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(r.one("*", "*", "**", "/", "/", "/", "?", "[ab]", "[a-c]", "[!a]", "[^a]", "[", "]", "[]", "[^]", "[z-a]", "[a-", "[\\d]", "[\\w-x]", "[a\\]b]", "[a/b]", "[é]", "[^/]", "[[:alpha:]]", "\\", "\\\\", "\\*", "\\?", "\\[", "\\ ", " ", "  ", "\\d", "\\w", "\\b", "\\s", "\\x61", "\\u0061", "\\141", "\\cA", "\\1", "(", ")", "|", "+", "$", "^", ".", "{", "}", "{2}", "!", "#", "-", "***", "**/", "/**", "/**/", "\t", "\n", "\ufeff", "\u00a0", r.name(), r.name(), r.name()))
	}
	return b.String()
}

// like makes a pattern out of a path, so that it has a good chance to match.
func (r *rnd) like(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		rs := []rune(p)
		switch r.IntN(9) {
		case 0:
			parts[i] = "*"
		case 1:
			parts[i] = "**"
		case 2:
			parts[i] = "*" + string(rs[len(rs)-1:])
		case 3:
			parts[i] = string(rs[:1]) + "*"
		case 4:
			parts[i] = "?" + string(rs[1:])
		case 5:
			parts[i] = "[" + string(rs[:1]) + "]" + string(rs[1:])
		case 6:
			parts[i] = strings.ToUpper(p)
		}
	}
	if r.IntN(3) == 0 {
		parts = parts[r.IntN(len(parts)):]
	}
	if r.IntN(3) == 0 {
		parts = parts[:1+r.IntN(len(parts))]
	}
	return r.one("", "", "", "/", "**/", "!", "\\") + strings.Join(parts, r.one("/", "/", "/", "/", "/**/")) + r.one("", "", "", "/", "/**", "/*", " ")
}

func TestExcludesAgainstPicomatch(t *testing.T) {
	names := []string{"stars and question marks", "also classes and braces", "also signs that mean nothing, and what is not followed"}
	for rich, name := range names {
		t.Run(name, func(t *testing.T) {
			r, n := needPeer(t)
			questions := make([]question, n)
			for i := range questions {
				file := r.file()
				glob := r.glob(rich)
				if r.IntN(2) == 0 {
					glob = r.globLike(file, rich)
				}
				questions[i] = question{"picomatch", []string{glob}, file}
			}
			matched, unknown, bad := 0, 0, 0
			for i, want := range askPeer(t, questions) {
				q := questions[i]
				e := NewExcludes(q.patterns, nil)
				if want {
					matched++
				}
				if len(e.Unknown()) > 0 {
					unknown++
					continue
				}
				if _, got := e.Match(q.path); got != want {
					if bad++; bad <= 30 {
						t.Errorf("%q on %q: %v, picomatch says %v", q.patterns[0], q.path, got, want)
					}
				}
			}
			t.Logf("%d pairs, %d of them match, %d not followed, %d answered differently", n, matched, unknown, bad)
		})
	}
}

// glob makes a pattern for an absolute path; rich counts the kinds of signs in it.
func (r *rnd) glob(rich int) string {
	var parts []string
	for range 1 + r.IntN(4) {
		var b strings.Builder
		for range 1 + r.IntN(3) {
			atoms := []string{"a", "b", "x", ".md", "CLAUDE", "*", "*", "?", "**", ".", "-", "é", "1"}
			if rich > 0 {
				atoms = append(atoms, "[ab]", "[!a]", "[^a]", "[a-c]", "{a,b}", "{a,b}", "{a,{b,x}}", "{*.md,x}", "{a}")
			}
			if rich > 1 {
				atoms = append(atoms, "(a|b)", "@(a|b)", "!(a)", "+(a)", "*(a)", "?(a)", "{1..3}", "{a..c}", "[", "]", "{", "}", "(", ")", "|", "!", "+", "$", "^", ",", "[[:alpha:]]", "[]", "{}", "{,a}", "'", "\"", "@", "#", " ", "~")
			}
			b.WriteString(atoms[r.IntN(len(atoms))])
		}
		parts = append(parts, b.String())
	}
	return r.one("/", "/", "", "**/", "/**/") + strings.Join(parts, "/") + r.one("", "", "", "", "/**", "/*", "/")
}

func (r *rnd) file() string {
	var parts []string
	for range 1 + r.IntN(4) {
		parts = append(parts, r.one("a", "b", "x", "ab", "a.md", ".md", "CLAUDE.md", "x.md", ".a", "1", "aa", "b-", "é", "c", "ax", "xa.md", "2", "a1"))
	}
	return "/" + strings.Join(parts, "/")
}

func (r *rnd) globLike(p string, rich int) string {
	parts := strings.Split(p[1:], "/")
	for i, q := range parts {
		rs := []rune(q)
		switch r.IntN(10) {
		case 0:
			parts[i] = "*"
		case 1:
			parts[i] = "**"
		case 2:
			parts[i] = "*" + string(rs[len(rs)-1:])
		case 3:
			parts[i] = string(rs[:1]) + "*"
		case 4:
			parts[i] = "?" + string(rs[1:])
		case 5:
			if rich > 0 {
				parts[i] = "[" + string(rs[:1]) + "z]" + string(rs[1:])
			}
		case 6:
			if rich > 0 {
				parts[i] = "{" + q + ",zz}"
			}
		}
	}
	return r.one("/", "/", "**/", "/**/") + strings.Join(parts, r.one("/", "/", "/", "/**/")) + r.one("", "", "", "", "/**", "/*", "/")
}
