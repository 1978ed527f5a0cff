package claim

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// told writes what Across finds in words.
func told(sources []Source) []string {
	f := Across(sources)
	var out []string
	text := func(s, i int) string {
		if i < 0 {
			return sources[s].Lead
		}
		claims := sources[s].Claims
		if claims == nil {
			claims = Split(sources[s].Text)
		}
		return claims[i].Text
	}
	for _, p := range f.Pairs {
		out = append(out, fmt.Sprintf("%s: %s %q, %s %q", p.Kind, sources[p.A].Name, text(p.A, p.InA), sources[p.B].Name, text(p.B, p.InB)))
	}
	for _, t := range f.Twins {
		out = append(out, fmt.Sprintf("twins, %s: %s, %s", t.Kind, sources[t.A].Name, sources[t.B].Name))
	}
	return out
}

func TestSourcesAreComparedWithEachOther(t *testing.T) {
	t.Parallel()
	note := func(name, text string) Source { return Source{Name: name, Text: text} }
	fixed := func(name, text string) Source { return Source{Name: name, Text: text, Fixed: true} }
	tests := []struct {
		name    string
		sources []Source
		want    []string
	}{
		{"nothing", nil, nil},
		{
			"a note against instructions, and one on another matter",
			[]Source{fixed("CLAUDE.md", "# Build\n\n- Use npm for installs.\n"), note("pnpm.md", "Always use pnpm.\n"), note("ci.md", "CI cache key must include the npm version.\n")},
			[]string{`conflict: CLAUDE.md "Use npm for installs.", pnpm.md "Always use pnpm."`},
		},
		{
			"one rule three times, and another for CI",
			[]Source{note("a.md", "Never run the full test suite locally."), note("b.md", "Do not run all tests on this machine."), note("c.md", "Full test suite locally: no"), note("d.md", "Run the full test suite in CI before merge.")},
			[]string{"twins, same: a.md, b.md", "twins, same: a.md, c.md", "twins, same: b.md, c.md"},
		},
		{
			"an older rule and a newer one",
			[]Source{note("a.md", "Integration tests must use a real database."), note("b.md", "From now on use the in-memory DB for tests.")},
			[]string{`conflict: a.md "Integration tests must use a real database.", b.md "From now on use the in-memory DB for tests."`},
		},
		{
			"the same text",
			[]Source{note("a.md", "Deploys go out on Tuesday.\nAsk Marta."), note("b.md", "- Deploys go out on Tuesday.\n- Ask Marta")},
			[]string{"twins, exact: a.md, b.md"},
		},
		{
			"a copy in which one number is another",
			[]Source{note("a.md", "The billing API listens on port 8080.\nThe billing team sits in Lviv."), note("b.md", "The billing API listens on port 8081.\nThe billing team sits in Lviv.")},
			[]string{`conflict: a.md "The billing API listens on port 8080.", b.md "The billing API listens on port 8081."`, `exact: a.md "The billing team sits in Lviv.", b.md "The billing team sits in Lviv."`},
		},
		{
			"all that another note says, and more",
			[]Source{note("a.md", "Invoices are rounded to cents."), note("b.md", "Invoices are rounded to cents.\nRefunds need two signatures.\nThe ledger closes at midnight.")},
			[]string{"twins, within: a.md, b.md"},
		},
		{"two files of instructions are not compared", []Source{fixed("a.md", "Use npm."), fixed("b.md", "Use pnpm.")}, nil},
		{"one source is not compared with itself", []Source{note("a.md", "Use npm. Use pnpm.")}, nil},
		{
			"the same fact in a note and in instructions",
			[]Source{fixed("CLAUDE.md", "Never log card numbers."), note("a.md", "Why: the auditors read the logs.\nNever log card numbers!")},
			[]string{`exact: CLAUDE.md "Never log card numbers.", a.md "Never log card numbers!"`},
		},
		{
			"fields of two things",
			[]Source{note("postgres.md", "port: 5432"), note("redis.md", "port: 6379")},
			nil,
		},
		{
			"fields of one thing",
			[]Source{note("postgres_port.md", "port: 5432"), note("postgres_setup.md", "port: 5433")},
			[]string{`conflict: postgres_port.md "port: 5432", postgres_setup.md "port: 5433"`},
		},
		{
			"the line of an index for a note",
			[]Source{note("MEMORY.md", "- [Rounding](rounding.md) — invoices are rounded to whole cents"), {Name: "rounding.md", Lead: "Invoices are rounded to whole cents", Text: "Ask Marta why."}},
			nil,
		},
		{
			"a lead counts as a statement",
			[]Source{{Name: "a.md", Lead: "Releases go out on Tuesday", Text: "x"}, note("b.md", "Releases go out on Thursday.")},
			[]string{`conflict: a.md "Releases go out on Tuesday", b.md "Releases go out on Thursday."`},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, told(tt.sources)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// statements are texts on few matters, so that a draw of some has findings.
func statements() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{
		"Use npm.", "Always use pnpm.", "Never use npm.", "The API listens on port 8080.", "API port: 9090", "Indent with tabs.", "Use 2 spaces for indentation.",
		"Never commit secrets.", "Commit secrets.", "Run the tests in CI.", "Never run the tests locally.", "Marta owns billing.", "Billing owner: Jonas", "x", "Why: y",
		"Ніколи не коміть секрети.", "Порт API: 9090", "Reviews are required.", "Reviews are optional.", "Lint before testing.", "Lint after testing.",
	})
}

func drawSources(t *rapid.T) []Source {
	var out []Source
	for i := range rapid.IntRange(0, 7).Draw(t, "n") {
		text := strings.Join(rapid.SliceOfN(statements(), 0, 4).Draw(t, "text"), "\n\n")
		out = append(out, Source{Name: fmt.Sprintf("%d.md", i), Lead: rapid.SampledFrom([]string{"", "Use npm", "API port: 9091"}).Draw(t, "lead"), Text: text, Fixed: i == 3})
	}
	return out
}

func TestTheOrderOfTheSourcesChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sources := drawSources(t)
		want := told(sources)
		shuffled := rapid.Permutation(sources).Draw(t, "order")
		if diff := cmp.Diff(want, told(shuffled)); diff != "" {
			t.Fatalf("(-first +shuffled):\n%s", diff)
		}
	})
}

