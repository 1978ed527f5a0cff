package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"dormouse/host"
	"dormouse/internal/jsonedit"
	"dormouse/internal/tomledit"
)

// A target is one settings file, with what of Dormouse belongs into it.
type target struct {
	wiring *host.Wiring
	path   string // links resolved
	toml   bool
	place  *host.Place
	goos   string
	hooks  *host.Place // nil: hooks stand elsewhere
	server *host.Place
	known  []string // programs that are Dormouse whatever their name
}

// parts says which of the two things are meant.
type parts struct{ hooks, server bool }

// has tells which parts stand in the file.
func (f found) has() parts { return parts{len(f.hooks) > 0, f.server != ""} }

// complete tells that a file has just what it should have of the wanted parts,
// once each and by this program. What the person changed of a hook otherwise (its
// time, its matcher) is theirs.
func (t *target) complete(f found, want parts, p Program) bool {
	if want != f.has() || want.server && f.server != p.Path {
		return false
	}
	if !want.hooks {
		return true
	}
	if len(f.hooks)+len(events(f.theirs)) != len(t.wiring.Events) {
		return false
	}
	for _, e := range t.wiring.Events {
		if !has(f.theirs, e.Name) && !slices.ContainsFunc(f.hooks, func(h hook) bool {
			return h.event == e.Name && h.program == p.Path && slices.Equal(h.args, p.hookArgs(e.Name))
		}) {
			return false
		}
	}
	return true
}

// add puts the wanted parts into a source that has none of them, but for hooks that
// a person wrote.
func (t *target) add(src []byte, f found, want parts, p Program) ([]byte, Added, error) {
	if t.toml {
		if !want.server {
			return src, Added{}, nil
		}
		keys := []tomledit.Key{{Name: "command", Value: p.Path}, {Name: "args", Value: serverArgs()}}
		out, start, piece, err := tomledit.Append(src, append(slices.Clone(t.server.Keys), name), keys)
		if err != nil {
			return nil, Added{}, err
		}
		return out, newAdded(out, []jsonedit.Span{{Start: start, End: start + len(piece)}}, nil), nil
	}
	d := jsonedit.NewDraft(src)
	if want.hooks {
		for _, e := range t.wiring.Events {
			if has(f.theirs, e.Name) {
				continue
			}
			if err := d.Append(append(slices.Clone(t.hooks.Keys), e.Name), written(e, t.wiring, p)); err != nil {
				return nil, Added{}, err
			}
		}
	}
	if want.server {
		err := d.Put(append(slices.Clone(t.server.Keys), name), encode(server{p.Path, serverArgs()}))
		if err != nil {
			return nil, Added{}, err
		}
	}
	return d.Bytes(), newAdded(d.Bytes(), d.Added(), d.Made()), nil
}

// strip takes everything of ours out of a source. exact tells that what comes out
// is, byte for byte, what was there before it came in, but for what somebody
// wrote elsewhere in the file since.
func (t *target) strip(src []byte, f found, a *Added) (out []byte, exact bool, err error) {
	if !f.any() {
		return src, a == nil, nil
	}
	byContent, err := t.stripByContent(src, f, a)
	if err != nil {
		return nil, false, err
	}
	if a == nil {
		return byContent, false, nil
	}
	if a.fits(src) {
		return jsonedit.Cut(src, a.Spans), true, nil
	}
	// Somebody wrote something since. Where our pieces stand as they were, or all
	// around them does, they go as they came, and the blanks beside them are as
	// before; the result must say the same as when our entries are taken out one
	// by one.
	for _, cut := range []func([]byte) ([]byte, bool){a.cutPieces, a.cutBetween} {
		if out, ok := cut(src); ok && t.saysTheSame(out, byContent) {
			return out, true, nil
		}
	}
	return byContent, false, nil
}

func (t *target) saysTheSame(a, b []byte) bool {
	if t.toml {
		da, errA := tomledit.Read(a)
		db, errB := tomledit.Read(b)
		return errA == nil && errB == nil && reflect.DeepEqual(da, db)
	}
	da, errA := readJSON(a)
	db, errB := readJSON(b)
	if errA != nil || errB != nil || len(da) != len(db) {
		return false
	}
	for k, raw := range da {
		other, ok := db[k]
		if !ok || !sameJSON(raw, other) {
			return false
		}
	}
	return true
}

