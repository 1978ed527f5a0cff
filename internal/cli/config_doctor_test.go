package cli

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/doctor"
)

func TestWhatDoctorIgnoresIsReadFromTheConfiguration(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []ignoreRule
	}{
		{"an item with its fields", `trust:
  held: report
doctor:
  ignore:
    - rule: stale-path
      place: notes/old-*.md      # kept
      reason: kept as history
    # a remark
    - reason: "a team's rule"
      rule: secret
      place: "**/CLAUDE.md"
`, []ignoreRule{
			{"stale-path", "notes/old-*.md", "kept as history", 5},
			{"secret", "**/CLAUDE.md", "a team's rule", 9},
		}},
		{"an item in braces", "doctor:\n  ignore:\n    - {rule: old-note, place: \"user_*.md\", reason: taste does not age}\n", []ignoreRule{{"old-note", "user_*.md", "taste does not age", 3}}},
		{"a place below the home folder", "doctor:\n  ignore:\n  - rule: old-note\n    place: ~/a b/*.md\n    reason: r\n", []ignoreRule{{"old-note", "/home/[[]u]/a b/*.md", "r", 3}}},
		{"a folder below the home folder", "doctor:\n  ignore:\n  - rule: old-note\n    place: ~/a/\n    reason: r\n", []ignoreRule{{"old-note", "/home/[[]u]/a/", "r", 3}}},
		{"Windows line ends", "doctor:\r\n  ignore:\r\n    - rule: old-note\r\n      place: a.md\r\n      reason: r\r\n", []ignoreRule{{"old-note", "a.md", "r", 3}}},
		{"nothing below ignore", "doctor:\n  ignore:\n", nil},
		{"an empty list", "doctor:\n  ignore: []\n", nil},
		{"nothing below doctor", "doctor:\n", nil},
		{"no doctor", "trust:\n  held: report\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			conf := &config{path: "c.yaml", home: "/home/[u]"}
			if err := conf.read(tt.text); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, conf.ignore); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAWrongIgnoreIsRefusedWithItsLine(t *testing.T) {
	t.Parallel()
	item := func(rule, place, reason string) string {
		return fmt.Sprintf("doctor:\n  ignore:\n    - rule: %s\n      place: %s\n      reason: %s\n", rule, place, reason)
	}
	tests := []struct{ name, text, want string }{
		{"an unknown rule", item("stale-paths", "a.md", "r"), `line 3: "rule" names no rule: stale-paths`},
		{"a rule in capitals", item("SECRET", "a.md", "r"), `line 3: "rule" names no rule: SECRET`},
		{"every rule at once", item(`"*"`, "a.md", "r"), `line 3: "rule" names no rule: *`},
		{"no reason", "doctor:\n  ignore:\n    - rule: secret\n      place: a.md\n", "line 3: what doctor is to ignore needs a reason"},
		{"a blank reason", item("secret", "a.md", `" "`), `line 5: "reason" has no text`},
		{"a reason that is no text", item("secret", "a.md", "12"), `line 5: "reason" has no text`},
		{"an empty reason", item("secret", "a.md", ""), `line 5: "reason" has no text`},
		{"no place", "doctor:\n  ignore:\n    - rule: secret\n      reason: r\n", "line 3: what doctor is to ignore needs a place"},
		{"no rule", "doctor:\n  ignore:\n    - reason: r\n      place: a.md\n", "line 3: what doctor is to ignore needs a rule"},
		{"a glob that does not end", item("secret", `"a[.md"`, "r"), `line 4: "place" is no glob: a[.md (syntax error in pattern)`},
		{"a place above", item("secret", "../a.md", "r"), `line 4: "place" is no glob: ../a.md (a place is absolute or below the project or the memory folder)`},
		{"another key", "doctor:\n  ignore:\n    - rule: secret\n      place: a.md\n      line: 3\n", `line 5: "line" is not known; there are rule, place and reason`},
		{"a text in place of an item", "doctor:\n  ignore:\n    - secret a.md\n", `line 2: "ignore" is a list, each item with rule, place and reason`},
		{"a map in place of the list", "doctor:\n  ignore:\n    rule: secret\n", `line 2: "ignore" is a list`},
		{"another key of doctor", "doctor:\n  ignored: []\n", `line 2: "ignored" is not known; there is ignore`},
		{"a key that nobody knows", "doctors:\n  ignore: []\n", `line 1: "doctors" is not known; there are trust, doctor, dream and recall`},
		{"a star without quotes is no YAML", item("secret", "*.md", "r"), "can't be read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			conf := &config{path: "c.yaml"}
			err := conf.read(tt.text)
			if err == nil || !strings.Contains(err.Error(), "the configuration c.yaml") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestTheIgnoreOfEachPageCanBeUsed(t *testing.T) {
	t.Parallel()
	for _, r := range doctor.Rules() {
		page, _ := doctor.Explain(r.ID)
		for line := range strings.Lines(page) {
			item, ok := strings.CutPrefix(line, "    - {rule: ")
			if !ok {
				continue
			}
			conf := &config{path: "c.yaml"}
			if err := conf.read("doctor:\n  ignore:\n    - {rule: " + item); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
			if len(conf.ignore) != 1 || conf.ignore[0].Rule != r.ID {
				t.Errorf("%s: %v", r.ID, conf.ignore)
			}
		}
	}
}

func TestTheIgnoresOfTheDocumentationCanBeRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "    doctor:\n")
	block, _, _ := strings.Cut("    doctor:\n"+rest, "\n\n")
	conf := &config{path: "c.yaml", home: "/home/u"}
	if err := conf.read(strings.ReplaceAll(block, "\n    ", "\n")[len("    "):]); err != nil || len(conf.ignore) < 2 {
		t.Errorf("%v, %v in %q", err, conf.ignore, block)
	}
}

func TestAPlaceMatchesBelowProjectAndStore(t *testing.T) {
	t.Parallel()
	const project, store = "/w/app", "/h/.claude/projects/-w-app/memory"
	tests := []struct {
		name, place, path string
		want              bool
	}{
		{"a note by its name", "old-*.md", store + "/old-a.md", true},
		{"a note in a subfolder, by its whole path", "notes/old-*.md", store + "/notes/old-a.md", true},
		{"a star does not cross a slash", "notes-*.md", store + "/notes-a/b.md", false},
		{"the name alone does not match below", "old-*.md", store + "/notes/old-a.md", false},
		{"two stars match at any depth", "**/old-*.md", store + "/a/b/old-a.md", true},
		{"two stars match at no depth", "**/old-*.md", store + "/old-a.md", true},
		{"two stars in between", "docs/**/x.md", project + "/docs/a/b/x.md", true},
		{"two stars in between, nothing there", "docs/**/x.md", project + "/docs/x.md", true},
		{"a folder with all below", "docs/", project + "/docs/a/x.md", true},
		{"a folder with all below, by stars", "docs/**", project + "/docs/x.md", true},
		{"the folder itself is not below it", "docs/**", project + "/docs", false},
		{"all", "**", project + "/a/b.md", true},
		{"a file of the project", "CLAUDE.md", project + "/CLAUDE.md", true},
		{"a file beside the project", "CLAUDE.md", "/w/app2/CLAUDE.md", false},
		{"all is all of this project and store only", "**", "/w/app2/CLAUDE.md", false},
		{"a question mark", "?.md", store + "/a.md", true},
		{"a class", "[ab].md", store + "/b.md", true},
		{"a sign that the place escapes", `a\*.md`, store + "/ab.md", false},
		{"absolute", "/w/*/CLAUDE.md", "/w/app/CLAUDE.md", true},
		{"absolute, outside both", "/h/.claude/CLAUDE.md", "/h/.claude/CLAUDE.md", true},
		{"absolute, of another project", "/w/x/**", "/w/app/CLAUDE.md", false},
		{"case is told apart", "claude.md", project + "/CLAUDE.md", false},
		{"nowhere", "**", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			i := ignoreRule{Rule: "secret", Place: tt.place}
			f := &doctor.Finding{Rule: "secret", Place: doctor.Place{Path: filepath.FromSlash(tt.path), Line: 3}}
			if have := i.matches(f, project, store); have != tt.want {
				t.Errorf("matches = %v, want %v", have, tt.want)
			}
			if i.Rule = "old-note"; i.matches(f, project, store) {
				t.Error("another rule matches too")
			}
		})
	}
}

func TestWithoutAStoreOnlyTheProjectCounts(t *testing.T) {
	t.Parallel()
	f := &doctor.Finding{Rule: "secret", Place: doctor.Place{Path: "/w/app/CLAUDE.md"}}
	if i := (ignoreRule{Rule: "secret", Place: "**"}); !i.matches(f, "/w/app", "") || i.matches(f, "", "") {
		t.Error("an empty folder matches, or the project does not")
	}
}

// slowMatch is globMatch in its plainest form.
func slowMatch(g, n []string) bool {
	if len(g) == 0 {
		return len(n) == 0
	}
	if g[0] == "**" {
		for k := range n {
			if len(g) > 1 && slowMatch(g[1:], n[k:]) {
				return true
			}
		}
		return len(g) == 1 && len(n) > 0
	}
	if len(n) == 0 {
		return false
	}
	ok, _ := path.Match(g[0], n[0])
	return ok && slowMatch(g[1:], n[1:])
}

func TestGlobMatchAgreesWithThePlainWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SliceOfN(rapid.SampledFrom([]string{"**", "*", "a", "a*", "b"}), 1, 6).Draw(t, "glob")
		n := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab"}), 1, 7).Draw(t, "name")
		if have, want := globMatch(strings.Join(g, "/"), strings.Join(n, "/")), slowMatch(g, n); have != want {
			t.Fatalf("globMatch(%v, %v) = %v, want %v", g, n, have, want)
		}
	})
}

