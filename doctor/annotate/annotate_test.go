package annotate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/doctor"
	"dormouse/doctor/annotate"
)

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func write(t fataler, rep *doctor.Report, o annotate.Options) string {
	t.Helper()
	var b strings.Builder
	if err := annotate.Write(&b, rep, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestEachFindingIsOneCommand(t *testing.T) {
	t.Parallel()
	place := func(path string, line, column int) doctor.Place {
		return doctor.Place{Path: path, Line: line, Column: column}
	}
	tests := []struct {
		name string
		f    doctor.Finding
		want string
	}{
		{
			"an error with line and column",
			doctor.Finding{Rule: "import-missing", Severity: doctor.Error, Message: "no file", Place: place("/p/CLAUDE.md", 3, 7)},
			"::error file=CLAUDE.md,line=3,col=7,title=import-missing::no file",
		},
		{
			"a warning about a whole file",
			doctor.Finding{Rule: "wrong-case", Severity: doctor.Warning, Message: "is not read", Place: place("/p/docs/claude.md", 0, 5)},
			"::warning file=docs/claude.md,title=wrong-case::is not read",
		},
		{
			"a remark is a notice",
			doctor.Finding{Rule: "old-note", Severity: doctor.Info, Message: "old", Place: place("/p/n.md", 1, 0)},
			"::notice file=n.md,line=1,title=old-note::old",
		},
		{
			"a file outside stands in the message",
			doctor.Finding{Rule: "secret", Severity: doctor.Error, Message: "a token", Place: place("/home/u/n.md", 4, 2)},
			"::error title=secret::/home/u/n.md:4: a token",
		},
		{
			"a folder that begins like the base is outside",
			doctor.Finding{Rule: "secret", Severity: doctor.Error, Message: "a token", Place: place("/p2/n.md", 0, 0)},
			"::error title=secret::/p2/n.md: a token",
		},
		{
			"nowhere",
			doctor.Finding{Rule: "memory-off", Severity: doctor.Warning, Message: "off"},
			"::warning title=memory-off::off",
		},
		{
			"signs that mean something to the runner",
			doctor.Finding{Rule: "time-bound", Severity: doctor.Info, Message: "100% done: yes, ::error::no", Place: place("/p/a,b:c%d.md", 1, 0)},
			"::notice file=a%2Cb%3Ac%25d.md,line=1,title=time-bound::100%25 done: yes, ::error::no",
		},
		{
			"line breaks of a text do not begin a new command",
			doctor.Finding{Rule: "secret", Severity: doctor.Error, Message: "a\n::stop-commands::x\r", Place: place("/p/n.md", 1, 0)},
			`::error file=n.md,line=1,title=secret::a\u000a::stop-commands::x\u000d`,
		},
		{
			"a name that a log can't show stands in the message",
			doctor.Finding{Rule: "secret", Severity: doctor.Error, Message: "m", Place: place("/p/a\nb.md", 2, 0)},
			`::error title=secret::/p/a\u000ab.md:2: m`,
		},
		{
			"related places, evidence and fix are lines of the message",
			doctor.Finding{
				Rule: "conflict-instructions", Severity: doctor.Warning, Message: "m", Place: place("/p/n.md", 2, 0),
				Related:  []doctor.Related{{Place: place("/p/CLAUDE.md", 9, 0), Role: "says otherwise"}, {Place: place("/q/x.md", 0, 0), Role: "too"}},
				Evidence: []string{"npm and pnpm exclude each other"}, Fix: &doctor.Fix{Title: "decide"},
			},
			"::warning file=n.md,line=2,title=conflict-instructions::m%0Asays otherwise: CLAUDE.md:9%0Atoo: /q/x.md%0Anpm and pnpm exclude each other%0Afix: decide",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			have := write(t, &doctor.Report{Findings: []doctor.Finding{tt.f}}, annotate.Options{Base: "/p"})
			if diff := cmp.Diff(tt.want+"\n", have); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func many(errors, warnings, infos int) *doctor.Report {
	rep := &doctor.Report{Project: "/p/sub", Root: "/p"}
	add := func(n int, s doctor.Severity) {
		for i := range n {
			rep.Findings = append(rep.Findings, doctor.Finding{Rule: "secret", Severity: s, Message: fmt.Sprint(i), Place: doctor.Place{Path: "/p/x.md", Line: i + 1}})
		}
	}
	add(errors, doctor.Error)
	add(warnings, doctor.Warning)
	add(infos, doctor.Info)
	return rep
}

func TestAtMostTenOfALevelAndASummaryOfTheRest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name                       string
		errors, warnings, infos    int
		wantErr, wantWarn, wantNot int // commands of a level
		wantLeft                   string
	}{
		{"none", 0, 0, 0, 0, 0, 0, ""},
		{"ten of each", 10, 10, 10, 10, 10, 10, ""},
		{"eleven errors", 11, 0, 0, 10, 0, 1, "1 of 11 findings"},
		{"many of each: the summary takes a notice's place", 30, 25, 12, 10, 10, 10, "38 of 67 findings"},
		{"ten notices and too many errors: one notice gives way", 12, 0, 10, 10, 0, 10, "3 of 22 findings"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			have := write(t, many(tt.errors, tt.warnings, tt.infos), annotate.Options{})
			if e, w, n := strings.Count(have, "::error "), strings.Count(have, "::warning "), strings.Count(have, "::notice "); e != tt.wantErr || w != tt.wantWarn || n != tt.wantNot {
				t.Errorf("%d errors, %d warnings, %d notices, want %d, %d, %d", e, w, n, tt.wantErr, tt.wantWarn, tt.wantNot)
			}
			lines := strings.Split(strings.TrimSuffix(have, "\n"), "\n")
			last := lines[len(lines)-1]
			if tt.wantLeft == "" && strings.Contains(have, "are not shown") {
				t.Errorf("a summary where nothing is left: %s", last)
			}
			if !strings.Contains(last, tt.wantLeft) || tt.wantLeft != "" && !strings.HasPrefix(last, "::notice title=dormouse doctor::") {
				t.Errorf("last line %q, want %q", last, tt.wantLeft)
			}
		})
	}
}

func TestPassedOverFindingsAreNotShown(t *testing.T) {
	t.Parallel()
	rep := &doctor.Report{Suppressed: []doctor.Suppressed{{Finding: doctor.Finding{Rule: "secret"}, Reason: "r"}}}
	if have := write(t, rep, annotate.Options{Base: "/p"}); have != "" {
		t.Errorf("printed %q", have)
	}
}

func TestNoTextForgesACommand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[\n\r:,%a ]{0,9}`), rapid.Just("x\n::set-env name=A::b\xff"))
		f := doctor.Finding{
			Rule: text.Draw(t, "rule"), Severity: doctor.Error, Message: text.Draw(t, "message"),
			Place:    doctor.Place{Path: "/p/" + text.Draw(t, "path"), Line: 1},
			Related:  []doctor.Related{{Place: doctor.Place{Path: text.Draw(t, "related")}, Role: text.Draw(t, "role")}},
			Evidence: []string{text.Draw(t, "evidence")}, Fix: &doctor.Fix{Title: text.Draw(t, "title")},
		}
		have := write(t, &doctor.Report{Findings: []doctor.Finding{f}}, annotate.Options{Base: "/p"})
		if strings.Count(have, "\n") != 1 || strings.Contains(have, "\r") || !strings.HasPrefix(have, "::error ") {
			t.Fatalf("not one command: %q", have)
		}
		head, _, _ := strings.Cut(have[len("::error "):], "::")
		for _, p := range strings.Split(head, ",") {
			name, value, ok := strings.Cut(p, "=")
			if !ok || name != "file" && name != "line" && name != "title" || strings.Contains(value, ":") {
				t.Fatalf("property %q in %q", p, have)
			}
		}
	})
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

var errFull = errors.New("no space")

func TestAWriterThatFailsIsToldOf(t *testing.T) {
	t.Parallel()
	if err := annotate.Write(fullDisk{}, many(1, 0, 0), annotate.Options{}); !errors.Is(err, errFull) {
		t.Errorf("error = %v", err)
	}
}