func TestAPairIsOfTwoSourcesAndStandsInTheirOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sources := drawSources(t)
		for _, p := range Across(sources).Pairs {
			if sources[p.A].Name >= sources[p.B].Name || sources[p.A].Fixed && sources[p.B].Fixed || p.Kind <= Complement || p.Why == "" {
				t.Fatalf("%+v", p)
			}
		}
	})
}

func TestAComparisonIsTheSameFromBothSides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := statements().Draw(t, "a"), statements().Draw(t, "b")
		checkMirror(t, a, b)
	})
}

func checkMirror(t interface{ Fatalf(string, ...any) }, a, b string) {
	there, back := Compare(a, b), Compare(b, a)
	if there.Kind != back.Kind || there.mirrored().More != back.More || there.Score < 0 || there.Score > 1 {
		t.Fatalf("%q and %q: %+v one way, %+v the other", a, b, there, back)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("Use npm for installs.", "Always use pnpm.")
	f.Add("port: 5432", "The port is `5433`")
	f.Add("Never `make test` unless CI; (30 s)", "не менше 80 відсотків — ні")
	f.Add("not not not no: no", "without except: off")
	f.Fuzz(func(t *testing.T, a, b string) {
		checkMirror(t, a, b)
		Across([]Source{{Name: "a", Text: a, Lead: b}, {Name: "b", Text: b, Fixed: true}})
	})
}

func TestHostileInputIsCompared(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	same := make([]Source, 10000)
	for i := range same {
		same[i] = Source{Name: fmt.Sprint(i), Text: "The API listens on port 8080. Use pnpm."}
	}
	numbers := make([]Source, 5000)
	for i := range numbers {
		numbers[i] = Source{Name: fmt.Sprint(i), Text: fmt.Sprintf("The API listens on port %d. Use pnpm.", i)}
	}
	words := make([]Source, 3000)
	for i := range words {
		f := strings.Fields(strings.Repeat("alpha beta gamma delta kappa ", 6))
		r.Shuffle(len(f), func(i, j int) { f[i], f[j] = f[j], f[i] })
		words[i] = Source{Name: fmt.Sprint(i), Text: strings.Join(f, " ")}
	}
	big := []Source{{Name: "a", Text: strings.Repeat("The cache holds 30 items. Never! ", 30000)}, {Name: "b", Text: strings.Repeat("(", 1<<19) + strings.Repeat("`a b", 1<<17)}}
	for name, sources := range map[string][]Source{"copies": same, "a number each": numbers, "the same words": words, "large": big} {
		f := Across(sources)
		if name == "copies" && len(f.Twins) != len(same)-1 {
			t.Errorf("%d copies make %d twins", len(same), len(f.Twins))
		}
		if len(f.Pairs) > 40*len(sources) {
			t.Errorf("%s: %d pairs of %d sources", name, len(f.Pairs), len(sources))
		}
	}
}