func TestPassedOverFindingsKeepTheReasonAndUnusedIgnoresAreTold(t *testing.T) {
	t.Parallel()
	at := func(rule, path string) doctor.Finding {
		return doctor.Finding{Rule: rule, Place: doctor.Place{Path: path}}
	}
	rep := &doctor.Report{
		Project: "/w/sub", Root: "/w", Store: "/s",
		Findings: []doctor.Finding{at("secret", "/w/a.md"), at("old-note", "/s/b.md"), at("old-note", "/s/c.md")},
	}
	ignore := []ignoreRule{
		{"old-note", "b.md", "taste", 1},
		{"old-note", "?.md", "more", 2},
		{"secret", "x.md", "r", 3},
		{"secret", "/other/x.md", "another project's", 4},
		{"secret", "/w/*.txt", "r", 5},
		{"secret", "/*/x", "r", 6},
		{"old-note", "b*", "for the same", 7},
	}
	used := passOver(rep, ignore, "/w", "/s")
	if diff := cmp.Diff([]bool{true, true, false, false, false, false, true}, used); diff != "" {
		t.Errorf("used (-want +got):\n%s", diff)
	}
	var have []string
	for _, f := range rep.Findings {
		have = append(have, f.Place.Path)
	}
	for _, s := range rep.Suppressed {
		have = append(have, s.Place.Path+" "+s.Reason)
	}
	if diff := cmp.Diff([]string{"/w/a.md", "/s/b.md taste", "/s/c.md more"}, have); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var lines []int
	for _, i := range unusedIgnores(ignore, used, "/w", "/s") {
		lines = append(lines, i.Line)
	}
	if diff := cmp.Diff([]int{3, 5, 6}, lines); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
}

func TestWithNothingToIgnoreAReportStaysAsItIs(t *testing.T) {
	t.Parallel()
	rep := &doctor.Report{Findings: []doctor.Finding{{Rule: "secret"}}}
	if used := passOver(rep, nil, "/w", ""); len(used) != 0 || len(rep.Findings) != 1 || rep.Suppressed != nil {
		t.Errorf("%v, %+v", used, rep)
	}
}
