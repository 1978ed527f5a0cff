package globs

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/frontmatter"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// recorded reads what the real client did; see testdata/README.md.
func recorded[T any](t *testing.T, name string) T {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRulesReadAsTheClientReadsThem(t *testing.T) {
	rec := recorded[struct {
		Reads []string
		Rules []struct {
			Front  string
			Always bool
			Globs  []string // as the client listed them when the rule came in
		}
	}](t, "paths.json")
	for _, c := range rec.Rules {
		r := ReadRule(c.Front)
		if r.Always != c.Always {
			t.Errorf("%q: always %v, for the client %v", c.Front, r.Always, c.Always)
			continue
		}
		if c.Globs != nil {
			if d := cmp.Diff(c.Globs, listed(r.Patterns)); d != "" {
				t.Errorf("%q: patterns (-client +ours)\n%s", c.Front, d)
			}
		}
		if got := slices.ContainsFunc(rec.Reads, r.Match); got != (c.Globs != nil) {
			t.Errorf("%q: brought in by a read: %v, for the client %v", c.Front, got, c.Globs != nil)
		}
		if c.Globs != nil && r.Never() {
			t.Errorf("%q: said to match never, yet the client brought it in", c.Front)
		}
	}
}

func listed(ps []Pattern) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Text)
	}
	return out
}

func TestPatternsMatchAsForTheClient(t *testing.T) {
	rec := recorded[struct {
		Patterns []string
		Fires    map[string][]int // path → numbers of the patterns it brings in
	}](t, "matrix.json")
	for i, text := range rec.Patterns {
		// By way of a rule, so that braces and a last /** are treated as there.
		b, err := json.Marshal([]string{text})
		if err != nil {
			t.Fatal(err)
		}
		r := ReadRule("paths: " + string(b))
		for path, fires := range rec.Fires {
			want := slices.Contains(fires, i)
			if got := r.Match(path) || r.Always && len(fires) > 0 && want; got != want {
				t.Errorf("%q on %q: %v, for the client %v", text, path, got, want)
			}
		}
	}
}

