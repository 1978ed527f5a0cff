package claude

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"dormouse/internal/safefile"
	"dormouse/startup"
)

// layer is one settings file (or the --settings argument) that the client
// takes account of.
type layer struct {
	scope startup.Scope
	path  string // "--settings" for the argument given as JSON
	raw   []byte
	keys  map[string]json.RawMessage
}

// settings are the layers from weak to strong, and what was wrong with those
// that do not count.
type settings struct {
	layers   []layer
	problems []startup.Problem
}

// flagScope marks the --settings argument; it is no scope of files.
const flagScope startup.Scope = "flag"

// layerFiles lists the settings files from weak to strong, as the client reads
// them (measured on 2.1.332): the project's own only from the start folder, the
// local ones from the start folder and, stronger, from the main checkout of the
// repository, so that worktrees and subfolders follow it.
func (c *client) layerFiles() []layer {
	var out []layer
	if c.source(startup.User) && c.config != "" {
		out = append(out, layer{scope: startup.User, path: filepath.Join(c.config, settingsName)})
	}
	if c.source(startup.Project) {
		out = append(out, layer{scope: startup.Project, path: filepath.Join(c.cwd, dotFolder, settingsName)})
	}
	if c.source(startup.Local) {
		out = append(out, layer{scope: startup.Local, path: filepath.Join(c.cwd, dotFolder, localSettingsName)})
		if main := c.root(); main != c.cwd {
			out = append(out, layer{scope: startup.Local, path: filepath.Join(main, dotFolder, localSettingsName)})
		}
	}
	return out
}

// loadSettings reads all layers. The error is for a --settings argument that
// the client itself refuses to start with.
func (c *client) loadSettings() error {
	for _, l := range c.layerFiles() {
		if err := c.settings.addFile(l); err != nil {
			c.settings.problems = append(c.settings.problems, startup.Problem{Path: l.path, What: err.Error()})
		}
	}
	if err := c.addFlagLayer(); err != nil {
		return err
	}
	c.addManagedLayers()
	return nil
}

func (s *settings) addFile(l layer) error {
	b, _, err := safefile.Read(l.path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings ignored: %w", err)
	}
	l.raw = b
	l.keys, err = parseSettings(b)
	if err != nil {
		return fmt.Errorf("the client ignores this whole settings file: %w", err)
	}
	s.layers = append(s.layers, l)
	return nil
}

// addFlagLayer reads --settings: a JSON object, or the path of a file. The
// client exits when the file is not there, and ignores one it cannot use.
func (c *client) addFlagLayer() error {
	arg := strings.TrimSpace(c.s.Flags.Settings)
	if arg == "" {
		return nil
	}
	l := layer{scope: flagScope, path: "--settings"}
	if strings.HasPrefix(arg, "{") && strings.HasSuffix(arg, "}") {
		l.raw = []byte(arg)
	} else {
		if !filepath.IsAbs(arg) {
			arg = filepath.Join(c.cwd, arg)
		}
		b, _, err := safefile.Read(arg, maxSettings)
		if err != nil {
			return fmt.Errorf("reading --settings: %w (the client would not start with it)", err)
		}
		l.path, l.raw = arg, b
	}
	keys, err := parseSettings(l.raw)
	if err != nil {
		c.settings.problems = append(c.settings.problems, startup.Problem{Path: l.path, What: "the client ignores these settings: " + err.Error()})
		return nil
	}
	l.keys = keys
	c.settings.layers = append(c.settings.layers, l)
	return nil
}

// addManagedLayers reads the organisation's settings: managed-settings.json,
// then managed-settings.d/*.json by name. A wrong value there drops its key,
// not the file.
func (c *client) addManagedLayers() {
	dir := c.managed()
	paths := []string{filepath.Join(dir, "managed-settings.json")}
	if !c.disk.folder(dir).there {
		return
	}
	drops, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	slices.Sort(drops)
	for _, p := range append(paths, drops...) {
		b, _, err := safefile.Read(p, maxSettings)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var keys map[string]json.RawMessage
		if err == nil {
			keys, err = parseObject(b)
		}
		if err != nil {
			c.settings.problems = append(c.settings.problems, startup.Problem{Path: p, What: "managed settings ignored: " + err.Error()})
			continue
		}
		for k, v := range keys {
			if want := settingKind(k); want != "" && !isKind(v, want) {
				delete(keys, k)
			}
		}
		c.settings.layers = append(c.settings.layers, layer{scope: startup.Managed, path: p, raw: b, keys: keys})
	}
}

func parseObject(b []byte) (map[string]json.RawMessage, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(b, &keys); err != nil {
		if se, ok := errors.AsType[*json.SyntaxError](err); ok {
			line, col := position(b, int(se.Offset))
			return nil, fmt.Errorf("not JSON at line %d, column %d: %s (comments, trailing commas and more than 10,000 levels cannot be read)", line, col, se.Error())
		}
		return nil, errors.New("not a JSON object")
	}
	if keys == nil {
		return nil, errors.New("not a JSON object")
	}
	return keys, nil
}

func parseSettings(b []byte) (map[string]json.RawMessage, error) {
	keys, err := parseObject(b)
	if err != nil {
		return nil, err
	}
	for k, v := range keys {
		if want := settingKind(k); want != "" && !isKind(v, want) {
			line := keyLine(b, k)
			return nil, fmt.Errorf("%q in line %d must be %s, but is %.60s", k, line, kindName(want), v)
		}
	}
	return keys, nil
}

