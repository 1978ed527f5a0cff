//go:build linux

package transcript

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// maxPeak is the memory that a process may reach, whatever the log, in KiB: the
// requirement has 100 MB.
const maxPeak = 100_000_000 / 1024

// hungryLogs are hostile for memory, each in its way. They are made as they are
// read: what the test holds itself would count.
func hungryLogs() map[string]func() io.Reader {
	repeat := func(s string, n int) io.Reader { return &again{log: []byte(s), times: n} }
	row := modern("hello") + "\n"
	lines := func(n int, head, fill, tail string) io.Reader {
		all := []io.Reader{strings.NewReader(row)}
		for range n {
			all = append(all, strings.NewReader(head), repeat(fill, (MaxLine-10_000)/len(fill)), strings.NewReader(tail+"\n"))
		}
		return io.MultiReader(all...)
	}
	return map[string]func() io.Reader{
		"300 MB as the client writes them": func() io.Reader {
			var all []io.Reader
			for range 10 {
				f, err := os.Open(os.Getenv("TRANSCRIPT_SAMPLE"))
				if err != nil {
					return failing{err}
				}
				all = append(all, f)
			}
			return io.MultiReader(all...)
		},
		"one line of 300 MB": func() io.Reader {
			return io.MultiReader(strings.NewReader(row+`{"type":"user","message":{"content":"`), io.LimitReader(letters{}, 300<<20), strings.NewReader("\"}}\n"+row))
		},
		"lines just under the limit": func() io.Reader {
			return lines(30, `{"type":"assistant","uuid":"u","message":{"content":[{"type":"text","text":"`, `\n`, `"}]}}`)
		},
		"lines of many small blocks": func() io.Reader {
			return lines(10, `{"type":"assistant","uuid":"u","message":{"content":[`, `{},`, `{}]}}`)
		},
		"lines of many small texts": func() io.Reader {
			return lines(10, `{"type":"user","uuid":"u","message":{"content":[{"type":"tool_result","content":[`, `"",{"text":"x"},`, `{}]}]}}`)
		},
		"patches of many empty hunks": func() io.Reader {
			return lines(10, `{"type":"user","message":{"content":[{"type":"tool_result"}]},"toolUseResult":{"filePath":"x","originalFile":"","structuredPatch":[`, `{"lines":["",""]},`, `{}]}}`)
		},
		"lines of many brackets, for trust": func() io.Reader {
			return lines(10, `{"type":"user","message":{"content":[{"type":"text","text":"`, `<b<`, `"}]}}`)
		},
		"prompts that no event tells about": func() io.Reader {
			part := `{"type":"input_text","text":"` + strings.Repeat("x", 10000) + `"},`
			all := []io.Reader{strings.NewReader(`{"type":"event_msg","payload":{"type":"task_started"}}` + "\n")}
			for range 40 {
				all = append(all, strings.NewReader(`{"type":"response_item","payload":{"type":"message","role":"user","content":[`), repeat(part, (MaxLine-20_000)/len(part)), strings.NewReader("{}]}}\n"))
			}
			return io.MultiReader(all...)
		},
		"calls that never end": func() io.Reader {
			r, w := io.Pipe()
			go func() {
				for i := range 500_000 {
					if _, err := fmt.Fprintf(w, `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_%d","name":"Tool%d","input":{}}]},"sessionId":"s%d"}`+"\n", i, i, i); err != nil {
						return
					}
				}
				_ = w.Close()
			}()
			return r
		},
		"one document of 300 MB": func() io.Reader {
			return io.MultiReader(strings.NewReader(`{"sessionId":"s","projectHash":"h","messages":[{"id":"0","timestamp":"","type":"user","content":"x"}`),
				repeat(`,{"id":"1","timestamp":"","type":"gemini","content":"`+strings.Repeat("x", 20000)+`"}`, 15000), strings.NewReader("]}"))
		},
	}
}

func TestMemoryDoesNotGrowWithTheLog(t *testing.T) {
	if name := os.Getenv("TRANSCRIPT_HUNGRY_LOG"); name != "" {
		read := func() (Stats, error) { return Read(hungryLogs()[name](), nil, func(*Turn) error { return nil }) }
		if strings.HasSuffix(name, "for trust") {
			read = func() (Stats, error) { return Claude(hungryLogs()[name](), func(Event) error { return nil }) }
		}
		st, err := read()
		status, _ := os.ReadFile("/proc/self/status")
		fmt.Fprintf(os.Stdout, "turns=%d err=%v\n%s\n", st.Turns, err, status)
		return
	}
	if testing.Short() {
		t.Skip("reads 1.5 GB")
	}
	file := filepath.Join(t.TempDir(), "sample.jsonl")
	if err := os.WriteFile(file, sample(), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name := range hungryLogs() {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(self, "-test.run=^TestMemoryDoesNotGrowWithTheLog$")
			// With a soft limit, as every program of ours has one (and a lower one): without,
			// how far the collector lags behind depends on who else uses the machine.
			cmd.Env = append(os.Environ(), "TRANSCRIPT_HUNGRY_LOG="+name, "TRANSCRIPT_SAMPLE="+file, "GOGC=100", "GOMEMLIMIT=48MiB")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text := string(out)
			_, rest, ok := strings.Cut(text, "VmHWM:")
			if !ok || !strings.Contains(text, "err=<nil>") || strings.Contains(text, "turns=0 ") {
				t.Fatalf("no peak, or nothing read:\n%s", text)
			}
			peak, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("peak %d KiB", peak)
			if peak > shadow*maxPeak {
				t.Errorf("a peak of %d KiB", peak)
			}
		})
	}
}
