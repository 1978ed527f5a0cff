package cli

import (
	"slices"
	"strings"

	"dormouse/store"
)

// fixedReport is what index --fix did.
type fixedReport struct {
	doneReport
	Added    []string `json:"added"`    // lines that the index got
	Marked   []string `json:"marked"`   // lines that got the mark of a note that is not there
	Unmarked []string `json:"unmarked"` // lines that lost it: the note is back
}

func (c *common) reportFixed(before, after []byte, done *store.Done) *fixedReport {
	rep := &fixedReport{doneReport: c.reportDone("index", "", done), Added: []string{}, Marked: []string{}, Unmarked: []string{}}
	if done.ID == 0 {
		return rep
	}
	had := map[string]int{}
	for _, l := range linesOf(before) {
		had[l]++
	}
	var fresh []string
	for _, l := range linesOf(after) {
		if had[l]--; had[l] < 0 {
			fresh = append(fresh, l)
		}
	}
	for _, l := range fresh {
		bare, marked := strings.CutSuffix(l, store.DeadMark)
		switch {
		case marked && had[bare] > 0:
			rep.Marked = append(rep.Marked, bare)
		case had[l+store.DeadMark] > 0:
			rep.Unmarked = append(rep.Unmarked, l)
		default:
			rep.Added = append(rep.Added, l)
		}
	}
	return rep
}

// linesOf are the lines of an index that say something.
func linesOf(b []byte) []string {
	lines := strings.Split(strings.ReplaceAll(string(b), "\r\n", "\n"), "\n")
	return slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
}
