package cli

import (
	"errors"
	"path/filepath"
	"strings"

	"dormouse/host"
)

// defaultHost is the agent without --host.
const defaultHost = "claude"

// command is a command line to be copied: words, and the flags that make it mean
// the place that this command line means.
func (c *common) command(words string) string {
	verb, _, _ := strings.Cut(words, " ")
	return "dormouse " + words + c.placeFlags(verb)
}

// placeFlags are the flags that name the agent and the folders, quoted for a
// shell.
func (c *common) placeFlags(verb string) string {
	flags, switches := "", verb == "on" || verb == "off"
	if c.host != defaultHost {
		flags += " --host " + shellWord(c.host)
	}
	switch {
	case c.project != "" && switches: // where --project alone is a scope
		flags += " --project=" + shellWord(c.project)
	case c.project != "":
		flags += " --project " + shellWord(c.project)
	}
	switch {
	case switches: // they take no --store
	case c.store != "":
		flags += " --store " + shellWord(c.store)
	case c.globalAt != "":
		flags += " --store " + c.globalAt
	}
	return flags
}

// hinted puts those flags into the commands that a text from below names: a
// package that knows no command line can't.
func (c *common) hinted(text string) string {
	const name = "dormouse "
	var b strings.Builder
	for {
		i := strings.Index(text, name)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		inWord := i > 0 && (text[i-1] == '/' || text[i-1] == '.' || text[i-1] == '-')
		b.WriteString(text[:i+len(name)])
		text = text[i+len(name):]
		verb := text[:len(text)-len(strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz"))]
		rest := text
		if next := strings.Index(text, name); next >= 0 {
			rest = text[:next]
		}
		b.WriteString(verb)
		text = text[len(verb):]
		if flags := c.placeFlags(verb); !inWord && isCommand(verb) && !strings.Contains(rest, flags) && !(strings.Contains(flags, "--project") && strings.Contains(rest, " --project")) {
			b.WriteString(flags)
		}
	}
}

func isCommand(verb string) bool {
	for _, cmd := range commands(nil) {
		if cmd.name == verb {
			return true
		}
	}
	return false
}

// oneLine is an error's text, in which errors that were joined stand behind one
// another.
func oneLine(err error) string {
	text := err.Error()
	switch e := err.(type) { //nolint:errorlint // it walks the tree itself
	case interface{ Unwrap() []error }:
		raw, lines := []string{}, []string{}
		for _, part := range e.Unwrap() {
			raw, lines = append(raw, part.Error()), append(lines, oneLine(part))
		}
		if text == strings.Join(raw, "\n") {
			return strings.Join(lines, "; ")
		}
		for i := range raw {
			text = strings.Replace(text, raw[i], lines[i], 1)
		}
	case interface{ Unwrap() error }:
		if below := e.Unwrap(); below != nil {
			text = strings.Replace(text, below.Error(), oneLine(below), 1)
		}
	}
	return text
}

// errorText is how an error is told. One of wrong use speaks of the command itself.
func (c *common) errorText(err error) string {
	if _, ok := errors.AsType[usageError](err); ok {
		return oneLine(err)
	}
	return c.hinted(oneLine(err))
}

// shellPath is a path for a command line that is to be copied, below the home
// folder as ~/….
func shellPath(s host.Session, path string) string {
	sep := string(filepath.Separator)
	if rest, ok := strings.CutPrefix(path, s.Env.Home+sep); ok && s.Env.Home != "" && s.Env.Home != sep {
		return "~" + sep + shellWord(rest)
	}
	return shellWord(path)
}
