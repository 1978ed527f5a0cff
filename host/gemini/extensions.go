package gemini

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"dormouse/host/internal/look"
	"dormouse/startup"
)

// extensions lists the context files of the installed extensions that are on
// here, sorted by path. Trust has no part in it. Measured.
func (c *client) extensions() []item {
	dir := filepath.Join(c.dot, extensionsName)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	rules := c.readJSON(filepath.Join(dir, enablementName))
	var out []item
	for _, e := range entries {
		folder := filepath.Join(dir, e.Name())
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		folder = c.linked(folder)
		manifest := c.readJSON(filepath.Join(folder, manifestName))
		name, ok1 := manifest.text("name")
		if _, ok2 := manifest.text("version"); !ok1 || !ok2 || strings.Trim(name, nameRunes) != "" {
			c.rep.Notice(folder, 0, "Gemini CLI passes over this extension: it has no "+manifestName+" with a version and a name of letters, digits and dashes")
			continue
		}
		items := c.extensionFiles(folder, name, manifest)
		if off := c.extensionOff(rules, name); off == nil {
			out = append(out, items...)
		} else {
			for _, it := range items {
				c.rep.Leave(startup.Left{Path: it.path, Scope: it.scope, Reason: startup.NotOff, From: off.file, Line: off.Line, Why: "the extension " + name + " is off here"})
			}
		}
	}
	return sorted(out)
}

const nameRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// text returns a key that is a string with something in it.
func (s settings) text(path ...string) (string, bool) {
	k, _ := s.get(path...)
	v, ok := k.Value.(string)
	return v, ok && v != ""
}

// linked is the folder that an extension was linked from, or its own.
func (c *client) linked(folder string) string {
	install := c.readJSON(filepath.Join(folder, installName))
	kind, _ := install.text("type")
	if source, ok := install.text("source"); ok && kind == "link" {
		return source
	}
	return folder
}

func (c *client) extensionFiles(folder, name string, manifest settings) []item {
	names := []any{contextName}
	if s, ok := manifest.get(keyContextName); ok && s.Value != nil && s.Value != "" {
		if names, ok = s.Value.([]any); !ok {
			names = []any{s.Value}
		}
	}
	var out []item
	for _, v := range names {
		n, _ := v.(string)
		path := filepath.Join(folder, n)
		if strings.TrimSpace(n) == "" || filepath.IsAbs(n) || strings.Contains(n, "..") || !look.Inside(folder, path) || !c.there(path) {
			continue
		}
		out = append(out, item{path, startup.User, startup.ByUser, "of the extension " + name})
	}
	return out
}

// extensionOff returns the rule that switches an extension off for the start
// folder: the last one that fits decides. Source, measured.
func (c *client) extensionOff(rules settings, name string) *setting {
	s, ok := rules.get(name, keyOverrides)
	list, _ := s.Value.([]any)
	if !ok {
		return nil
	}
	off := false
	for _, v := range list {
		rule, _ := v.(string)
		glob, no := strings.CutPrefix(rule, "!")
		if fits(glob, filepath.ToSlash(c.rep.Cwd)+"/") {
			off = no
		}
	}
	if !off {
		return nil
	}
	return &s
}

// fits tells whether a rule's folder is this one; a * at the end takes in those
// below it.
func fits(glob, folder string) bool {
	quoted := strings.Split(glob, "*")
	for i, part := range quoted {
		quoted[i] = regexp.QuoteMeta(part)
		if i < len(quoted)-1 {
			if cut, slash := strings.CutSuffix(quoted[i], "/"); slash {
				quoted[i] = cut + "(/.*)?"
			} else {
				quoted[i] += "(.*)?"
			}
		}
	}
	re, err := regexp.Compile("^" + strings.Join(quoted, "") + "$")
	return err == nil && re.MatchString(folder)
}