// settingKind is the kind a known key's value must be of; one of another kind
// makes the client ignore the whole file (managed files: only the key). Measured
// on 2.1.332 key by key; keys that tolerate anything (hooks, theme, …) have "".
func settingKind(key string) string {
	switch key {
	case keyMemoryOn, "alwaysThinkingEnabled", "disableAllHooks", "includeCoAuthoredBy", "spinnerTipsEnabled", "enableAllProjectMcpServers",
		"autoDreamEnabled", "respectGitignore", "verbose", "skipDangerousModePermissionPrompt", "prefersReducedMotion",
		"showThinkingSummaries", "fastMode", "allowManagedHooksOnly", "terminalTitleFromRename", "voiceEnabled", "promptSuggestionEnabled",
		"useAutoModeDuringPlan", "syntaxHighlightingDisabled":
		return "bool"
	case keyMemoryDir, keyManagedText, "$schema", "model", "outputStyle", "language", "apiKeyHelper", "plansDirectory",
		"awsAuthRefresh", "gcpAuthRefresh", "advisorModel", "minimumVersion", "otelHeadersHelper", "agent":
		return "string"
	case keyExcludes:
		return "strings"
	case keyEnv, "permissions", "enabledPlugins", "statusLine", "sandbox", "attribution", "fileSuggestion", "spinnerVerbs",
		"worktree", "remote":
		return "object"
	case "companyAnnouncements", "availableModels", "strictKnownMarketplaces", "sshConfigs":
		return "array"
	case "cleanupPeriodDays", "feedbackSurveyRate":
		return "number"
	}
	return ""
}

func kindName(kind string) string {
	switch kind {
	case "bool":
		return "true or false"
	case "strings":
		return "list of strings"
	case "array":
		return "list"
	}
	return kind
}

func isKind(v json.RawMessage, want string) bool {
	if len(v) == 0 {
		return false
	}
	switch want {
	case "bool":
		return v[0] == 't' || v[0] == 'f'
	case "string":
		return v[0] == '"'
	case "object":
		return v[0] == '{'
	case "array":
		return v[0] == '['
	case "number":
		return v[0] == '-' || v[0] >= '0' && v[0] <= '9'
	}
	var list []string
	if v[0] != '[' || json.Unmarshal(v, &list) != nil {
		return false
	}
	return !bytes.Contains(v, []byte("null")) || !hasNull(v)
}

func hasNull(v json.RawMessage) bool {
	var list []*string
	return json.Unmarshal(v, &list) == nil && slices.Contains(list, nil)
}

// strongest returns the strongest layer that has the key.
func (s *settings) strongest(key string) (layer, json.RawMessage, bool) {
	for _, l := range slices.Backward(s.layers) {
		if v, ok := l.keys[key]; ok {
			return l, v, true
		}
	}
	return layer{}, nil, false
}

// decision names a layer's key as the origin of a value.
func (l layer) decision(key, value string) startup.Decision {
	return startup.Decision{Value: value, By: key, File: l.path, Line: keyLine(l.raw, key)}
}

// projectEnv are the variables that the env block of a project's or local
// settings may set in a headless run; user, --settings and managed blocks may
// set any. Measured on 2.1.332 for those that bear on memory.
func projectEnv(name string) bool {
	return name == envNoMemory || name == envNoInstr || name == envAddDirs
}

// envBlock returns the value that the settings' env blocks give a variable.
// They beat the process's own environment, an empty string too.
func (s *settings) envBlock(name string) (string, startup.Decision, bool) {
	for _, l := range slices.Backward(s.layers) {
		if (l.scope == startup.Project || l.scope == startup.Local) && !projectEnv(name) {
			continue
		}
		raw, ok := l.keys[keyEnv]
		if !ok {
			continue
		}
		var vars map[string]json.RawMessage
		if json.Unmarshal(raw, &vars) != nil {
			continue
		}
		if v, ok := scalar(vars[name]); ok {
			return v, startup.Decision{Value: v, By: name, File: l.path, Line: keyLine(l.raw, keyEnv, name)}, true
		}
	}
	return "", startup.Decision{}, false
}

// scalar is the text of a string, number or boolean.
func scalar(v json.RawMessage) (string, bool) {
	if len(v) == 0 {
		return "", false
	}
	var s string
	if json.Unmarshal(v, &s) == nil && v[0] == '"' {
		return s, true
	}
	if v[0] == '{' || v[0] == '[' || v[0] == 'n' {
		return "", false
	}
	return string(v), true
}

// keyLine returns the 1-based line of the last member named by the path of
// keys in a JSON document, or 0.
func keyLine(b []byte, path ...string) int {
	off := keyOffset(json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(b, []byte("\ufeff")))), path)
	if off < 0 {
		return 0
	}
	line, _ := position(b, off)
	return line
}

// keyOffset walks one object; the decoder stands before its "{".
func keyOffset(d *json.Decoder, path []string) int {
	found := -1
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return found
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return found
		}
		at := int(d.InputOffset())
		if t == path[0] && len(path) > 1 {
			if in := keyOffset(d, path[1:]); in >= 0 {
				found = in
			}
			continue
		}
		if t == path[0] {
			found = at
		}
		var skip json.RawMessage
		if d.Decode(&skip) != nil {
			return found
		}
	}
	d.Token() //nolint:errcheck // the closing brace; an error shows at the next token
	return found
}

// position turns a byte offset into a 1-based line and column (bytes).
func position(b []byte, off int) (line, col int) {
	off = min(max(off, 0), len(b))
	before := b[:off]
	return bytes.Count(before, []byte("\n")) + 1, off - bytes.LastIndexByte(before, '\n')
}
