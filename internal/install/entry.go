package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"

	"dormouse/host"
	"dormouse/internal/jsonedit"
	"dormouse/internal/tomledit"
)

// A handler is one hook, as all hosts write it.
type handler struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args,omitempty"`
	Timeout int64    `json:"timeout,omitempty"`
}

type group struct {
	Matcher string            `json:"matcher,omitempty"`
	Hooks   []json.RawMessage `json:"hooks"`
}

// A server is an entry of an MCP server.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// hook is one hook of ours that stands in a file.
type hook struct {
	event   string
	program string
	args    []string
	// Where it stands, and whether the group has nothing else in it.
	group, at int
	alone     bool
}

// found is what of Dormouse a file has.
type found struct {
	hooks   []hook
	theirs  []hook // those that stood there before anything was installed
	server  string // the program of the server, "" without one
	another string // the program of a server of that name that is not Dormouse, or how it is written
}

func (f found) any() bool { return len(f.hooks) > 0 || f.server != "" }

// programs lists what is called.
func (f found) programs() []string {
	var all []string
	for _, h := range f.hooks {
		all = append(all, h.program)
	}
	if f.server != "" {
		all = append(all, f.server)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// oursIn reads one handler: the event it is called for, and by which program.
func oursIn(raw json.RawMessage, known []string, goos string) (h hook, ok bool) {
	var one handler
	if json.Unmarshal(raw, &one) != nil || one.Type != "command" {
		return hook{}, false
	}
	all := append([]string{one.Command}, one.Args...)
	if len(one.Args) == 0 {
		all = words(one.Command, goos)
	}
	fits := len(all) == 3 || len(all) == 5 && all[3] == "--host"
	if !fits || all[1] != "hook" || !isOurs(all[0], known) {
		return hook{}, false
	}
	return hook{event: all[2], program: all[0], args: all[1:]}, true
}

// look finds what of Dormouse stands in a file that can be read.
func (t *target) look(src []byte) (found, error) {
	var f found
	if t.toml {
		return f, t.lookTOML(src, &f)
	}
	if t.hooks != nil {
		f.hooks = t.hooksIn(plainJSON(jsonedit.Find(src, t.hooks.Keys)))
	}
	if t.server != nil {
		if raw := plainJSON(jsonedit.Find(src, append(slices.Clone(t.server.Keys), name))); raw != nil {
			var s server
			_ = json.Unmarshal(raw, &s) // of another kind: another's
			f.take(s, t.known)
		}
	}
	return f, nil
}

// plainJSON is a value without comments.
func plainJSON(raw []byte) json.RawMessage {
	if raw == nil || json.Valid(raw) {
		return raw
	}
	out, err := hujson.Standardize(bytes.Clone(raw))
	if err != nil {
		return nil
	}
	return out
}

func (f *found) take(s server, known []string) {
	switch {
	case s.Command != "" && len(s.Args) > 0 && s.Args[0] == "mcp" && isOurs(s.Command, known):
		f.server = s.Command
	case s.Command != "":
		f.another = s.Command
	default:
		f.another = "something else"
	}
}

// hooksIn finds our hooks in the object of events.
func (t *target) hooksIn(raw json.RawMessage) []hook {
	var all []hook
	var events map[string]json.RawMessage
	_ = json.Unmarshal(raw, &events) // of another kind: none of ours is in it
	for event, list := range events {
		var groups []json.RawMessage
		_ = json.Unmarshal(list, &groups)
		for i, rawGroup := range groups {
			var g group
			if json.Unmarshal(rawGroup, &g) != nil {
				continue
			}
			n := len(all)
			for j, rawHandler := range g.Hooks {
				if h, ok := oursIn(rawHandler, t.known, t.goos); ok && h.event == event {
					h.group, h.at = i, j
					all = append(all, h)
				}
			}
			if len(all)-n == len(g.Hooks) {
				for k := n; k < len(all); k++ {
					all[k].alone = true
				}
			}
		}
	}
	return all
}

func (t *target) lookTOML(src []byte, f *found) error {
	doc, err := tomledit.Read(src)
	if err != nil {
		return err
	}
	v, ok := tomledit.Lookup(doc, append(slices.Clone(t.server.Keys), name))
	if !ok {
		return nil
	}
	m, _ := v.(map[string]any)
	s := server{}
	s.Command, _ = m["command"].(string)
	list, _ := m["args"].([]any)
	for _, a := range list {
		s.Args = append(s.Args, fmt.Sprint(a))
	}
	f.take(s, t.known)
	return nil
}

// readJSON decodes the top level of a source, which may have comments.
func readJSON(src []byte) (map[string]json.RawMessage, error) {
	text := bytes.TrimPrefix(src, []byte("\uFEFF"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var doc map[string]json.RawMessage
	if json.Unmarshal(text, &doc) == nil && doc != nil {
		return doc, nil
	}
	// It has comments, or it is no JSON: the editor tells where.
	if _, err := jsonedit.Drop(src, []string{"\x00"}); err != nil {
		return nil, err
	}
	text, err := hujson.Standardize(append(bytes.Clone(text), '\n'))
	if err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("it is not JSON: %w", err)
	}
	return doc, nil
}

// encode writes a value as JSON without escapes for HTML.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings and numbers: it cannot fail
	return bytes.TrimSpace(b.Bytes())
}

// written is a group with one hook of ours.
func written(e host.HookEvent, w *host.Wiring, p Program) []byte {
	h := handler{Type: "command", Timeout: int64(e.Timeout / w.Unit)}
	if w.Apart {
		h.Command, h.Args = p.Path, p.hookArgs(e.Name)
	} else {
		h.Command = p.line(e.Name)
	}
	return encode(group{Matcher: e.Matcher, Hooks: []json.RawMessage{encode(h)}})
}
