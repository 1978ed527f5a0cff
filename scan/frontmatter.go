package scan

import "strings"

const (
	// headBytes and headLines are more than any head of a note needs.
	headBytes = 8 << 10
	headLines = 64
)

// frontmatter looks at the head of a note, between two lines of three dashes.
// It reads lines, not YAML: it looks for what no flat head has.
func (r *run) frontmatter() {
	text := r.text
	start, ok := headStart(text)
	if !ok {
		return
	}
	seen := map[string]bool{}
	lines := 0
	for at := start; at < len(text); {
		end := lineEnd(text, at)
		line := strings.TrimRight(text[at:end], " \t\r")
		if line == "---" || line == "..." {
			return
		}
		lines++
		if lines > headLines || at-start > headBytes {
			r.frontmatterTooLong(start, at)
			return
		}
		r.headLine(line, at, seen)
		at = end + 1
	}
}

func headStart(text string) (int, bool) {
	rest := strings.TrimPrefix(text, "\ufeff")
	line := strings.TrimRight(rest[:lineEnd(rest, 0)], " \t\r")
	if line != "---" {
		return 0, false
	}
	return min(len(text), len(text)-len(rest)+lineEnd(rest, 0)+1), true
}

// frontmatterTooLong tells a long head from a text that begins with a rule: a
// head has its end somewhere.
func (r *run) frontmatterTooLong(start, at int) {
	if strings.Contains(r.text[at:], "\n---") {
		r.add("frontmatter/size", start, at)
	}
}

func (r *run) headLine(line string, at int, seen map[string]bool) {
	key, value, ok := strings.Cut(line, ":")
	if !ok || key == "" || strings.HasPrefix(key, "#") {
		return
	}
	nested := key[0] == ' ' || key[0] == '-' || key[0] == '\t'
	name := strings.ToLower(strings.Trim(key, " \t-\"'?"))
	value = strings.TrimSpace(value)
	if !nested {
		if seen[name] {
			r.add("frontmatter/duplicate", at, at+len(line))
		}
		seen[name] = true
	}
	switch {
	case claimsTrust(name, value):
		r.add("frontmatter/trust", at, at+len(line))
	case name == "<<", value != "" && strings.ContainsRune("&*!", rune(value[0])) && len(value) > 1 && value[1] != ' ' && value[1] != '*':
		r.add("frontmatter/alias", at, at+len(line))
	case name == "name" && isTricky(value):
		r.add("frontmatter/path", at, at+len(line))
	}
}

// claimsTrust reports keys that say what only the program can know.
func claimsTrust(name, value string) bool {
	switch strings.ReplaceAll(name, "-", "_") {
	case "trust", "trusted", "trust_level", "approved", "approved_by", "approval", "verified", "verified_by", "provenance",
		"always_load", "bypass_review", "skip_review", "reviewed", "reviewed_by", "human_verified", "user_approved",
		"user_confirmed", "confirmed_by_user", "quarantine", "signature", "authority", "permissions", "allowed_tools", "hooks":
		return value != ""
	case "origin":
		switch strings.Trim(strings.ToLower(value), "\"'") {
		case "human", "user", "user-turn", "user_turn", "trusted", "owner", "operator", "system", "admin", "cli", "editor":
			return true
		}
	case "source", "role", "author", "priority":
		switch strings.Trim(strings.ToLower(value), "\"'") {
		case "system", "developer", "operator", "admin", "anthropic", "override", "trusted", "root":
			return true
		}
	}
	return false
}

func isTricky(name string) bool {
	name = strings.Trim(name, "\"'")
	return strings.Contains(name, "..") && strings.ContainsAny(name, "/\\") || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") ||
		strings.Contains(name, "\\") || strings.HasPrefix(name, ".ssh") || strings.Contains(name, "/.")
}
