//go:build unix

package cli

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"dormouse/testkit"
)

// BenchmarkHookPromptTenThousandNotes compares the hook at a prompt, as a whole process
// over 10,000 notes whose index is there, with a program that does nothing.
func BenchmarkHookPromptTenThousandNotes(b *testing.B) {
	benchHook(b, manyNotesCase(10_000), "UserPromptSubmit", `"prompt":"what do we know about the webhook1572 of the billing shard?"`)
}

// BenchmarkHookStartThousandNotes does the same at the start of a session.
func BenchmarkHookStartThousandNotes(b *testing.B) {
	benchHook(b, manyNotesCase(1000), "SessionStart", `"source":"startup"`)
}

func benchHook(b *testing.B, c *testkit.Case, event, more string) {
	l := layBench(b, c)
	ours, nothing := buildFor(b, "dormouse/cmd/dormouse"), buildFor(b, "dormouse/internal/tools/benchempty")
	n := 0
	hook := func() (cpu, wall time.Duration) {
		n++
		cmd := exec.Command(ours, "hook", event)
		cmd.Dir, cmd.Env = l.Cwd, []string{"HOME=" + l.Home}
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"%d","cwd":%q,%s}`, n, l.Cwd, more))
		from := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), time.Since(from)
	}
	time.Sleep(3 * time.Second) // of what just changed file times tell nothing, so it is read each time
	hook()
	var cpu, ref, walls []time.Duration
	for b.Loop() {
		a, wall := hook()
		r, _ := cpuOf(b, l, nothing)
		cpu, ref, walls = append(cpu, a), append(ref, r), append(walls, wall)
	}
	b.ReportMetric(ms(percentile(cpu, 50)), "cpu-ms/op")
	b.ReportMetric(float64(percentile(cpu, 50))/float64(percentile(ref, 50)), "times-an-empty-program")
	b.ReportMetric(float64(percentile(walls, 95))/float64(percentile(walls, 50)), "p95-times-median")
}
