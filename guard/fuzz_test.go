package guard

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// manyRules is a set of the size that a real project has.
const manyRules = `deny command git push (-f|--force|+*)   # rewrites shared history
deny command git push ** (main|*:main)
ask  command git push
deny command git commit (-n|--no-verify)
deny command git reset --hard
deny command rm -rf
ask  command terraform (apply|destroy)
ask  command * deploy
ask  command * run deploy
deny command sudo
ask  command (npm|pnpm|yarn|bun) (add|i|install) *
deny command npm publish
deny edit migrations/**
deny edit *.pb.go
deny edit package-lock.json
ask  edit .github/workflows/**
deny read .env
deny read ~/.ssh/**
deny tool WebFetch
ask  unknown`

func FuzzDecide(f *testing.F) {
	for _, s := range []string{
		"git push -f", "sh -c 'git push -f'", "cd x && rm *", "for f in a b; do echo $f | xargs -I{} rm {}; done", "f() { f; f; }; f",
		"alias a=a; a", "a=$a$a; eval $a", "x() { sh -c \"$1\" \"$@\"; }; x x", "git push ${x:=${y:-z}}", "cat <<A <<B\nA\nB\n", "((1+2))", "[[ a == b ]]", "\x00",
		"find . -exec sh -c 'rm $0' {} \\;", "a=(1 2); echo ${a[@]} ${#a} ${!a}", "echo {a,b}{c,d}", "timeout -k", "env -S", "git -c alias.x='!git x' x", "printf %s%s a b c|sh",
	} {
		f.Add(s)
	}
	rules := rulesOf(f, manyRules)
	f.Fuzz(func(t *testing.T, text string) {
		// The fuzzer itself does not notice an input that hangs.
		watch := time.AfterFunc(5*time.Second, func() { panic(fmt.Sprintf("it hangs on %q", text)) })
		defer watch.Stop()
		a := decided(rules, text)
		b := decided(rules, text)
		if a.Action != b.Action || a.Reason != b.Reason {
			t.Errorf("%q: %q, then %q", text, a.Reason, b.Reason)
		}
		if (a.Action == NoOpinion) != (a.Rule == nil) || (a.Action == NoOpinion) != (a.Reason == "") {
			t.Errorf("%q: half a verdict: %+v", text, a)
		}
		if strings.ContainsAny(a.Reason, "\x00\n") {
			t.Errorf("%q: the reason is no line: %q", text, a.Reason)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("```guard\n" + manyRules + "\n```\n")
	f.Add("- x\n\n  ~~~guard\n  deny edit [a-\n")
	f.Add("> ```guard\r\n> ask command (a|b) **\r\n> ```")
	f.Add("```guard\ndeny edit //a/../b\nask read ~\nask read ~x\ndeny tool *\n")
	f.Fuzz(func(t *testing.T, text string) {
		rules, problems := Parse(Source{File: "/p/C.md", Base: "/p"}, text)
		lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1
		for i := range rules {
			r := &rules[i]
			if r.Line < 1 || r.Line > lines || r.Action != Ask && r.Action != Deny {
				t.Errorf("%+v", r)
			}
			again, err := ParseLine(r.Source, r.String())
			if err != nil || again.String() != r.String() {
				t.Errorf("%q is read back as %q: %v", r.String(), again.String(), err)
			}
		}
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.What == "" {
				t.Errorf("%+v", p)
			}
		}
		rules.Decide(Call{Tool: "Bash", Command: "git push -f; rm -rf *", Cwd: "/p", Home: "/h"})
	})
}

func TestHostileTextsAreDecidedInBoundedTime(t *testing.T) {
	rules := rulesOf(t, manyRules)
	const size, limit = 1 << 16, 10 * time.Second
	units := []string{
		"(", "$(", "\"$(", "`", "{ ", "if ", "while ", "! ", "time ", "a&&", "a|", "a||", "case x in x) ", "${a:-", "$((-", "$((1+", "$((a?", "((", "f() ", "<(", "a=(", "coproc ",
		"a;", "x[", "let -", "let a?b:", "<<a\n", "{a,", "{a,b}", "for i in ;do ", "[[ -n a || ", "$[", "!(", "declare a[", "sh -c '", "eval ", "sudo ", "f(){ f;f;};f;", "a=$a$a$a;", "x=$(echo $x $x);",
		"while a;do ", "while a;do while b;do while c;do d;done;done;done;", "rm a;", "rm {a,b}{c,d}{e,f}{g,h} ", "xargs ", "find . -exec ", "echo a|", "git push $x ", "-f ", "((a[", "$'\\x", "${a[${a[", "let a=1+1+",
	}
	variable := "q||x=a;q||x=b;"
	for _, text := range []string{
		variable + "git" + strings.Repeat(" $x", 4000), variable + "y=" + strings.Repeat("$x", 4000), variable + "git " + strings.Repeat("$x", 4000),
		variable + strings.Repeat("git $x $x $x $x;", 4000), strings.Repeat("cd $x;", 4000), strings.Repeat("a", 1<<20), "cat <<E\n" + strings.Repeat("$x $(a) ", 1<<16) + "\nE",
		strings.Repeat("rm a/b ", 1<<17), "x=" + strings.Repeat("-", 1<<19),
	} {
		began := time.Now()
		decided(rules, text)
		if took := time.Since(began); took > limit {
			t.Errorf("%.60q took %v", text, took)
		}
	}
	for _, u := range units {
		for _, n := range []int{2500, size} {
			text := strings.Repeat(u, n/len(u))
			began := time.Now()
			decided(rules, text)
			if took := time.Since(began); took > limit {
				t.Errorf("%d bytes of %q took %v", n, u, took)
			}
		}
	}
}

func BenchmarkParseAndDecide(b *testing.B) {
	text := strings.Repeat("Some instructions that a project has, with `code` and words.\n\n", 100) + "```guard\n" + manyRules + "\n```\n"
	for _, c := range []struct{ name, command string }{
		{"short", "git status"},
		{"long", `cd /p/src && FOO=bar npm run test -- --watch=false 2>&1 | grep -v "^ok" | tail -40; git add -A && git commit -m "$(cat <<'EOF'` + "\nsubject\n\nbody of some lines\nEOF\n)\" && git push origin HEAD"},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				rules, _ := Parse(Source{File: "/p/CLAUDE.md", Base: "/p"}, text)
				decided(rules, c.command)
			}
		})
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			Parse(Source{File: "/p/CLAUDE.md", Base: "/p"}, text)
		}
	})
	b.Run("no block", func(b *testing.B) {
		plain := strings.ReplaceAll(text, "```guard", "```sh")
		for b.Loop() {
			Parse(Source{File: "/p/CLAUDE.md", Base: "/p"}, plain)
		}
	})
}
