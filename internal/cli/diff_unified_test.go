package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	udiff "github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"
)

// texts draws texts of few different lines, so that many are the same.
func texts() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "-x\n", "d\r\n", "\xff\n"}), 0, 40).Draw(t, "lines")
		return strings.Join(lines, "") + rapid.SampledFrom([]string{"", "end"}).Draw(t, "end")
	})
}

func TestUnifiedIsWhatTheLibraryPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := texts().Draw(t, "from"), texts().Draw(t, "to")
		if got, want := unified("a", "b", from, to), udiff.Unified("a", "b", from, to); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	})
}

func TestUnifiedGoesThroughPatch(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch here")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	rapid.Check(t, func(t *rapid.T) {
		from, to := texts().Draw(t, "from"), texts().Draw(t, "to")
		d := unified("a.md\tbefore change 3", "a.md\tafter change 3", from, to)
		if d == "" || from == "" || to == "" { // patch makes and removes files then
			return
		}
		if err := os.WriteFile(file, []byte(from), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(patch, "-s", "--binary", file)
		cmd.Stdin = strings.NewReader(d)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v %s\n%s", err, out, d)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, []byte(to)) {
			t.Fatalf("patch gives %q, want %q", got, to)
		}
	})
}
