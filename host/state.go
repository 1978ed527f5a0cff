package host

import (
	"errors"
	"fmt"
	"path/filepath"
)

// StateFolder is where Dormouse keeps what is its own: $DORMOUSE_HOME, else the
// system's place for state.
func StateFolder(env Env) (string, error) {
	if dir := env.Getenv("DORMOUSE_HOME"); dir != "" {
		return AbsoluteVariable("DORMOUSE_HOME", dir)
	}
	name := "XDG_STATE_HOME"
	if env.OS == "windows" {
		name = "LocalAppData"
	}
	if dir := env.Getenv(name); dir != "" {
		dir, err := AbsoluteVariable(name, dir)
		return filepath.Join(dir, "dormouse"), err
	}
	if env.Home == "" {
		return "", errors.New("the home folder is not known, so there is no place for the journal: set HOME, or DORMOUSE_HOME to a folder")
	}
	below := filepath.Join(".local", "state")
	if env.OS == "windows" {
		below = filepath.Join("AppData", "Local")
	}
	return filepath.Join(env.Home, below, "dormouse"), nil
}

// AbsoluteVariable is the folder that a variable of the environment names. It refuses
// a relative one: with it each working folder would have a journal of its own.
func AbsoluteVariable(name, dir string) (string, error) {
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%s is %q, which is not an absolute path: set it to one, or unset it", name, dir)
	}
	return filepath.Clean(dir), nil
}
