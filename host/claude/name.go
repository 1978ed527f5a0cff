package claude

import (
	"strconv"
	"unicode/utf16"
)

// FolderName returns the name of the folder below projects/ that the client
// keeps for an absolute path: every UTF-16 unit outside [A-Za-z0-9] becomes
// "-"; past 200 units the rest is replaced by a hash of the whole path. The
// mapping loses information: two paths can share a name, and no name can be
// turned back into its path. Measured on 2.1.332.
func FolderName(path string) string {
	units := utf16.Encode([]rune(path))
	out := make([]byte, 0, len(units))
	for _, u := range units {
		if u >= '0' && u <= '9' || u >= 'a' && u <= 'z' || u >= 'A' && u <= 'Z' {
			out = append(out, byte(u))
		} else {
			out = append(out, '-')
		}
	}
	if len(units) <= folderNameMax {
		return string(out)
	}
	return string(out[:folderNameMax]) + "-" + strconv.FormatInt(abs(hash(units)), 36)
}

// hash is the usual string hash of JavaScript programs, h*31+unit in 32 bits.
func hash(units []uint16) int32 {
	var h int32
	for _, u := range units {
		h = h<<5 - h + int32(u)
	}
	return h
}

func abs(h int32) int64 {
	if h < 0 {
		return -int64(h)
	}
	return int64(h)
}
