package hook

import (
	"fmt"
	"os"
	"path/filepath"
)

// keep puts a file of ours in place as a whole. It is not flushed to disk: what a
// loss of power takes with it is only what came up in a session.
func keep(path string, b []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*") // made with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it says nothing more than the first error
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
