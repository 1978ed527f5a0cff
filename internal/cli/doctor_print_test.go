package cli

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/doctor"
	"dormouse/host"
	"dormouse/internal/term"
)

// printed is what a person sees of a report, at a width of so many columns; 0 is
// a pipe.
func printed(c *common, rep *doctor.Report, width int, unused ...ignoreRule) string {
	var b strings.Builder
	if c == nil {
		c = &common{host: defaultHost}
	}
	out := &term.Out{Writer: &b, Width: width}
	c.printDoctor(out, rep, pathPrinter(host.Session{Env: host.Env{Home: "/home/u"}}), unused)
	return b.String()
}

func sickReport() *doctor.Report {
	const store = "/home/u/.claude/projects/-home-u-app/memory"
	return &doctor.Report{
		Project: "/home/u/app", Root: "/home/u/app", Store: store,
		Findings: []doctor.Finding{
			{
				ID: "aaaaaaaaaaaa", Rule: "stale-path", Group: doctor.Rot, Severity: doctor.Warning, Message: "project_auth.md:5 names src/auth/login.go, which is no longer there",
				Place:    doctor.Place{Path: store + "/project_auth.md", Line: 5, Text: "Tokens are checked in src/auth/login.go"},
				Evidence: []string{"removed in 4f1c2aa, 2026-03-02", "it is now internal/auth/login.go"},
				Fix:      &doctor.Fix{Title: "put the new path in", Applies: true},
			},
			{
				ID: "bbbbbbbbbbbb", Rule: "old-note", Group: doctor.Forgetting, Severity: doctor.Info, Message: "old",
				Place: doctor.Place{Path: store + "/a.md"},
			},
			{
				ID: "cccccccccccc", Rule: "index-cut", Group: doctor.Forgetting, Severity: doctor.Error, Message: "MEMORY.md:201: 20 lines do not load",
				Place: doctor.Place{Path: store + "/MEMORY.md", Line: 201},
				Fix:   &doctor.Fix{Title: "make room", Command: "dormouse index --fix --make-room", Safe: true, Applies: true},
			},
			{
				ID: "dddddddddddd", Rule: "conflict-instructions", Group: doctor.Rot, Severity: doctor.Error, Message: "a note says otherwise than the instructions",
				Place:   doctor.Place{Path: store + "/pnpm.md", Line: 6, Text: "Always use pnpm."},
				Related: []doctor.Related{{Place: doctor.Place{Path: "/home/u/.claude/CLAUDE.md", Line: 3, Text: "Use npm."}, Role: "says otherwise"}},
				Fix:     &doctor.Fix{Title: "decide, and change one of the two"},
			},
		},
		Suppressed: []doctor.Suppressed{{Finding: doctor.Finding{Rule: "time-bound"}, Reason: "history"}, {Finding: doctor.Finding{Rule: "time-bound"}, Reason: "history"}},
		Checked:    doctor.Checked{Rules: 54, Instructions: 1, Notes: 1200, IndexLines: 220, Statements: 2, References: 1, Stores: 3},
		Ages:       []doctor.Age{{Path: store + "/a.md", Days: 411, By: "git"}, {Path: store + "/b.md", Days: 1, By: "recorded"}, {Path: store + "/c.md"}, {Path: store + "/d.md"}},
		Tokens:     []doctor.Weight{{Path: store + "/MEMORY.md", Tokens: 6100}, {Path: "/home/u/app/CLAUDE.md", Tokens: 900}},
		Skipped:    []string{"branches: git is not there"},
	}
}