func TestARuleSaysWhyItLoadsOtherwiseThanMeant(t *testing.T) {
	t.Run("broken front matter loads always and tells the line", func(t *testing.T) {
		r := ReadRule("paths:\n  - *.go\n")
		if !r.Always || r.Broken == nil || !strings.Contains(r.Broken.Error(), "line 2") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a list that is not YAML is read as text and never matches", func(t *testing.T) {
		r := ReadRule("paths: [src/**\n")
		if !r.Never() || len(r.Mended) != 1 || r.Line != 1 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a number is no pattern", func(t *testing.T) {
		if r := ReadRule("paths: 1\n"); !r.Always || !r.NotText {
			t.Errorf("%+v", r)
		}
	})
	t.Run("an empty value is meant as always", func(t *testing.T) {
		if r := ReadRule("paths:\n"); !r.Always || r.NotText {
			t.Errorf("%+v", r)
		}
	})
	for text, why := range map[string]string{
		"./src/**": "folder .", "../x": "..", "#x": "comment", `a\`: "backslash",
		"[z-a].go": "valid range", "[я-а]": "not valid", "a//b": "empty name",
	} {
		t.Run(text+" never matches", func(t *testing.T) {
			r := FromFields(fields("paths", text))
			if !r.Never() || !strings.Contains(r.Patterns[0].Problem, why) {
				t.Errorf("%+v", r)
			}
		})
	}
	t.Run("one good pattern is enough", func(t *testing.T) {
		if r := FromFields(fields("paths", "./src/**, *.go")); r.Never() || !r.Match("a/b.go") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("patterns that only take away match nothing", func(t *testing.T) {
		if r := FromFields(fields("paths", "!a.go")); !r.Never() {
			t.Errorf("%+v", r)
		}
	})
	t.Run("braces left over are suspect", func(t *testing.T) {
		if r := FromFields(fields("paths", "{a,b")); r.Patterns[0].Suspect == "" || r.Never() {
			t.Errorf("%+v", r)
		}
	})
}

func fields(key, text string) frontmatter.Fields {
	return frontmatter.Fields{List: []frontmatter.Field{{Key: key, Line: 1, Value: frontmatter.Value{Kind: frontmatter.String, Text: text}}}}
}

func TestAPathOutsideNeverMatches(t *testing.T) {
	r := FromFields(fields("paths", "**/*"))
	for path, want := range map[string]bool{
		"a": true, "a/b": true, "./a": true, "a/../b": true,
		"": false, ".": false, "..": false, "../a": false, "a/../../b": false, "/a": false, "..foo": false,
	} {
		if got := r.Match(path); got != want {
			t.Errorf("%q: %v", path, got)
		}
	}
}

// TestNeverIsTrue holds the claim against random paths: what is said to match
// never matches none of them.
func TestNeverIsTrue(t *testing.T) {
	r := &rnd{rand.New(rand.NewPCG(5, 6))}
	for range 30_000 {
		text := r.pattern()
		p := compile(text)
		if path := r.path(); p.Problem != "" && match([]Pattern{p}, path) {
			t.Errorf("%q matches %q, though %s", text, path, p.Problem)
		}
	}
}

func TestBracesExpandWithinABudget(t *testing.T) {
	numbers := func(n int) string { return "{" + strings.Repeat("0,", n-1) + "0}" }
	ones := func(n int) string { return strings.Repeat("{a}", n) }
	for _, c := range []struct {
		name     string
		patterns []string
		want     int // patterns that come out
	}{
		{"1,000 patterns are expanded", []string{numbers(1000)}, 1000},
		{"1,001 are not", []string{numbers(1001)}, 1},
		{"a thousand in three steps", []string{numbers(10) + numbers(10) + numbers(10)}, 1000},
		{"the budget is the rule's", []string{numbers(600), numbers(401)}, 601},
		{"what does not fit costs nothing", []string{numbers(600), numbers(600), numbers(400)}, 1001},
		{"patterns without braces cost nothing", append(slices.Repeat([]string{"p"}, 1200), numbers(1000)), 2200},
		{"1,447 steps fit the work", []string{ones(1447) + "b"}, 1},
		{"100 long patterns fit", []string{numbers(100) + strings.Repeat("s", 41_126+200)}, 100},
		{"one unit more does not", []string{numbers(100) + strings.Repeat("s", 41_127+200)}, 1},
		{"Cyrillic letters count one", []string{numbers(100) + strings.Repeat("я", 41_126+200)}, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := expandAll(c.patterns); len(got) != c.want {
				t.Errorf("%d patterns, want %d", len(got), c.want)
			}
		})
	}
	if got := expandAll([]string{ones(1447)}); got[0] != strings.Repeat("a", 1447) {
		t.Error("1,447 braces of one part are expanded by the client")
	}
	if got := expandAll([]string{ones(1448)}); got[0] != ones(1448) {
		t.Error("1,448 are not")
	}
}

func TestExpansionKeepsPatternsWithoutBraces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOf(rapid.StringMatching(`[a-z*/.\[\]!,]{1,8}`)).Draw(t, "patterns")
		if d := cmp.Diff(in, expandAll(in)); d != "" && len(in) > 0 {
			t.Fatal(d)
		}
	})
}

func TestHostilePatternsTakeNoTime(t *testing.T) {
	long := "a" + strings.Repeat("/a", 2040)
	fill := func(s string) string { return strings.Repeat(s, 30_000/len(s)) }
	for _, unit := range []string{"*a", "**/", "/**", "?", "[a]", "[", "{a,b}", "{a", "{", "a,", "{a,b},", "\\", "\\\\", "(", "*", "a/", "!", "!a,", "/**/a", "{a,{b,", "[!a]*", " ", "{,}", "\\(a|"} {
		start := time.Now()
		r := FromFields(fields("paths", fill(unit)))
		r.Match(long)
		r.Match(strings.Repeat("a", 4000))
		if took := time.Since(start); took > hang {
			t.Errorf("%q, 30,000 characters of it, took %v", unit, took)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, s := range []string{"{a,b}{c,d}", "{a,{b,c}}.go", "{}", "{,}", "{a}}", "x{a,\nb}y\n{c}", "{{{{", "a,b,{c,d}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := expandAll(splitCommas(s))
		if len(out) > maxExpanded+len(s)+1 {
			t.Errorf("%q gives %d patterns", s, len(out))
		}
	})
}

func FuzzMatch(f *testing.F) {
	for _, s := range [][2]string{{"*.go", "a/b.go"}, {"src/**/x", "src/a/x"}, {`[\w-x]\d`, "a1"}, {`\\(a|b`, "a"}, {"!a", "a"}, {"**/a/", "b/a/c"}, {"[^", "x"}, {"a\\u0061{2}", "aa"}, {`\\|x//[]`, `\`}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		p := compile(pattern)
		if match([]Pattern{p}, path) && p.Problem != "" {
			t.Errorf("%q matches %q, though %s", pattern, path, p.Problem)
		}
	})
}

func BenchmarkMatchOneRule(b *testing.B) {
	r := FromFields(fields("paths", "src/**/*.{ts,tsx}, internal/**, *.go"))
	for b.Loop() {
		r.Match("web/app/components/Button/Button.test.tsx")
	}
}

func BenchmarkReadRule(b *testing.B) {
	for b.Loop() {
		ReadRule("description: x\npaths: src/**/*.{ts,tsx}, internal/**, *.go\n")
	}
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
