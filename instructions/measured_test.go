package instructions_test

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/instructions"
	"dormouse/instructions/markdown"
)

// measured is a rule file that Claude Code 2.1.332 was given, and what it loaded
// for it.
type measured struct {
	Name  string   `json:"name"`
	Text  string   `json:"text"`
	Files []string `json:"files"` // beside the file, as well as a, b, c and d
	Loads []string `json:"loads"` // the files that it loaded, in order
	Keeps string   `json:"keeps"` // the text that it sent, which is trimmed
}

func readMeasured(t *testing.T, file string) []measured {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []measured
	if err := json.Unmarshal(b, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

// loads is what the client would load of files for text.
func loads(text string, files []string) []string {
	out := []string{}
	for _, i := range instructions.ScanImports(text) {
		name := path.Clean(i.Path)
		if i.Verdict == instructions.Imports && slices.Contains(files, name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func check(t *testing.T, m measured, files []string) {
	t.Helper()
	if d := cmp.Diff(m.Loads, loads(m.Text, files)); d != "" {
		t.Errorf("imports of %q (-client +here):\n%s", m.Text, d)
	}
	if d := cmp.Diff(m.Keeps, markdown.Trim(instructions.StripComments(m.Text))); d != "" {
		t.Errorf("text of %q (-client +here):\n%s", m.Text, d)
	}
}

// Every row of testdata/measured.json was measured on 2.1.332.
func TestAsMeasuredOnTheClient(t *testing.T) {
	for _, m := range readMeasured(t, "testdata/measured.json") {
		t.Run(m.Name, func(t *testing.T) {
			check(t, m, append([]string{"a", "b", "c", "d"}, m.Files...))
		})
	}
}

// The rows of testdata/recorded.json are generated Markdown, recorded on 2.1.332.
func TestAsRecordedOnTheClient(t *testing.T) {
	for i, m := range readMeasured(t, "testdata/recorded.json") {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			check(t, m, m.Files)
		})
	}
}
