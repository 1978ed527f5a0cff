package cli

import (
	"context"
	"fmt"
	"os"
	"slices"

	"dormouse/doctor"
	"dormouse/host"
	"dormouse/internal/gitroot"
)

// runDoctorAll looks at every project that has a memory folder on this machine.
func runDoctorAll(ctx context.Context, o *doctorOptions) error {
	h, err := o.theHost()
	if err != nil {
		return err
	}
	s, err := o.session()
	if err != nil {
		return err
	}
	l, ok := h.(host.Lister)
	if !ok {
		return usageError{fmt.Errorf("--all: where %s keeps the memory of other projects is not known; name one with --project DIR", h.Title())}
	}
	memories, err := l.Memories(s)
	if err != nil {
		return err
	}
	list := []projectSummary{}
	worst := false
	for _, mem := range memories {
		sum, found := o.summary(ctx, mem)
		worst = worst || found
		list = append(list, sum)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if o.json {
		if err := printJSON(o.out, map[string]any{"projects": list}); err != nil {
			return err
		}
	} else {
		printDoctorAll(o.people(), list, pathPrinter(s))
	}
	if worst {
		return errFound
	}
	return nil
}

// summary looks at one memory folder, from the project that it belongs to.
func (o *doctorOptions) summary(ctx context.Context, mem host.Memory) (projectSummary, bool) {
	sum := projectSummary{Store: mem.Dir, Notes: mem.Notes}
	roots := projectsOf(mem.Roots)
	if len(roots) == 0 {
		sum.Problem = "the project is gone or not known: no session reads these notes"
		return sum, o.failOn != never
	}
	sum.Project = roots[0]
	own := *o
	common := *o.common
	own.common = &common
	own.project = roots[0]
	v, err := own.visit(ctx, true)
	if err != nil {
		sum.Problem = own.errorText(err)
		return sum, true
	}
	defer v.close()
	if !samePath(v.start.Mem.Dir, mem.Dir) && v.start.Mem.On {
		sum.Problem = "sessions of this project read another folder: " + v.start.Mem.Dir
		return sum, o.failOn != never
	}
	for _, f := range v.rep.Findings {
		switch f.Severity {
		case doctor.Error:
			sum.Errors++
		case doctor.Warning:
			sum.Warnings++
		default:
			sum.Infos++
		}
	}
	if len(v.rep.Findings) > 0 {
		sum.Worst = v.rep.Findings[0].Message
	}
	return sum, own.verdict(v.rep) != nil
}

// projectsOf are the projects among the folders of sessions: their main checkouts,
// as long as they are there.
func projectsOf(roots []string) []string {
	var out []string
	for _, r := range roots {
		if info, err := os.Stat(r); err != nil || !info.IsDir() {
			continue
		}
		if repo := gitroot.Find(realPath(r)); repo != nil {
			r = repo.Main
		}
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}
