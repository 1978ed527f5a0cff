//go:build unix

package cli

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/testkit"
)

// BenchmarkSearchTenThousandNotes compares a search in 10,000 notes, as a whole
// process and with the index there, with a program that does nothing. Of the wall
// clock it tells the 95th of a hundred, as a multiple of the median.
func BenchmarkSearchTenThousandNotes(b *testing.B) {
	l := layBench(b, manyNotesCase(10_000))
	ours, nothing := buildFor(b, "dormouse/cmd/dormouse"), buildFor(b, "dormouse/internal/tools/benchempty")
	args := []string{"search", "--limit", "3", "billing", "webhook1572"}
	wait := time.Now().Add(3 * time.Second) // file times tell nothing about what just changed
	for time.Now().Before(wait) {
		cpuOf(b, l, ours, args...)
	}
	var cpu, ref, walls []time.Duration
	for b.Loop() {
		a, _ := cpuOf(b, l, ours, args...)
		r, _ := cpuOf(b, l, nothing)
		cpu, ref = append(cpu, a), append(ref, r)
		walls = append(walls, wallOf(b, l, ours, args...))
	}
	b.ReportMetric(ms(percentile(cpu, 50)), "cpu-ms/op")
	b.ReportMetric(float64(percentile(cpu, 50))/float64(percentile(ref, 50)), "times-an-empty-program")
	b.ReportMetric(float64(percentile(walls, 95))/float64(percentile(walls, 50)), "p95-times-median")
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// at95 is a percentile.
func percentile(list []time.Duration, percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

func wallOf(b *testing.B, l *testkit.Layout, path string, args ...string) time.Duration {
	b.Helper()
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = l.Cwd, []string{"HOME=" + l.Home}
	from := time.Now()
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != exitFound {
		b.Fatal(err)
	}
	return time.Since(from)
}

// manyNotesCase is a project with an index of 150 lines and so many notes, of 30
// to 80 words each, the same at every run.
func manyNotesCase(n int) *testkit.Case {
	r := rand.New(rand.NewPCG(1, 2))
	things := strings.Fields("billing search mobile admin export import audit video chat map tax stock order cart login email push feed photo price coupon refund shipping webhook sitemap")
	rest := strings.Fields("daily central remote nested cached signed legacy public internal async parser cluster invoice ledger scheduler cursor session layout module service screen table job queue bucket page report drops rounds retries rejects stores merges splits rotates nightly weekly manual first run sync backup upload release region shard database port listens before after without under beside")
	c := &testkit.Case{Files: files("proj/CLAUDE.md", "Prices are integers in cents.\n")}
	var index strings.Builder
	for i := range n {
		var body strings.Builder
		for range 3 + r.IntN(6) {
			body.WriteString("The")
			for range 10 {
				body.WriteString(" " + rest[r.IntN(len(rest))])
			}
			fmt.Fprintf(&body, " of %s%d.\n", things[r.IntN(len(things))], r.IntN(3000))
		}
		c.Files.Set(fmt.Sprintf("@mem(proj)/note_%05d.md", i), fmt.Sprintf("---\nname: note-%05d\ndescription: what was learnt about %s on day %d\nmetadata:\n  type: project\n---\n\n%s", i, things[r.IntN(len(things))], i, body.String()))
		if i < 150 {
			fmt.Fprintf(&index, "- [note-%05d](note_%05d.md) — day %d\n", i, i, i)
		}
	}
	c.Files.Set("@mem(proj)/MEMORY.md", index.String())
	return c
}
