package sarif_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"dormouse/doctor"
	"dormouse/doctor/sarif"
)

// schema reads the schema of the standard.
func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	const name = "testdata/sarif-schema-2.1.0.json"
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // only read
	doc, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func valid(s *jsonschema.Schema, text []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// fataler is a test, of this or the generating kind.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func write(t fataler, rep *doctor.Report, o sarif.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := sarif.Write(&b, rep, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// full is a report that has all there can be.
func full() *doctor.Report {
	return &doctor.Report{
		Project: "/home/eve/app/web", Root: "/home/eve/app",
		Findings: []doctor.Finding{
			{
				ID: "0123456789ab", Rule: "import-punctuation", Group: doctor.Forgetting, Severity: doctor.Error,
				Message:  "docs/a b.md:3 imports @x.md, which finds no file",
				Place:    doctor.Place{Path: "/home/eve/app/docs/a b.md", Line: 3, Column: 7, Text: "See @x.md,"},
				Related:  []doctor.Related{{Place: doctor.Place{Path: "/home/eve/.claude/CLAUDE.md", Line: 2}, Role: "imports it"}},
				Evidence: []string{"x.md is there"},
				Fix:      &doctor.Fix{Title: "put a space in front", Safe: true, Command: "dormouse doctor --fix", Applies: true},
			},
			{ID: "0123456789ac", Rule: "stale-path", Severity: doctor.Warning, Message: "old", Place: doctor.Place{Path: "/home/eve/.claude/projects/-home-eve-app/memory/n.md", Line: 4}},
			{ID: "0123456789ad", Rule: "old-note", Severity: doctor.Info, Message: "as a whole", Place: doctor.Place{Path: "/home/eve/app/memory/n.md", Column: 9}},
			{ID: "0123456789ae", Rule: "not-in-the-table", Severity: doctor.Info, Message: "of a later version, nowhere"},
		},
		Suppressed: []doctor.Suppressed{{
			Finding: doctor.Finding{ID: "0123456789af", Rule: "time-bound", Severity: doctor.Warning, Message: "m", Place: doctor.Place{Path: "/home/eve/app/CLAUDE.md", Line: 1}},
			Reason:  "kept as history",
		}},
		Checked: doctor.Checked{Rules: 54, Notes: 3},
		Skipped: []string{"branches were not looked up: git is not there"},
	}
}

// got is what a consumer reads.
type got struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Version string
				Rules   []struct {
					ID, Name                          string
					ShortDescription, FullDescription struct{ Text string }
					Help                              struct{ Text, Markdown string }
					DefaultConfiguration              struct{ Level string }
					Properties                        struct{ Tags []string }
				}
			}
		}
		Invocations []struct {
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		OriginalURIBaseIDs map[string]struct{ URI string } `json:"originalUriBaseIds"`
		ColumnKind         string
		Results            []struct {
			RuleID              string `json:"ruleId"`
			RuleIndex           *int
			Level               string
			Message             struct{ Text string }
			Locations           []place
			RelatedLocations    []place
			PartialFingerprints map[string]string
			Suppressions        []struct{ Kind, Justification string }
			Properties          map[string]any
		}
	}
}

type place struct {
	ID               *int
	Message          struct{ Text string }
	PhysicalLocation *struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           *struct{ StartLine, StartColumn int }
	}
}

