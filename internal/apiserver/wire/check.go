package wire

import (
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of the API.
const (
	MaxContent      = 102_400 // bytes
	MaxPath         = 1024    // bytes
	MaxSegments     = 20
	MaxMemories     = 10_000 // in a store
	MaxName         = 255    // characters
	MaxDescription  = 1024   // characters
	MaxMetadata     = 16     // pairs
	MaxKey          = 64     // characters
	MaxValue        = 512    // characters
	MaxAttached     = 8      // stores of a session
	MaxInstructions = 4096   // characters
	MaxTitle        = 500    // characters
	MaxInitial      = 50     // events
	MaxModel        = 256    // characters
	MaxSessions     = 100    // of a dream
	MaxPage         = 100    // items
	MaxFullPage     = 20     // items with content
	DefaultPage     = 20     // items
)

// CheckPath tells what is wrong with the path of a memory; nil if nothing is.
func CheckPath(path string) error {
	switch {
	case len(path) < 2 || path[0] != '/':
		return Invalid("path must begin with / and name something")
	case len(path) > MaxPath:
		return Invalid(fmt.Sprintf("path must be at most %d bytes long", MaxPath))
	case !utf8.ValidString(path):
		return Invalid("path must be UTF-8")
	case !norm.NFC.IsNormalString(path):
		return Invalid("path must be in Unicode normalization form C")
	case strings.ContainsFunc(path, unseen):
		return Invalid("path must not hold control characters, format characters or line separators")
	}
	segments := strings.Split(path[1:], "/")
	if len(segments) > MaxSegments {
		return Invalid(fmt.Sprintf("path must have at most %d segments", MaxSegments))
	}
	for _, s := range segments {
		if s == "" || s == "." || s == ".." {
			return Invalid("no segment of path may be empty, . or ..")
		}
	}
	return nil
}

func unseen(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// CheckPrefix tells what is wrong with the prefix that a list is asked for.
func CheckPrefix(prefix string) error {
	switch {
	case prefix == "" || prefix == "/":
		return nil
	case !strings.HasSuffix(prefix, "/"):
		return Invalid("path_prefix must end with /")
	case !strings.HasPrefix(prefix, "/") || len(prefix) > MaxPath:
		return Invalid("path_prefix must be the path of a folder")
	}
	return nil
}

// CheckContent tells what is wrong with a content.
func CheckContent(content string) error {
	switch {
	case len(content) > MaxContent:
		return Invalid(fmt.Sprintf("content must be at most %d bytes long, it has %d", MaxContent, len(content)))
	case !utf8.ValidString(content):
		return Invalid("content must be UTF-8")
	case strings.ContainsRune(content, 0):
		return Invalid("content must not hold U+0000")
	}
	return nil
}

// CheckHash tells what is wrong with a SHA-256 in lowercase hex.
func CheckHash(h string) error {
	if len(h) != 64 || strings.Trim(h, "0123456789abcdef") != "" {
		return Invalid("content_sha256 must be 64 lowercase hexadecimal digits")
	}
	return nil
}

// CheckName tells what is wrong with the name of a store.
func CheckName(name string) error {
	n := utf8.RuneCountInString(name)
	switch {
	case n == 0 || n > MaxName:
		return Invalid(fmt.Sprintf("name must have 1 to %d characters", MaxName))
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return Invalid("name must not hold control characters")
	}
	return nil
}

// CheckText tells what is wrong with a text of at least least and at most most
// characters.
func CheckText(field, text string, least, most int) error {
	n := utf8.RuneCountInString(text)
	switch {
	case n < least || n > most:
		return Invalid(fmt.Sprintf("%s must have %d to %d characters", field, least, most))
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return Invalid(field + " must be text")
	}
	return nil
}

// PatchMetadata is a metadata after a change: a string sets a key, nil deletes it.
func PatchMetadata(was map[string]string, change map[string]*string) (map[string]string, error) {
	m := maps.Clone(was)
	if m == nil {
		m = map[string]string{}
	}
	for k, v := range change {
		if v == nil {
			delete(m, k)
			continue
		}
		if err := CheckText("a key of metadata", k, 1, MaxKey); err != nil {
			return nil, err
		}
		if err := CheckText("a value of metadata", *v, 0, MaxValue); err != nil {
			return nil, err
		}
		m[k] = *v
	}
	if len(m) > MaxMetadata {
		return nil, Invalid(fmt.Sprintf("metadata must have at most %d pairs", MaxMetadata))
	}
	return m, nil
}
