package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// name is what Dormouse's program and its server are called.
const name = "dormouse"

// A Program is how a host calls Dormouse.
type Program struct {
	Path string // absolute, or a bare name that the host finds in PATH
	OS   string // GOOS of the host
	Host string // the host's name: events of others than Claude Code say whose they are
}

// Find returns the path to write into settings for the running program exe, an
// absolute path: the name by which it is found in PATH, if that leads to it, as
// that stays when a newer version takes the place of what a link leads to.
// lookPath is exec.LookPath. The error says that exe lies where it will not stay.
func Find(exe string, lookPath func(string) (string, error)) (string, error) {
	real, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", fmt.Errorf("the running program: %w", err)
	}
	for _, n := range []string{name, filepath.Base(exe)} {
		p, err := lookPath(n)
		if err != nil || !filepath.IsAbs(p) {
			continue // relative: found through the current folder
		}
		if r, err := filepath.EvalSymlinks(p); err == nil && r == real {
			return filepath.Clean(p), nil
		}
	}
	if strings.Contains(filepath.ToSlash(real), "/go-build") {
		return "", errors.New("this program was built by go run and is gone when it ends: build it first (go install ./cmd/...), or name one with --program")
	}
	return exe, nil
}

// check refuses a path that cannot be written down so that each shell reads it.
func (p Program) check(apart bool) error {
	for _, r := range p.Path {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("the program's path %q has a control character in it: move the program, or link to it", p.Path)
		}
	}
	if !apart && p.OS == "windows" && strings.ContainsAny(p.Path, `"%^&|<>!`) {
		return fmt.Errorf("the program's path %s has characters that the shells of Windows read differently: move the program", p.Path)
	}
	return nil
}

// hookArgs are the arguments for one event.
func (p Program) hookArgs(event string) []string {
	args := []string{"hook", event}
	if p.Host != "claude" {
		args = append(args, "--host", p.Host)
	}
	return args
}

// serverArgs are the arguments of the server.
func serverArgs() []string { return []string{"mcp"} }

// line is a hook as one line for the host's shell. On Windows that may be cmd or
// PowerShell, which read quotes at the beginning differently; both read this.
func (p Program) line(event string) string {
	path := p.Path
	switch {
	case plain(path, p.OS):
	case p.OS == "windows":
		path = `cmd /c "` + path + `"`
	default:
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path + " " + strings.Join(p.hookArgs(event), " ")
}

// plain tells that no shell sees anything special in a path.
func plain(path, goos string) bool {
	for _, r := range path {
		ok := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@", r) ||
			r == '\\' && goos == "windows"
		if !ok {
			return false
		}
	}
	return path != ""
}

// words takes a line apart that line wrote, or somebody like it. It returns nil
// for one that does more than call one program.
func words(line, goos string) []string {
	var all []string
	var word strings.Builder
	in, quoted := false, rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case quoted == 0 && r == '\\' && goos != "windows":
			in, escaped = true, true
		case quoted != 0 && r == quoted:
			quoted = 0
		case quoted == '"' && strings.ContainsRune("$`\\", r) && goos != "windows":
			return nil
		case quoted != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			in, quoted = true, r
		case r == ' ' || r == '\t':
			if in {
				all = append(all, word.String())
			}
			in = false
			word.Reset()
		case strings.ContainsRune("$`;|&<>()\n\r*?[]{}~#!", r):
			return nil
		default:
			in = true
			word.WriteRune(r)
		}
	}
	if quoted != 0 || escaped {
		return nil
	}
	if in {
		all = append(all, word.String())
	}
	if len(all) > 2 && all[0] == "cmd" && all[1] == "/c" {
		all = all[2:]
	}
	return all
}

// isOurs tells whether a path is Dormouse's program: by its name, or because it
// was written here before.
func isOurs(path string, known []string) bool {
	if slices.Contains(known, path) {
		return true
	}
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	base = strings.TrimSuffix(strings.ToLower(base), ".exe")
	rest, ok := strings.CutPrefix(base, name)
	return ok && (rest == "" || rest[0] == '-' || rest[0] == '_' || rest[0] == '.')
}
