//go:build unix

package store

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// nobody is a user without rights, to whom a folder can be read-only. Root may
// write everywhere.
const nobody = 65534

// TestAReadOnlyFolderIsRefusedWhole writes as a user who may not, into the folder
// and into the journal's place.
func TestAReadOnlyFolderIsRefusedWhole(t *testing.T) {
	t.Parallel()
	for _, closed := range []string{"memory", "state"} {
		for _, op := range []string{"add", "edit", "forget", "index"} {
			t.Run(closed+"/"+op, func(t *testing.T) {
				t.Parallel()
				c := laid(t, op)
				root := filepath.Dir(c.Dir)
				before := on(t, root)
				cmd := jobIn(c, job{Op: op}).command(t)
				if os.Geteuid() == 0 {
					cmd.Path = copied(t, os.Args[0])
					cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
					err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
						if err == nil {
							err = os.Chown(path, nobody, nobody)
						}
						return err
					})
					if err != nil {
						t.Skip("files can't be given away here: ", err)
					}
				}
				shut := filepath.Join(root, closed)
				if closed == "state" {
					shut = open(t, c).j.Dir()
				}
				if err := os.Chmod(shut, 0o500); err != nil {
					t.Fatal(err)
				}
				defer os.Chmod(shut, 0o700) //nolint:errcheck // so that it can be removed
				out, err := cmd.CombinedOutput()
				if cmd.Process == nil {
					t.Fatal(err)
				}
				if closed == "memory" && (err == nil || !strings.Contains(string(out), "permission denied")) {
					t.Errorf("%v: %s", err, out)
				}
				if err := os.Chmod(shut, 0o700); err != nil {
					t.Fatal(err)
				}
				if err != nil {
					if diff := cmp.Diff(within(before, "memory/"), within(on(t, root), "memory/")); diff != "" {
						t.Error(diff)
					}
				}
			})
		}
	}
}

// within are the files below a folder.
func within(files map[string]string, dir string) map[string]string {
	out := map[string]string{}
	for rel, text := range files {
		if strings.HasPrefix(rel, dir) {
			out[rel] = text
		}
	}
	return out
}

// copied is a program where every user may run it.
func copied(t *testing.T, program string) string {
	t.Helper()
	in, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "program")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
