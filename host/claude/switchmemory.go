package claude

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"dormouse/host"
	"dormouse/internal/jsonedit"
	"dormouse/internal/safefile"
	"dormouse/startup"
)

// SwitchMemory plans autoMemoryEnabled in the settings file of one scope. It
// keeps every other byte, and refuses a file that cannot be parsed even with
// comments and trailing commas allowed; the client allows neither, and then
// the change says so.
func (Host) SwitchMemory(s host.Session, scope startup.Scope, on bool) (*host.SettingChange, error) {
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	path, err := c.settingsPath(scope)
	if err != nil {
		return nil, err
	}
	spelled := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if isLink(path) {
		return nil, fmt.Errorf("%s is a link to nothing; mend or remove the link first", path)
	}
	before, _, err := safefile.Read(path, maxSettings)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return nil, err
	}
	after, err := jsonedit.SetBool(before, keyMemoryOn, on)
	if err != nil {
		return nil, fmt.Errorf("%s is left as it is: %w", path, err)
	}
	change := &host.SettingChange{Path: path, Key: keyMemoryOn, Before: before, After: after}
	if missing {
		change.Before = nil
	}
	if _, err := parseSettings(after); err != nil {
		change.Void = "the client ignores this whole settings file: " + err.Error()
	} else {
		change.Void = c.voidBecause(scope, spelled, on)
	}
	return change, nil
}

// settingsPath is the file a scope's switch belongs in. Local settings of a
// repository belong into its main checkout: the client lets that one win.
func (c *client) settingsPath(scope startup.Scope) (string, error) {
	switch scope {
	case startup.User:
		if _, err := configFolder(c.s); err != nil {
			return "", err
		}
		if home, err := os.Stat(c.s.Env.Home); c.s.Env.Getenv(envConfigDir) == "" && (err != nil || !home.IsDir()) {
			return "", fmt.Errorf("the home folder %s is not there", c.s.Env.Home)
		}
		return filepath.Join(c.config, settingsName), nil
	case startup.Project:
		return filepath.Join(c.cwd, dotFolder, settingsName), nil
	case startup.Local:
		return filepath.Join(c.root(), dotFolder, localSettingsName), nil
	}
	return "", fmt.Errorf("no settings file for scope %q", scope)
}

// voidBecause says which stronger switch makes the setting in path void.
func (c *client) voidBecause(scope startup.Scope, path string, on bool) string {
	now, by := c.memorySwitch()
	if by.By != keyMemoryOn && by.By != "default" {
		if now == on {
			return ""
		}
		return fmt.Sprintf("%s is %s%s and beats every setting", by.By, by.Value, place(by))
	}
	l, v, ok := c.settings.strongest(keyMemoryOn)
	if !ok || rank(l.scope) < rank(scope) || l.path == path || string(v) == fmt.Sprint(on) {
		return ""
	}
	if rank(l.scope) == rank(scope) && filepath.Dir(filepath.Dir(l.path)) != c.root() {
		return "" // a local file of the start folder, weaker than that of the main checkout
	}
	return fmt.Sprintf("%s is %s in %s:%d, which is stronger", keyMemoryOn, v, l.path, keyLine(l.raw, keyMemoryOn))
}

func place(d startup.Decision) string {
	if d.File == "" {
		return ""
	}
	return fmt.Sprintf(" (%s:%d)", d.File, d.Line)
}

func rank(s startup.Scope) int {
	switch s {
	case startup.User:
		return 0
	case startup.Project:
		return 1
	case startup.Local:
		return 2
	case flagScope:
		return 3
	}
	return 4
}
