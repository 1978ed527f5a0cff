package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestReplace(t *testing.T) {
	for _, tc := range []struct {
		name    string
		have    string // "" means no file
		before  []byte
		want    string
		wantErr error
	}{
		{"a file that holds what was read is replaced", "old", []byte("old"), "new", nil},
		{"a new file is made", "", nil, "new", nil},
		{"an empty file is not a missing one", "", []byte{}, "", ErrChanged},
		{"a file that another program changed stays", "other", []byte("old"), "other", ErrChanged},
		{"a file that another program made stays", "other", nil, "other", ErrChanged},
		{"a file that grew stays", "old and more", []byte("old"), "old and more", ErrChanged},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "sub", "f.json")
			if tc.have != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(tc.have), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			err := Replace(path, tc.before, []byte("new"))
			if !errors.Is(err, tc.wantErr) {
				t.Fatalf("error %v, want %v", err, tc.wantErr)
			}
			got, _ := os.ReadFile(path)
			if string(got) != tc.want {
				t.Errorf("file holds %q, want %q", got, tc.want)
			}
			if info, err := os.Stat(path); err == nil && tc.have != "" && info.Mode().Perm() != 0o640 {
				t.Errorf("mode is %v", info.Mode())
			}
			left, _ := filepath.Glob(filepath.Join(dir, "sub", ".*.tmp"))
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestReplaceRefusesALink(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here:", err)
	}
	if err := Replace(link, []byte("old"), []byte("new")); err == nil {
		t.Error("a link was replaced")
	}
	if got, _ := os.ReadFile(target); string(got) != "old" {
		t.Errorf("target holds %q", got)
	}
}
