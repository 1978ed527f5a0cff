package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// maxName is the length in bytes of the longest name for a new note, without the
// ending.
const maxName = 80

// ValidName tells why a name is no name for a new note; nil if it is one. The
// names are those that mean the same file on every system: a-z, 0-9, ".", "_"
// and "-", beginning with a letter or a digit, at most 80 of them before ".md";
// not that of the index, and none that Windows keeps for devices. Notes that are
// there are read whatever their name.
func ValidName(name string) error {
	stem, ok := strings.CutSuffix(name, noteSuffix)
	bad := func(why string) error { return fmt.Errorf("%q %w: %s", name, ErrName, why) }
	switch {
	case !ok:
		return bad("it does not end in .md")
	case stem == "":
		return bad("it is empty")
	case len(stem) > maxName:
		return bad(fmt.Sprintf("it is longer than %d characters", maxName))
	case strings.EqualFold(name, IndexName):
		return bad("the index is called so")
	}
	if first, _, _ := strings.Cut(stem, "."); reserved(first) {
		return bad("Windows keeps it for a device")
	}
	for i := range len(stem) {
		c := stem[i]
		letter := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("._-", rune(c))) {
			return bad("only a-z, 0-9, \".\", \"_\" and \"-\" are, and it begins with a letter or a digit")
		}
	}
	return nil
}

// reserved reports whether Windows takes a name for a device, whatever its
// ending and case.
func reserved(stem string) bool {
	switch s := strings.ToLower(stem); s {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	default:
		return len(s) == 4 && (s[:3] == "com" || s[:3] == "lpt") && '0' <= s[3] && s[3] <= '9'
	}
}

// free refuses a name that is taken, also by one that another system takes for
// the same: other case, or accents composed otherwise.
func (t *tx) free(rel string) error {
	if t.s.folder == nil {
		return nil
	}
	if _, err := t.s.folder.Lstat(rel); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s: %w", rel, ErrExists), unexpected(err))
	}
	for _, f := range t.files {
		if path.Dir(f.Rel) == path.Dir(rel) && sameName(f.Rel, rel) {
			return fmt.Errorf("%s: %w: it is written %s there", rel, ErrExists, f.Rel)
		}
	}
	return nil
}

// unexpected is an error of a look at a file that may or may not be there.
func unexpected(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sameName reports whether some file system takes two names for one.
func sameName(a, b string) bool {
	return strings.EqualFold(a, b) || strings.EqualFold(norm.NFC.String(a), norm.NFC.String(b))
}
