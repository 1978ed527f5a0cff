package cli

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"dormouse/host"
	"dormouse/internal/term"
)

// pathPrinter shortens paths below the home folder to ~/… for people, also
// within a sentence, and makes them harmless on a terminal.
func pathPrinter(s host.Session) func(string) string {
	home := s.Env.Home
	if home == "" || home == string(filepath.Separator) {
		return term.Safe
	}
	below := home + string(filepath.Separator)
	return func(text string) string {
		if text == home {
			return "~"
		}
		return term.Safe(strings.ReplaceAll(text, below, "~"+string(filepath.Separator)))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// size prints bytes in units of 1,000, as disks and file managers count.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f KB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// baseOf shows a note's path relative to its store.
func baseOf(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil {
		return rel
	}
	return path
}
