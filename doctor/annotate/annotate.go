// Package annotate prints a check-up as workflow commands of GitHub Actions,
// which show findings beside the lines of a pull request.
package annotate

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/doctor"
	"dormouse/internal/term"
)

// shown is how many annotations of one level GitHub keeps of a step; it drops
// the others without a word (documented: 10 errors and 10 warnings a step; that
// notices are treated alike is assumed).
const shown = 10

// Options choose how places are written.
type Options struct {
	// Base is the absolute folder of the checkout; "" is the project of the
	// report. A file outside of it can't be annotated: its name stands in the
	// message.
	Base string
}

// Write prints one command a line for each finding, at most ten of a level. What
// is over is counted in one notice at the end, which takes the place of a tenth
// notice. Findings that were passed over are not printed. The error is the
// writer's.
func Write(w io.Writer, rep *doctor.Report, o Options) error {
	folder := checkout(cmp.Or(o.Base, rep.Root, rep.Project))
	total := map[string]int{}
	for i := range rep.Findings {
		total[level(rep.Findings[i].Severity)]++
	}
	room := map[string]int{errorLevel: shown, warningLevel: shown, noticeLevel: shown}
	if total[errorLevel] > shown || total[warningLevel] > shown || total[noticeLevel] > shown {
		room[noticeLevel]-- // for the summary
	}
	var b strings.Builder
	left := 0
	for i := range rep.Findings {
		f := &rep.Findings[i]
		l := level(f.Severity)
		if room[l] == 0 {
			left++
			continue
		}
		room[l]--
		b.WriteString(folder.command(f))
	}
	if left > 0 {
		fmt.Fprintf(&b, "::notice title=dormouse doctor::%s\n", data(fmt.Sprintf(
			"%d of %d findings are not shown here: GitHub shows %d of each level. dormouse doctor prints all of them.", left, len(rep.Findings), shown)))
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("printing annotations: %w", err)
	}
	return nil
}

const (
	errorLevel   = "error"
	warningLevel = "warning"
	noticeLevel  = "notice"
)

func level(s doctor.Severity) string {
	switch s {
	case doctor.Error:
		return errorLevel
	case doctor.Warning:
		return warningLevel
	}
	return noticeLevel
}

// checkout is the folder that files are named relative to.
type checkout string

// command is the line of one finding.
func (c checkout) command(f *doctor.Finding) string {
	var properties []string
	message := term.Safe(f.Message)
	if file := c.relative(f.Place.Path); file != "" {
		properties = append(properties, "file="+property(file))
		if f.Place.Line > 0 {
			properties = append(properties, "line="+strconv.Itoa(f.Place.Line))
			if f.Place.Column > 0 {
				properties = append(properties, "col="+strconv.Itoa(f.Place.Column))
			}
		}
	} else if at := where(f.Place); at != "" {
		message = at + ": " + message
	}
	properties = append(properties, "title="+property(term.Safe(f.Rule)))
	for _, r := range f.Related {
		at := c.relative(r.Path)
		if at == "" {
			at = r.Path
		}
		message += "\n" + term.Safe(r.Role) + ": " + where(doctor.Place{Path: at, Line: r.Line})
	}
	for _, e := range f.Evidence {
		message += "\n" + term.Safe(e)
	}
	if f.Fix != nil {
		message += "\nfix: " + term.Safe(f.Fix.Title)
	}
	return "::" + level(f.Severity) + " " + strings.Join(properties, ",") + "::" + data(message) + "\n"
}

// where names a place in a message.
func where(p doctor.Place) string {
	switch {
	case p.Path == "":
		return ""
	case p.Line == 0:
		return term.Safe(p.Path)
	}
	return term.Safe(p.Path) + ":" + strconv.Itoa(p.Line)
}

// relative is a file's path below the base, with slashes; "" for one outside and
// for a name that a log can't show as it is.
func (c checkout) relative(path string) string {
	if path == "" || c == "" {
		return ""
	}
	rel, err := filepath.Rel(string(c), path)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	rel = filepath.ToSlash(rel)
	if term.Safe(rel) != rel {
		return ""
	}
	return rel
}

// data escapes a message, and property the value of a property, as the runner
// reads them back (actions/toolkit, packages/core/src/command.ts).
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
