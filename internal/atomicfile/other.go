//go:build !unix

package atomicfile

import "io/fs"

func umask() fs.FileMode { return 0 }

// syncDir does nothing: the system has no such call.
func syncDir(string) error { return nil }