func TestAReportForAPersonIsWorstFirstAndByGroup(t *testing.T) {
	t.Parallel()
	want := `Project   ~/app
Memory    ~/.claude/projects/-home-u-app/memory

Forgetting: 1 error, 1 remark

error    index-cut  MEMORY.md:201
    MEMORY.md:201: 20 lines do not load
    fix: make room: dormouse index --fix --make-room

remark   old-note  a.md
    old

Rot: 1 error, 1 warning

error    conflict-instructions  pnpm.md:6
    a note says otherwise than the instructions
    | Always use pnpm.
    says otherwise: ~/.claude/CLAUDE.md:3
    | Use npm.
    fix: decide, and change one of the two

warning  stale-path  project_auth.md:5
    project_auth.md:5 names src/auth/login.go, which is no longer there
    | Tokens are checked in src/auth/login.go
    - removed in 4f1c2aa, 2026-03-02
    - it is now internal/auth/login.go
    fix: put the new path in: dormouse doctor --fix=aaaaaaaaaaaa

Result    2 errors, 1 warning, 1 remark; 1 can be mended with dormouse doctor --fix; 1 one by one, with --fix=ID
Checked   54 rules over 1 instruction file, 1,200 notes, 220 index lines, 3 memory folders; 2 statements compared; 1 reference looked up in the repository
Skipped   branches: git is not there
Ignored   2 by the configuration: 2 time-bound (history)
Unused    ignores of the configuration that match nothing here: secret at x.md (line 7)
Loads     ~7,000 tokens in each session: MEMORY.md ~6,100, CLAUDE.md ~900
Oldest    a.md (411 days, git), b.md (1 day, recorded), c.md (0 days, )
`
	want = strings.Replace(want, ", c.md (0 days, )", ", c.md (3 days, file time)", 1)
	rep := sickReport()
	rep.Ages[2].Days, rep.Ages[2].By = 3, "file time"
	if diff := cmp.Diff(want, printed(nil, rep, 0, ignoreRule{"secret", "x.md", "r", 7})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestACleanBillSaysWhatItRestsOn(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		c    doctor.Checked
		want []string
	}{
		{"all is well", doctor.Checked{Rules: 54, Instructions: 2, Imports: 1, Notes: 12, IndexLines: 12}, []string{
			"Result    nothing is wrong", "Checked   54 rules over 2 instruction files, 1 import, 12 notes, 12 index lines",
		}},
		{"instructions alone, as in CI", doctor.Checked{Rules: 54, Instructions: 1}, []string{"Result    nothing is wrong", "Checked   54 rules over 1 instruction file"}},
		{"nothing there", doctor.Checked{Rules: 54}, []string{"Result    there is nothing to check: no instruction file and no note", "Checked   54 rules"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := "Project   ~/app\n\n" + strings.Join(tt.want, "\n") + "\n"
			if diff := cmp.Diff(want, printed(nil, &doctor.Report{Project: "/home/u/app", Checked: tt.c}, 0)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCommandsCarryTheFlagsThatWereGiven(t *testing.T) {
	t.Parallel()
	c := &common{host: defaultHost, project: "~/my app"}
	rep := sickReport()
	rep.Findings[1].Fix = &doctor.Fix{Title: "has them", Command: c.command("edit a.md")}
	rep.Findings[3].Fix = &doctor.Fix{Title: "not ours", Command: "git mv a b"}
	have := printed(c, rep, 80)
	for _, want := range []string{"dormouse index --project '~/my app' --fix --make-room", " dormouse edit a.md --project '~/my app'", " git mv a b", "dormouse doctor --fix=aaaaaaaaaaaa --project '~/my app'"} {
		if !strings.Contains(have, want+"\n") {
			t.Errorf("no line ends in %q:\n%s", want, have)
		}
	}
}

func TestLongListsAreClipped(t *testing.T) {
	t.Parallel()
	rep := &doctor.Report{Project: "/p"}
	for i := range 1200 {
		rep.Findings = append(rep.Findings, doctor.Finding{
			Rule: "stale-path", Group: doctor.Rot, Severity: doctor.Warning, Message: fmt.Sprint("m", i), Place: doctor.Place{Path: "/p/x.md", Line: i + 1},
			Evidence: strings.Split(strings.Repeat("e ", 11), " ")[:11], Related: make([]doctor.Related, 7),
		})
	}
	rep.Findings = append(rep.Findings, doctor.Finding{Rule: "old-note", Group: doctor.Rot, Severity: doctor.Info, Message: "last"})
	for range 9 {
		rep.Suppressed = append(rep.Suppressed, doctor.Suppressed{Reason: fmt.Sprint(len(rep.Suppressed))})
	}
	have := printed(nil, rep, 0)
	for _, want := range []string{
		"\nRot: 1,200 warnings, 1 remark\n", "    and 1,192 more stale-path (--json has all)\n", "    and 6 more (--json has all)\n", "    and 2 more (--json has all)\n",
		"    m7\n", "    last\n", "and 4 more (--json has all)\n",
	} {
		if !strings.Contains(have, want) {
			t.Errorf("%q is not there", want)
		}
	}
	if strings.Contains(have, "    m8\n") || strings.Count(have, "    - e\n") != fewOfRule*fewLines {
		t.Errorf("not clipped:\n%.3000s", have)
	}
}

func TestOnATerminalLinesFit(t *testing.T) {
	t.Parallel()
	rep := sickReport()
	long := strings.Repeat("a long sentence with 東京 and words ", 9)
	rep.Project = "/home/u/" + strings.Repeat("very-long-folder/", 9)
	rep.Findings[0].Message, rep.Findings[0].Place.Text = long, long
	rep.Findings[0].Place.Path = "/elsewhere/" + strings.Repeat("folder/", 20) + "n.md"
	rep.Findings[0].Evidence = []string{strings.Repeat("x", 300), long}
	rep.Findings[0].Fix.Title = long
	rep.Findings[3].Related[0].Role = long
	rep.Suppressed[0].Reason = long
	rep.Skipped = []string{long}
	for _, width := range []int{80, 60, 200} {
		for line := range strings.Lines(printed(nil, rep, width, ignoreRule{"secret", long, "r", 7})) {
			line = strings.TrimSuffix(line, "\n")
			if w := term.Width(line); w > width {
				t.Errorf("%d columns of %d: %s", w, width, line)
			}
		}
	}
	if have := printed(nil, rep, 80); !strings.Contains(have, "…") || !strings.Contains(have, "n.md:5\n") {
		t.Errorf("the end of the path, which says most, is lost:\n%s", have)
	}
}

func TestTextsFromFilesAreHarmless(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just("\x1b[2J\r\nsecond\u202e\xff\u200b"), rapid.Just("dormouse doctor dormouse"))
		draw := func(what string) string { return text.Draw(t, what) }
		f := doctor.Finding{
			ID: "x", Rule: draw("rule"), Group: doctor.Group(draw("group")), Severity: doctor.Severity(draw("severity")), Message: draw("message"),
			Place:    doctor.Place{Path: "/" + draw("path"), Line: 1, Text: draw("text")},
			Related:  []doctor.Related{{Place: doctor.Place{Path: draw("relpath"), Text: draw("reltext")}, Role: draw("role")}},
			Evidence: []string{draw("evidence")}, Fix: &doctor.Fix{Title: draw("title"), Command: draw("command"), Applies: rapid.Bool().Draw(t, "applies")},
		}
		rep := &doctor.Report{
			Project: draw("project"), Store: "/s", Findings: []doctor.Finding{f}, Suppressed: []doctor.Suppressed{{Finding: f, Reason: draw("reason")}},
			Skipped: []string{draw("skipped")}, Ages: []doctor.Age{{Path: draw("age"), By: draw("by")}}, Tokens: []doctor.Weight{{Path: draw("weight")}},
		}
		have := printed(nil, rep, rapid.SampledFrom([]int{0, 1, 40, 80}).Draw(t, "width"), ignoreRule{draw("irule"), draw("iplace"), "r", 1})
		if !utf8.ValidString(have) {
			t.Fatalf("not UTF-8: %q", have)
		}
		for _, r := range have {
			if r != '\n' && (unicode.IsControl(r) || r == 0x202e || r == 0x200b || r == 0x2028) {
				t.Fatalf("%q gets to the terminal: %q", r, have)
			}
		}
		if len(have) > 1<<20 {
			t.Fatal("endless")
		}
	})
}

func TestWrappedKeepsEachWord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(rapid.StringMatching(`[a-z東ї]{1,30}`)).Draw(t, "words")
		width := rapid.IntRange(2, 40).Draw(t, "width")
		lines := wrapped(strings.Join(words, " "), width)
		if have := strings.ReplaceAll(strings.Join(lines, ""), " ", ""); have != strings.Join(words, "") {
			t.Fatalf("%q became %q", words, lines)
		}
		for _, l := range lines {
			if term.Width(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
	})
}

func TestSeveralProjectsAreOneLineEach(t *testing.T) {
	t.Parallel()
	p := pathPrinter(host.Session{Env: host.Env{Home: "/home/u"}})
	list := []projectSummary{
		{Project: "/home/u/app", Errors: 2, Warnings: 11, Notes: 1400, Worst: "MEMORY.md:201: 20 lines do not load"},
		{Project: "/home/u/src/web", Infos: 1, Notes: 3, Worst: "old"},
		{Project: "/home/u/clean", Notes: 1},
		{Store: "/home/u/.claude/projects/-gone/memory", Notes: 4, Problem: "the project is gone:\n/home/u/gone"},
	}
	all := func(width int, list []projectSummary) string {
		var b strings.Builder
		printDoctorAll(&term.Out{Writer: &b, Width: width}, list, p)
		return b.String()
	}
	want := `PROJECT                          ERRORS  WARNINGS  REMARKS  NOTES  WORST
~/app                                 2        11        0  1,400  MEMORY.md:201: 20 lines do not load
~/src/web                             0         0        1      3  old
~/clean                               0         0        0      1
~/.claude/projects/-gone/memory  not checked: the project is gone:\u000a~/gone
4 projects, 1,408 notes: 2 errors, 11 warnings, 1 remark in 2; nothing wrong in 1; 1 not checked
`
	if diff := cmp.Diff(want, all(0, list)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for line := range strings.Lines(all(80, list[:3])) {
		if term.Width(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("too long: %s", line)
		}
	}
	if have := all(80, nil); have != "no project with a memory folder was found on this machine\n" {
		t.Errorf("no projects: %q", have)
	}
	if have := all(0, list[2:3]); !strings.Contains(have, "1 project, 1 note; nothing wrong in 1\n") {
		t.Errorf("one clean project: %q", have)
	}
}
