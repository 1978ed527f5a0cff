package shell

import (
	"bytes"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wordsOf are the words of the last command that a text runs.
func wordsOf(t *testing.T, text string) []string {
	t.Helper()
	res := Read(text, Place{Dir: "/p", Home: "/home/u"})
	if res.Err != nil || len(res.Commands) == 0 {
		t.Fatalf("%q: %d commands, %v", text, len(res.Commands), res.Err)
	}
	var out []string
	for _, w := range res.Commands[len(res.Commands)-1].Words {
		out = append(out, w.Text)
	}
	return out
}

// fragments are parts of words that mean something to a shell, but for names of files.
func fragments() []string {
	return []string{
		"a", "b c", "'x y'", `"q r"`, `\ `, `\'`, `"`, `'`, `\\`, `$v`, `"$v"`, `${v}`, `"${v}z"`, "$e", `"$e"`, "${e:-d f}", `"${e:-d f}"`, "${v:-d}", "${v:+p}", "${e:+p}",
		"{k,l}", "{m,n{o,p}}", `"{k,l}"`, "{k}", `$'\x41\n\t'`, `$'\101\u00e9'`, `"\$v\x"`, `'\n'`, "$(echo s t)", `"$(echo s t)"`, "`echo u`", `$(printf '%s-' 1 2)`,
		"${l[@]}", `"${l[@]}"`, `"${l[*]}"`, `"${l[1]}"`, "$@", `"$@"`, `"$*"`, "$1", "${2}", "-f", "--x=y", "\\\n", "=", ",", ".", "$IFS", "x$v", "$v$v",
	}
}

func nameRunsOn(text string) bool {
	text = strings.ReplaceAll(text, "\\\n", "")
	for _, name := range []string{"$v", "$e", "$1", "$@", "$IFS"} {
		if strings.Contains(text, name+"{") {
			return true
		}
	}
	return false
}

// TestWordsAreThoseThatBashMakes compares what is read out of random words with what
// bash hands to a program.
func TestWordsAreThoseThatBashMakes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here to compare with")
	}
	const n, seed = 1500, 8
	const setup = "v='1 2'; e=; l=('A B' C); set -- 'P Q' R; "
	rng := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // the same words at each run
	list := fragments()
	var texts []string
	var script strings.Builder
	for len(texts) < n {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(list[rng.IntN(len(list))])
			if rng.IntN(3) == 0 {
				b.WriteByte(' ')
			}
		}
		text := setup + "printf '%s\\0' " + b.String()
		if Read(text, Place{}).Err != nil {
			continue // an open quote: bash would not run it either
		}
		if nameRunsOn(text) {
			continue // bash takes $v{k,l} for $vk $vl, which the parser does not
		}
		texts = append(texts, text)
		script.WriteString("(" + text + "\n)\nprintf '\\1'\n")
	}
	cmd := exec.Command(bash, "--norc", "--noprofile")
	cmd.Stdin = strings.NewReader(script.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bash: %v: %.500s", err, stderr.String())
	}
	answers := strings.Split(string(out), "\x01")
	if len(answers) != n+1 {
		t.Fatalf("bash answered %d of %d: %.500s", len(answers)-1, n, stderr.String())
	}
	compared := 0
	for i, text := range texts {
		want := strings.Split(strings.TrimSuffix(answers[i], "\x00"), "\x00")
		got := wordsOf(t, text)[2:]
		if strings.Contains(strings.Join(got, ""), string(Hole)) {
			continue // a name that ran on: $vx is not set in the text
		}
		compared++
		if len(got) == 0 {
			got = []string{""} // printf prints its format once without words
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n(-bash +read):\n%s", text, diff)
			if t.Failed() && i > 500 {
				return
			}
		}
	}
	if t.Logf("n=%d, seed %d, compared %d", n, seed, compared); compared < n/2 {
		t.Errorf("only %d of %d were compared", compared, n)
	}
}

func TestWhatIsQuotedIsReadBackAsTheSameWords(t *testing.T) {
	words := []string{"a", "b c", "d'e", `f"g`, "$h", `i\j`, "`k`", "", "l\nm", "{n,o}", "#p"}
	var in []Word
	for _, w := range words {
		in = append(in, Word{Text: w})
	}
	if diff := cmp.Diff(words, wordsOf(t, "x "+quote(in))[1:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhatDependsOnTheOutsideIsAHole(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"a variable", "x $A", "x …"},
		{"a part of a word", `x a"$A"b`, "x a…b"},
		{"the output of a program", "x $(date)", "x …"},
		{"a number that is counted", "x $((1+2))", "x …"},
		{"what is read", "read a; x $a", "x …"},
		{"a pattern taken off", "a=b.c; x ${a%.c}", "x …"},
		{"numbers in braces", "x {1..3}", "x …"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := strings.ReplaceAll(strings.Join(wordsOf(t, tc.text), " "), string(Hole), "…")
			if got != tc.want {
				t.Errorf("%s: %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func TestFilesOfAPatchAreThoseOfItsHeads(t *testing.T) {
	const patch = "diff --git a/x b/y\nrename from x\nrename to y\n--- a/m.sql\t2026-01-01\n+++ b/m.sql\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new\n*** Begin Patch\n*** Add File: c\n*** Move to: d\n"
	want := []string{"x", "y", "m.sql", "m.sql", "new", "c", "d"}
	if diff := cmp.Diff(want, PatchFiles(patch)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNestingIsCountedBeforeTheParserMeetsIt(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		deep       bool
	}{
		{"an ordinary text", "for f in a b; do (cd $f && git push \"$(x)\"); done", false},
		{"a long here-document", "cat <<'E'\n" + strings.Repeat("if (a[1] == {b}) then for a while\n", 400) + "E\n", false},
		{"brackets", strings.Repeat("(", 4000), true},
		{"brackets that close", strings.Repeat("(", 4000) + strings.Repeat(")", 4000), true},
		{"brackets one after another", strings.Repeat("(a);", 100_000), false},
		{"compound commands", strings.Repeat("if ", 4000), true},
		{"operators", "echo $((" + strings.Repeat("-", 4000) + "1))", true},
		{"operators without brackets", "let a=" + strings.Repeat("-", 4000) + "1", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := nesting(tc.text); got > maxNesting != tc.deep {
				t.Errorf("nesting is %d", got)
			}
		})
	}
}
