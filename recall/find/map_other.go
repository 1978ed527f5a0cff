//go:build !unix

package find

import (
	"io/fs"

	"dormouse/internal/safefile"
)

// mapFile reads a file of the cache.
func mapFile(path string) (b []byte, info fs.FileInfo, err error) {
	b, info, err = safefile.Read(path, maxCached)
	if err == nil && len(b) == 0 {
		err = errForeign
	}
	return b, info, err
}

func unmapFile([]byte) {}
