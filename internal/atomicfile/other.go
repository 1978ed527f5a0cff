//go:build !unix

package atomicfile

import "io/fs"

func umask() fs.FileMode { return 0 }

// SyncDir does nothing: the system has no such call.
func SyncDir(string) error { return nil }
