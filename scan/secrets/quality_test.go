package secrets

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

// wilson is the 95 % interval of a rate.
func wilson(hits, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(hits)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return mid - half, mid + half
}

func rate(hits, n int) string {
	low, high := wilson(hits, n)
	return fmt.Sprintf("%d/%d = %.1f %% (95 %%: %.1f to %.1f)", hits, n, 100*float64(hits)/float64(n), 100*low, 100*high)
}

// benign reads the lines that hold no credential.
func benign(t *testing.T) []string {
	t.Helper()
	file, err := os.Open("testdata/benign.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var lines []string
	for s := bufio.NewScanner(file); s.Scan(); {
		if line := s.Text(); line != "" && !strings.HasPrefix(line, "## ") {
			// \n stands for a line break: some need two lines.
			lines = append(lines, strings.ReplaceAll(line, `\n`, "\n"))
		}
	}
	return lines
}

func TestSecretsAreFoundAndOtherLinesAreNot(t *testing.T) {
	f := New()
	found, n, wrong := 0, 0, 0
	list := shapes(1)
	if len(list) < 60 {
		t.Errorf("%d shapes, want 60", len(list))
	}
	for _, sh := range list {
		for where, around := range surroundings() {
			text := strings.Replace(around, "%s", sh.before+sh.secret+sh.after, 1)
			at := strings.Index(text, sh.before+sh.secret) + len(sh.before)
			ok := false
			for _, h := range f.Find(text) {
				switch {
				case h.Start <= at && h.End >= at+len(sh.secret):
					ok = true
				case h.End <= at || h.Start >= at+len(sh.secret):
					wrong++
					t.Logf("%s in %s: also %s", sh.name, where, h.Rule)
				}
			}
			n++
			if ok {
				found++
			} else {
				t.Logf("missed: %s in %s: %q", sh.name, where, Mask(sh.secret))
			}
		}
	}
	lines, flagged := benign(t), 0
	if len(lines) < 150 {
		t.Errorf("%d benign lines, want 150", len(lines))
	}
	for _, line := range lines {
		if hits := f.Find(line); len(hits) > 0 {
			flagged++
			t.Logf("wrongly found: %s %q in %q", hits[0].Rule, line[hits[0].Start:hits[0].End], line)
		}
	}
	wrong += flagged
	t.Logf("recall %s over %d shapes", rate(found, n), len(list))
	t.Logf("precision %s", rate(found, found+wrong))
	t.Logf("benign lines flagged %s", rate(flagged, len(lines)))
	if found*100 < n*95 {
		t.Errorf("recall %d/%d is under 95 %%", found, n)
	}
	if found*100 < (found+wrong)*90 {
		t.Errorf("precision %d/%d is under 90 %%", found, found+wrong)
	}
}
