package dream_test

import (
	"slices"
	"strings"
	"testing"

	"dormouse/dream"
)

const (
	deployA = "Deploys to production are done on Tuesday by the platform team after the smoke tests pass."
	deployB = "The platform team rolls out to production every Tuesday once smoke tests are green."
	sprintA = "Every second sprint the whole team pays back technical debt on Fridays in the meeting room."
	sprintB = "Every second sprint the whole team shows its work on Fridays, and cleans up the meeting room."
)

func proposed(op, text string) dream.Op {
	o := dream.Op{Op: op, Claims: []int{1, 2}, Text: text}
	if op == "same" {
		o.Keep = 1
	}
	return o
}

// TestWhatAModelProposesIsHeldAgainstTheWords: why "" is a proposal that is carried
// out.
func TestWhatAModelProposesIsHeldAgainstTheWords(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		op   dream.Op
		why  string
	}{
		"a merge in the words of both is made":        {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday after the smoke tests pass."), ""},
		"a merge in the passive of one is made":       {deployA, deployB, proposed("merge", "Deploys to production are done by the platform team every Tuesday after the smoke tests pass."), ""},
		"a merge with its condition in front is made": {deployA, deployB, proposed("merge", "After the smoke tests pass, the platform team deploys to production every Tuesday."), ""},
		"before is not after":                         {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday before the smoke tests pass."), "binds"},
		"who does it stays who does it":               {deployA, deployB, proposed("merge", "Smoke tests pass to production every Tuesday after the platform team deploys."), "binds"},
		"what waits for what stays":                   {deployA, deployB, proposed("merge", "Every Tuesday smoke tests of the platform team deploy after production is green."), "binds"},
		"half a sentence is no text":                  {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday, smoke tests."), "binds"},
		"a text that breaks off is no text":           {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday after the smoke tests pass and the."), "whole sentence"},
		"a text without its end is no text":           {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday after the smoke tests pass"), "whole sentence"},
		"a condition that only one word says stays":   {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday once the smoke tests are done."), "not in the text"},
		"every second Tuesday is not every Tuesday":   {deployA, deployB, proposed("merge", "The platform team deploys to production every second Tuesday after the smoke tests pass."), "binds"},
		"only is not said where nobody said it":       {deployA, deployB, proposed("merge", "Only the platform team deploys to production every Tuesday after the smoke tests pass."), "hard"},
		"a word of nobody is not in a text":           {deployA, deployB, proposed("merge", "The platform team deploys to production every Tuesday after the smoke tests pass anyway."), "no statement has"},
		"a modal verb of nobody is not in a text":     {deployA, deployB, proposed("merge", "The platform team might deploy to production every Tuesday after the smoke tests pass."), "binds"},

		"the same in other words is the same": {deployA, deployB, proposed("same", ""), ""},
		"two habits of one rhythm are two":    {sprintA, sprintB, proposed("same", ""), "only in one"},

		"two that agree are no conflict":               {deployA, deployB, proposed("conflict", ""), "both can hold"},
		"two that say another thing can be a conflict": {"The monthly report of the finance team is printed by Olena in the office.", "The monthly report of the finance team is mailed by Petro in the morning.", proposed("conflict", ""), ""},
	} {
		t.Run(name, func(t *testing.T) {
			judge := scripted{[]dream.Op{c.op}}
			r := run(t, dream.Input{Judge: judge, MaxArchived: 1, Notes: []dream.Note{
				n(t, "a", "project", "2026-03-01", "s1", c.a), n(t, "b", "project", "2026-05-01", "s2", c.b),
			}})
			if r.Counts.Asked == 0 {
				explain(t, r)
				t.Fatal("the model was not asked")
			}
			done := len(files(r)) == 1
			if c.why == "" && !done || c.why != "" && done {
				explain(t, r)
				t.Errorf("carried out: %t; refused: %q", done, r.Refused)
			}
			if c.why != "" && (len(r.Refused) != 1 || !strings.Contains(r.Refused[0], c.why)) {
				t.Errorf("refused as %q, not for %q", r.Refused, c.why)
			}
		})
	}
}

func TestWhatAModelWroteAnewIsInTheArchiveAsItWas(t *testing.T) {
	r := run(t, dream.Input{Judge: scripted{[]dream.Op{proposed("merge", "The platform team deploys to production every Tuesday after the smoke tests pass.")}}, MaxArchived: 1, Notes: []dream.Note{
		n(t, "a", "project", "2026-03-01", "s1", deployA), n(t, "b", "project", "2026-05-01", "s2", deployB),
	}})
	for _, was := range []string{deployA, deployB} {
		if !slices.ContainsFunc(r.Archive, func(a dream.Archive) bool { return strings.Contains(string(a.Bytes), was) }) {
			t.Errorf("%q is not in the archive", was)
		}
	}
}

func TestAConflictIsOfStatementsThatStand(t *testing.T) {
	in := dream.Input{Notes: []dream.Note{
		n(t, "a", "project", "2026-03-01", "s1", "The staging database is PostgreSQL 14."),
		n(t, "b", "project", "2026-03-01", "s2", "The staging database is PostgreSQL 15."),
	}}
	if r := run(t, in); len(r.Conflicts) != 1 {
		t.Fatalf("of one day: %+v", r.Conflicts)
	}
	in.Notes = append(in.Notes, n(t, "c", "project", "2026-06-01", "s3", "The staging database is PostgreSQL 16."))
	if r := run(t, in); len(r.Conflicts) != 0 || len(files(r)) != 1 {
		explain(t, r)
		t.Errorf("there are %v and the conflicts %+v", files(r), r.Conflicts)
	}
}