func read(t testing.TB, text []byte) got {
	t.Helper()
	var g got
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestOutputIsValidBySARIFsOwnSchema(t *testing.T) {
	t.Parallel()
	s := schema(t)
	tests := []struct {
		name string
		rep  *doctor.Report
		o    sarif.Options
	}{
		{"all there can be", full(), sarif.Options{Version: "0.3.0", Base: "/home/eve/app"}},
		{"private", full(), sarif.Options{Base: "/home/eve/app", Private: true}},
		{"base is the repository where none is given", full(), sarif.Options{}},
		{"a base with signs that a URI can't hold", full(), sarif.Options{Base: `C:\My App#1`}},
		{"a clean bill", &doctor.Report{Project: "/p"}, sarif.Options{}},
		{"an empty report", &doctor.Report{}, sarif.Options{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if err := valid(s, write(t, tt.rep, tt.o)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTheSchemaRefusesWhatIsWrong(t *testing.T) {
	t.Parallel()
	text := string(write(t, full(), sarif.Options{}))
	s := schema(t)
	for _, change := range [][2]string{{`"level": "error"`, `"level": "info"`}, {`"startLine": 3`, `"startLine": 0`}, {`"runs": [`, `"runz": [`}, {"docs/a%20b.md", "docs/a%2.md"}} {
		wrong := strings.Replace(text, change[0], change[1], 1)
		if wrong == text {
			t.Fatalf("%s is not in the output", change[0])
		}
		if valid(s, []byte(wrong)) == nil {
			t.Errorf("%s is taken", change[1])
		}
	}
}

func TestAnyReportGivesValidOutput(t *testing.T) {
	t.Parallel()
	s := schema(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[\[\](){}0-9 a]{0,12}`), rapid.Just("\xff\x1b[31m\u202e"))
		path := rapid.OneOf(rapid.SampledFrom([]string{"", "/p", "/p/a:b", "/p/../x", "/q", `C:\x y`, `\\host\s`, "rel", "/p/\xff", "//a//b"}), text)
		at := func() doctor.Place {
			return doctor.Place{Path: path.Draw(t, "path"), Line: rapid.IntRange(0, 9).Draw(t, "line"), Column: rapid.IntRange(0, 9).Draw(t, "column"), Text: text.Draw(t, "text")}
		}
		f := doctor.Finding{
			ID: text.Draw(t, "id"), Rule: rapid.SampledFrom([]string{"secret", "x"}).Draw(t, "rule"), Severity: doctor.Severity(rapid.SampledFrom([]string{"error", "info", ""}).Draw(t, "severity")),
			Message: text.Draw(t, "message"), Place: at(), Related: []doctor.Related{{Place: at(), Role: text.Draw(t, "role")}},
		}
		rep := &doctor.Report{Project: "/p", Findings: []doctor.Finding{f}, Suppressed: []doctor.Suppressed{{Finding: f, Reason: text.Draw(t, "reason")}}, Skipped: []string{text.Draw(t, "skipped")}}
		o := sarif.Options{Base: path.Draw(t, "base"), Private: rapid.Bool().Draw(t, "private")}
		out := write(t, rep, o)
		if err := valid(s, out); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, r := range regexp.MustCompile(`"uri": "(.*)"`).FindAllSubmatch(out, -1) {
			if !regexp.MustCompile(`^[A-Za-z0-9._~/:%-]+$`).Match(r[1]) {
				t.Fatalf("%s is no URI", r[1])
			}
		}
		if again := write(t, rep, o); !bytes.Equal(out, again) {
			t.Fatal("the same report is printed in two ways")
		}
	})
}

// line is a place in short: "base|uri:line:column", "" for none.
func (p place) line() string {
	if p.PhysicalLocation == nil {
		return ""
	}
	a := p.PhysicalLocation.ArtifactLocation
	at := a.URIBaseID + "|" + a.URI
	if r := p.PhysicalLocation.Region; r != nil {
		at += fmt.Sprintf(":%d:%d", r.StartLine, r.StartColumn)
	}
	return at
}

func TestPlacesAreRelativeToTheBaseOrFileURIs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, base, path string
		line, column     int
		want             string
	}{
		{"below the base", "/home/eve/app", "/home/eve/app/docs/x.md", 3, 7, "%SRCROOT%|docs/x.md:3:7"},
		{"a base with a slash at its end", "/home/eve/app/", "/home/eve/app/x.md", 1, 0, "%SRCROOT%|x.md:1:0"},
		{"the file system's top as base", "/", "/etc/x.md", 1, 0, "%SRCROOT%|etc/x.md:1:0"},
		{"signs that a URI can't hold", "/p", "/p/a b/100%#?.md", 0, 0, "%SRCROOT%|a%20b/100%25%23%3F.md"},
		{"a first name with a colon is no scheme", "/p", "/p/http:x.md", 0, 0, "%SRCROOT%|http%3Ax.md"},
		{"letters of other scripts, byte by byte", "/p", "/p/ї.md", 0, 0, "%SRCROOT%|%D1%97.md"},
		{"a byte that is no UTF-8", "/p", "/p/\xff.md", 0, 0, "%SRCROOT%|%FF.md"},
		{"a folder beside the base that begins like it", "/home/eve/app", "/home/eve/app2/x.md", 2, 0, "|file:///home/eve/app2/x.md:2:0"},
		{"a way out of the base", "/p", "/p/../etc/x.md", 0, 0, "|file:///p/../etc/x.md"},
		{"outside the base", "/p", "/home/eve/.claude/CLAUDE.md", 2, 5, "|file:///home/eve/.claude/CLAUDE.md:2:5"},
		{"the base itself", "/p", "/p", 0, 0, "%SRCROOT%|./"},
		{"no line, so no column either", "/p", "/p/x", 0, 4, "%SRCROOT%|x"},
		{"Windows, below", `C:\src\app`, `C:\src\app\docs\x y.md`, 1, 0, "%SRCROOT%|docs/x%20y.md:1:0"},
		{"Windows, outside", `C:\src\app`, `D:\x.md`, 1, 0, "|file:///D:/x.md:1:0"},
		{"a share", `C:\src`, `\\host\share\x.md`, 1, 0, "|file://host/share/x.md:1:0"},
		{"nowhere", "/p", "", 3, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := &doctor.Report{Project: "/other", Findings: []doctor.Finding{{Rule: "secret", Place: doctor.Place{Path: tt.path, Line: tt.line, Column: tt.column}}}}
			have := ""
			for _, p := range read(t, write(t, rep, sarif.Options{Base: tt.base})).Runs[0].Results[0].Locations {
				have += p.line()
			}
			if have != tt.want {
				t.Errorf("place = %s, want %s", have, tt.want)
			}
		})
	}
}

func TestPrivateKeepsPlacesOutsideOnlyInTheMessage(t *testing.T) {
	t.Parallel()
	text := write(t, full(), sarif.Options{Base: "/home/eve/app", Private: true})
	if bytes.Contains(text, []byte("/home/eve")) {
		t.Errorf("the output names the home folder:\n%s", text)
	}
	run := read(t, text).Runs[0]
	if b := run.OriginalURIBaseIDs["%SRCROOT%"]; b.URI != "" {
		t.Errorf("the base has the address %s", b.URI)
	}
	if r := run.Results[1]; r.Locations != nil || r.Message.Text != "old (n.md:4)" {
		t.Errorf("outside: %v %q", r.Locations, r.Message.Text)
	}
	if r := run.Results[0].RelatedLocations[0]; r.PhysicalLocation != nil || r.Message.Text != "imports it (CLAUDE.md:2)" || *r.ID != 1 {
		t.Errorf("related: %+v", r)
	}
	if have := run.Results[0].Locations[0].line(); have != "%SRCROOT%|docs/a%20b.md:3:7" {
		t.Errorf("inside: %s", have)
	}
}

func TestPrivateDoesNotNameAPlaceTwice(t *testing.T) {
	t.Parallel()
	rep := &doctor.Report{Project: "/p", Findings: []doctor.Finding{{Rule: "secret", Message: "n.md:4 holds a token", Place: doctor.Place{Path: "/q/n.md", Line: 4}}}}
	if have := read(t, write(t, rep, sarif.Options{Private: true})).Runs[0].Results[0].Message.Text; have != "n.md:4 holds a token" {
		t.Errorf("message = %q", have)
	}
}

func TestResultsSayWhatTheFindingsSay(t *testing.T) {
	t.Parallel()
	run := read(t, write(t, full(), sarif.Options{Version: "0.3.0"})).Runs[0]
	if run.ColumnKind != "unicodeCodePoints" || run.Tool.Driver.Version != "0.3.0" {
		t.Errorf("columns in %s, version %s", run.ColumnKind, run.Tool.Driver.Version)
	}
	if have := run.Invocations[0].ToolExecutionNotifications[0].Message.Text; have != full().Skipped[0] {
		t.Errorf("not checked: %q", have)
	}
	var have []string
	for _, r := range run.Results {
		line := r.Level + " " + r.RuleID + " " + r.PartialFingerprints["dormouse/v1"]
		if r.RuleIndex != nil && run.Tool.Driver.Rules[*r.RuleIndex].ID != r.RuleID {
			line += " with another rule's index"
		}
		if r.RuleIndex == nil {
			line += " of no rule"
		}
		for _, s := range r.Suppressions {
			line += " " + s.Kind + ": " + s.Justification
		}
		have = append(have, line)
	}
	want := []string{
		"error import-punctuation 0123456789ab", "warning stale-path 0123456789ac", "note old-note 0123456789ad",
		"note not-in-the-table 0123456789ae of no rule", "warning time-bound 0123456789af external: kept as history",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	wantProperties := map[string]any{
		"text": "See @x.md,", "evidence": []any{"x.md is there"},
		"fix": map[string]any{"title": "put a space in front", "command": "dormouse doctor --fix", "safe": true, "applies": true},
	}
	if diff := cmp.Diff(wantProperties, run.Results[0].Properties); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}
}

func TestEveryRuleIsDescribed(t *testing.T) {
	t.Parallel()
	rules := read(t, write(t, &doctor.Report{}, sarif.Options{})).Runs[0].Tool.Driver.Rules
	if len(rules) != len(doctor.Rules()) {
		t.Fatalf("%d rules, want %d", len(rules), len(doctor.Rules()))
	}
	levels := map[doctor.Severity]string{doctor.Error: "error", doctor.Warning: "warning", doctor.Info: "note"}
	for i, want := range doctor.Rules() {
		r := rules[i]
		page, _ := doctor.Explain(want.ID)
		if r.ID != want.ID || r.ShortDescription.Text != want.Title || r.Help.Markdown != strings.TrimSpace(page) || r.Help.Text == "" ||
			r.DefaultConfiguration.Level != levels[want.Severity] || len(r.Properties.Tags) != 1 || r.Properties.Tags[0] != string(want.Group) {
			t.Errorf("%s: %+v", want.ID, r)
		}
		if full := r.FullDescription.Text; full == want.Title || strings.Contains(full, "**") || strings.ContainsAny(full, "`\n") || len(full) < 40 {
			t.Errorf("%s: full description %q", want.ID, full)
		}
		if r.Name == "" || strings.ContainsAny(r.Name, "-_ ") || r.Name[0] < 'A' || r.Name[0] > 'Z' {
			t.Errorf("%s: name %q", want.ID, r.Name)
		}
	}
}

func TestTextsOfFilesAreNoMarkupInMessages(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, message, want string }{
		{"plain", "12 of 230 lines", "12 of 230 lines"},
		{"a link", "line says [click](https://x.example)", `line says \[click\](https://x.example)`},
		{"brackets that are no link", "paths: [src/**", "paths: [src/**"},
		{"a place to fill in", "a {0} and {12}", "a {{0}} and {{12}}"},
		{"braces of a pattern", "src/{a,b}/*.ts {} {1", "src/{a,b}/*.ts {} {1"},
		{"escapes of a terminal and turned writing", "a\x1b[31mb\u202ec", `a\u001b[31mb\u202ec`},
		{"bytes that are no UTF-8", "a\xffb", `a\xffb`},
		{"signs of HTML stay themselves", "<b>&", "<b>&"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rep := &doctor.Report{Findings: []doctor.Finding{{Rule: "secret", Message: tt.message}}}
			if have := read(t, write(t, rep, sarif.Options{})).Runs[0].Results[0].Message.Text; have != tt.want {
				t.Errorf("message = %q, want %q", have, tt.want)
			}
		})
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space")

func TestAWriterThatFailsIsToldOf(t *testing.T) {
	t.Parallel()
	if err := sarif.Write(fullDisk{}, full(), sarif.Options{}); !errors.Is(err, errFull) {
		t.Errorf("error = %v", err)
	}
}

func TestWithoutABaseTheRepositoryIsIt(t *testing.T) {
	t.Parallel()
	rep := full()
	for _, want := range []string{"file:///home/eve/app/", "file:///home/eve/app/web/"} {
		run := read(t, write(t, rep, sarif.Options{})).Runs[0]
		if have := run.OriginalURIBaseIDs["%SRCROOT%"].URI; have != want {
			t.Errorf("base = %s, want %s", have, want)
		}
		rep.Root = "" // outside a repository the project is
	}
}

func TestSignsOfHTMLStayReadable(t *testing.T) {
	t.Parallel()
	rep := &doctor.Report{Findings: []doctor.Finding{{Rule: "secret", Message: "<b> & more"}}}
	if have := string(write(t, rep, sarif.Options{})); !strings.Contains(have, "<b> & more") {
		t.Error("escaped as if for a page")
	}
}
