//go:build !unix

package doctor

import "io/fs"

// Modes tell nothing of who may write here.

func otherOwner(fs.FileInfo) string { return "" }

func othersWrite(fs.FileInfo) bool { return false }
