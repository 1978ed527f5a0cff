//go:build unix

package find

import (
	"path/filepath"
	"syscall"
)

// pipe lays a named pipe, which nobody writes into.
func (w *world) pipe(rel string) {
	must(w.t, syscall.Mkfifo(filepath.Join(w.dir, rel), 0o600))
}
