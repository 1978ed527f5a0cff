package transcript

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the turns that come out as the wanted ones")

// brief is a turn as the golden files have it: what tells it apart, and the
// beginning of each text.
type brief struct {
	At     string   `json:"at"` // line, role, and what is unusual
	Blocks []string `json:"blocks"`
}

func briefly(t *Turn) brief {
	at := []string{fmt.Sprint(t.Line), string(t.Role)}
	if t.Source != "" {
		at = append(at, "source="+t.Source)
	}
	if t.Sidechain {
		at = append(at, "sidechain of "+t.Agent)
	}
	if t.Compacted {
		at = append(at, "compacted")
	}
	if t.Wrote != "" {
		at = append(at, fmt.Sprintf("wrote %s: %q", t.Wrote, t.Content))
	}
	b := brief{At: strings.Join(at, " ")}
	for _, x := range t.Blocks {
		s := fmt.Sprintf("%s of %s", x.Kind, x.Origin)
		if x.Tool != "" {
			s += " by " + x.Tool
		}
		if x.Failed {
			s += ", failed"
		}
		text := x.Text
		if x.Kind == Call {
			text = string(x.Input)
		}
		if r := []rune(text); len(r) > 120 {
			text = string(r[:120]) + "…"
		}
		b.Blocks = append(b.Blocks, s+": "+text)
	}
	return b
}

// outcomes are what came out of a log.
type outcomes struct {
	Stats Stats   `json:"stats"`
	Turns []brief `json:"turns"`
}

// TestRecordedLogsComeOutAsWanted reads logs that Claude Code 2.1.332 wrote, with
// their paths made neutral and long texts cut, and logs of the other hosts made
// after their sources. What is wanted of all stands in testdata/want.json.
func TestRecordedLogsComeOutAsWanted(t *testing.T) {
	t.Parallel()
	got := map[string]outcomes{}
	for name, log := range recorded(t) {
		name = filepath.Base(name)
		var out outcomes
		host := ""
		var err error
		out.Stats, err = Read(bytes.NewReader(log), &Seen{}, func(turn *Turn) error {
			host = turn.Host
			out.Turns = append(out.Turns, briefly(turn))
			return nil
		})
		if err != nil {
			t.Fatal(name, err)
		}
		if !strings.HasPrefix(name, host+"-") {
			t.Errorf("%s was read as a log of %q", name, host)
		}
		got[name] = out
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("testdata/want.json", b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/want.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
