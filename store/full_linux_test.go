package store

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/note"
)

// TestAFullDiskLosesNothing fills a small file system of its own, once that of
// the notes and once that of the journal, page by page, and writes at each size.
func TestAFullDiskLosesNothing(t *testing.T) {
	for _, full := range []string{"memory", "state"} {
		t.Run(full, func(t *testing.T) {
			root := t.TempDir()
			small := filepath.Join(root, full)
			if err := os.Mkdir(small, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=128k,mode=700"); err != nil {
				t.Skip("no file system of its own can be had here: ", err)
			}
			defer syscall.Unmount(small, syscall.MNT_DETACH) //nolint:errcheck // the test's end
			s := open(t, layIn(t, root, map[string]string{"a.md": "a\n", IndexName: "- [a](a.md) — a\n"}))
			add(t, s, "first", "about the first")
			before := on(t, filepath.Join(root, "memory"))
			filler := filepath.Join(small, "filler")
			refused := 0
			for size := 128 << 10; size >= 0; size -= 4 << 10 {
				if err := os.WriteFile(filler, make([]byte, size), 0o600); err != nil && !strings.Contains(err.Error(), "no space") {
					t.Fatal(err)
				}
				done, err := s.Add(human, big("second"), Refuse)
				delete(before, "filler")
				got := on(t, filepath.Join(root, "memory"))
				delete(got, "filler")
				if err == nil {
					if got["second.md"] == "" || !strings.Contains(got[IndexName], "second.md") {
						t.Errorf("%d bytes taken: written and not there: %v", size, done)
					}
					break
				}
				refused++
				if !strings.Contains(err.Error(), "no space") {
					t.Errorf("%d bytes taken: %v", size, err)
				}
				if diff := cmp.Diff(before, got); diff != "" {
					t.Fatalf("%d bytes taken: %s", size, diff)
				}
			}
			if refused == 0 {
				t.Error("the disk was never full")
			}
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Forget(human, "second.md"); err != nil {
				t.Error(err)
			}
			if _, err := s.History(""); err != nil {
				t.Error(err)
			}
		})
	}
}

// big is a note of several pages.
func big(name string) New {
	return New{File: name + ".md", Bytes: []byte("---\nname: " + name + "\n---\n\n" + strings.Repeat("A line of text.\n", 600)), Line: note.Line{Title: name, Hook: "a fact"}}
}
