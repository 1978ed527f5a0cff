package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhichFilesAFixMayWrite(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(top, "project")
	if err := os.MkdirAll(filepath.Join(root, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(path string, mode os.FileMode) {
		if err := os.WriteFile(path, []byte("x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, path string) {
		if err := os.Symlink(to, path); err != nil {
			t.Skip("no links here: " + err.Error())
		}
	}
	put(filepath.Join(root, "CLAUDE.md"), 0o600)
	put(filepath.Join(root, "readonly.md"), 0o444)
	put(filepath.Join(top, "shared.md"), 0o600)
	link("../shared.md", filepath.Join(root, "out.md"))
	link("CLAUDE.md", filepath.Join(root, "in.md"))
	link(top, filepath.Join(root, "docs", "up"))
	for path, want := range map[string]string{
		"CLAUDE.md": "", "in.md": "", "missing.md": "", "../shared.md": "",
		"readonly.md": "mode 0444", "out.md": "outside the project", "docs/up/shared.md": "outside the project",
	} {
		got := Locked(filepath.Join(root, filepath.FromSlash(path)), root)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
