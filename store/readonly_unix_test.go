//go:build unix

package store

import (
	"os"
	"os/exec"
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

// copied is a program where every user may run it. Another process writes it: what
// this one has open for writing, a child that it starts at the same time may still
// hold, and then nobody can run it ("text file busy").
func copied(t *testing.T, program string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "program")
	if out, err := exec.Command("cp", program, path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
