package doctor_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/doctor"
)

var update = flag.Bool("update", false, "write docs/rules.md anew")

// parts are the leads of a page's paragraphs, in their order.
func parts() []string {
	return []string{"**What it means.** ", "**Example.**", "**Mend it.** ", "**When to leave it.** ", "**What decides.** "}
}

func TestEveryRuleHasAPage(t *testing.T) {
	t.Parallel()
	for _, r := range doctor.Rules() {
		page, ok := doctor.Explain(r.ID)
		if !ok {
			t.Errorf("%s: no page explain/%s.md", r.ID, r.ID)
			continue
		}
		for _, line := range flaws(r, page) {
			t.Errorf("%s: %s", r.ID, line)
		}
	}
}

// flaws returns one line for each thing that a page lacks.
func flaws(r doctor.Rule, page string) []string {
	var out []string
	if want := "# " + r.ID + ": " + r.Title + "\n\n"; !strings.HasPrefix(page, want) {
		out = append(out, fmt.Sprintf("does not begin with %q", want))
	}
	at := 0
	for _, part := range parts() {
		n := strings.Index(page[at:], "\n\n"+part)
		if n < 0 {
			out = append(out, fmt.Sprintf("no paragraph %q in its place", part))
			break
		}
		at += n
	}
	if n := strings.Count(page, "\n"); n < 8 || n > 25 {
		out = append(out, fmt.Sprintf("%d lines, want 8 to 25", n))
	}
	for line := range strings.Lines(page) {
		if len([]rune(line)) > 112 {
			out = append(out, "a long line: "+line)
		}
	}
	if !strings.Contains(page, "- {rule: "+r.ID+", place: ") {
		out = append(out, "does not show how to pass it over")
	}
	return out
}

func TestFlawsOfPagesAreFound(t *testing.T) {
	t.Parallel()
	r := doctor.Rules()[0]
	good, _ := doctor.Explain(r.ID)
	if have := flaws(r, good); have != nil {
		t.Fatalf("flaws = %q", have)
	}
	for name, page := range map[string]string{
		"another title":       strings.Replace(good, r.Title, "x", 1),
		"a part that is gone": strings.Replace(good, "**Mend it.**", "", 1),
		"parts out of order":  strings.Replace(strings.Replace(good, "**Mend it.** ", "**What decides.** ", 1), "**What decides.** ", "**Mend it.** ", 2),
		"too long":            good + strings.Repeat("\n", 26),
		"a long line":         good + strings.Repeat("a", 113),
		"another rule's id":   strings.ReplaceAll(good, "{rule: "+r.ID, "{rule: x"),
	} {
		if flaws(r, page) == nil {
			t.Errorf("%s: no flaw", name)
		}
	}
}

func TestEveryPageHasARule(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("explain/*")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		id, isPage := strings.CutSuffix(filepath.Base(f), ".md")
		if !isPage || !slices.ContainsFunc(doctor.Rules(), func(r doctor.Rule) bool { return r.ID == id }) {
			t.Errorf("%s is no page of a rule", f)
		}
	}
}

func TestExplainOfWhatIsNoRule(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"", "no-such-rule", "../explain/secret", ".", "secret.md", "Secret", "se\x00cret", strings.Repeat("a", 1<<20)} {
		if page, ok := doctor.Explain(id); ok || page != "" {
			t.Errorf("Explain(%.20q) = %.40q, %v", id, page, ok)
		}
	}
}

func TestIDsAreKept(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range doctor.Rules() {
		if seen[r.ID] || r.Title == "" || !r.Severity.AtLeast(doctor.Info) || !slices.Contains([]doctor.Group{doctor.Forgetting, doctor.Rot, doctor.Safety}, r.Group) {
			t.Errorf("%+v", r)
		}
		seen[r.ID] = true
	}
}

// TestDocsListTheRules compares docs/rules.md with what it is made from. It is
// written anew by: go test ./doctor -run Docs -update.
func TestDocsListTheRules(t *testing.T) {
	t.Parallel()
	const file = "../docs/rules.md"
	want := rulesPage()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("go test ./doctor -run Docs -update writes it anew (-want +got):\n%s", diff)
	}
}

func rulesPage() string {
	var b strings.Builder
	rules := doctor.Rules()
	fmt.Fprintf(&b, "# The rules of `dormouse doctor`\n\n<!-- Made by: go test ./doctor -run Docs -update. Change doctor/rules.go or doctor/explain/ID.md. -->\n\n"+
		"%d rules. `dormouse doctor --explain ID` prints the same page. How to use the command: [doctor.md](doctor.md).\n"+
		"A finding can be milder or worse than its rule usually is.\n", len(rules))
	titles := map[doctor.Group]string{
		doctor.Forgetting: "Why does the agent forget?", doctor.Rot: "What is no longer true, or said twice?", doctor.Safety: "Is it safe?",
	}
	for _, g := range []doctor.Group{doctor.Forgetting, doctor.Rot, doctor.Safety} {
		fmt.Fprintf(&b, "\n## %s (%s)\n\n| rule | usually | what |\n|---|---|---|\n", titles[g], g)
		for _, r := range rules {
			if r.Group == g {
				fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Title)
			}
		}
	}
	for _, r := range rules {
		page, _ := doctor.Explain(r.ID)
		_, body, _ := strings.Cut(page, "\n")
		fmt.Fprintf(&b, "\n## %s\n\n%s. Usually: %s.\n%s", r.ID, r.Title, r.Severity, body)
	}
	return b.String()
}