// stripByContent takes our entries out one by one, and then what was made for
// them and is empty. Without a note of what was made, empty objects and lists of
// hooks and servers count as made.
func (t *target) stripByContent(src []byte, f found, a *Added) ([]byte, error) {
	if t.toml {
		return tomledit.Drop(src, append(slices.Clone(t.server.Keys), name))
	}
	out := src
	var err error
	do := func(after []byte, failed error) {
		if err = errors.Join(err, failed); err == nil {
			out = after
		}
	}
	for _, h := range lastFirst(f.hooks) {
		path := append(slices.Clone(t.hooks.Keys), h.event)
		if h.alone {
			do(jsonedit.DropElements(out, path, func(i int) bool { return i == h.group }))
		} else {
			do(jsonedit.DropWithin(out, path, h.group, "hooks", func(i int) bool { return i == h.at }))
		}
	}
	var made [][]string
	if len(f.hooks) > 0 {
		for _, h := range f.hooks {
			made = append(made, append(slices.Clone(t.hooks.Keys), h.event))
		}
		made = append(made, t.hooks.Keys)
	}
	if f.server != "" {
		do(jsonedit.Drop(out, append(slices.Clone(t.server.Keys), name)))
		made = append(made, t.server.Keys)
	}
	if a != nil {
		made = a.Made
		slices.SortFunc(made, func(x, y []string) int { return len(y) - len(x) })
	}
	for _, path := range made {
		if err == nil && isEmpty(out, path) {
			do(jsonedit.Drop(out, path))
		}
	}
	return out, err
}

// lastFirst orders hooks so that taking one out moves none that is still to go;
// of a group that goes whole there is one.
func lastFirst(hooks []hook) []hook {
	all := slices.Clone(hooks)
	slices.SortFunc(all, func(a, b hook) int {
		if c := strings.Compare(a.event, b.event); c != 0 {
			return c
		}
		if a.group != b.group {
			return b.group - a.group
		}
		return b.at - a.at
	})
	return slices.CompactFunc(all, func(a, b hook) bool { return a.alone && b.alone && a.event == b.event && a.group == b.group })
}

// isEmpty tells whether an object or array without anything in it stands at path.
func isEmpty(src []byte, path []string) bool {
	raw := jsonedit.Find(src, path)
	if len(raw) < 2 {
		return false
	}
	inside := bytes.TrimSpace(raw[1 : len(raw)-1])
	return len(inside) == 0 && (raw[0] == '{' || raw[0] == '[')
}

// nothing tells that a source has no content left.
func (t *target) nothing(src []byte) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(src, []byte("\uFEFF")))
	if t.toml || len(text) == 0 {
		return len(text) == 0
	}
	return text[0] == '{' && text[len(text)-1] == '}' && len(bytes.TrimSpace(text[1:len(text)-1])) == 0
}

// refuse says why a source is not touched, nil when it can be.
func (t *target) refuse(src []byte) error {
	var err error
	if t.toml {
		_, err = tomledit.Read(src)
	} else {
		_, err = readJSON(src)
	}
	if err != nil {
		return fmt.Errorf("%s is left as it is: %w; mend it first", t.path, err)
	}
	return nil
}

// unread says why the host would not read what is put into a source.
func (t *target) unread(src []byte) error {
	text, marked := bytes.CutPrefix(src, []byte("\uFEFF"))
	var err error
	switch {
	case t.toml:
	case marked && !t.place.BOM:
		err = errors.New("it begins with a byte order mark")
	case len(bytes.TrimSpace(text)) == 0 || json.Valid(text):
	case t.place.Comments:
		err = lastComma(text)
	default:
		err = jsonedit.Strict(src)
	}
	if err != nil {
		return fmt.Errorf("%s is left as it is: %w; the agent cannot read the file so: mend it first", t.path, err)
	}
	return nil
}

// lastComma finds a comma behind the last element of an object or array.
func lastComma(text []byte) error {
	v, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		return err
	}
	for x := range v.All() {
		var last *hujson.Value
		switch c := x.Value.(type) {
		case *hujson.Object:
			if n := len(c.Members); n > 0 {
				last = &c.Members[n-1].Value
			}
		case *hujson.Array:
			if n := len(c.Elements); n > 0 {
				last = &c.Elements[n-1]
			}
		}
		if last != nil && last.AfterExtra != nil {
			return fmt.Errorf("line %d: a comma after the last element", 1+bytes.Count(text[:last.EndOffset], []byte("\n")))
		}
	}
	return nil
}
