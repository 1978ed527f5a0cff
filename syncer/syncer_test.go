package syncer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/store"
	"dormouse/syncer"
)

// shelf is a side in memory. With ids it is like a server: a file keeps its id under
// another path.
type shelf struct {
	texts map[string]string
	ids   map[string]string // nil: a side without
	next  int
	why   map[string]string
	lose  bool // the next change is refused, as if somebody was faster
}

func newShelf(ids bool, texts map[string]string) *shelf {
	s := &shelf{texts: map[string]string{}}
	if ids {
		s.ids = map[string]string{}
	}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		s.put(path, texts[path])
	}
	return s
}

func (s *shelf) put(path, text string) {
	if _, had := s.texts[path]; !had && s.ids != nil {
		s.next++
		s.ids[path] = fmt.Sprint("mem_", s.next)
	}
	s.texts[path] = text
}

func (s *shelf) drop(path string) {
	delete(s.texts, path)
	delete(s.ids, path)
}

func (s *shelf) rename(old, path string) {
	id, text := s.ids[old], s.texts[old]
	s.drop(old)
	s.texts[path] = text
	if s.ids != nil {
		s.ids[path] = id
	}
}

func (s *shelf) file(path string) syncer.File {
	text, ok := s.texts[path]
	if !ok {
		return syncer.File{}
	}
	return syncer.File{Path: path, Hash: store.HashOf([]byte(text)), ID: s.ids[path], Why: s.why[path]}
}

func (s *shelf) List(context.Context) ([]syncer.File, error) {
	var out []syncer.File
	for path := range s.texts {
		out = append(out, s.file(path))
	}
	return out, nil
}

func (s *shelf) Read(_ context.Context, files []syncer.File) (map[string][]byte, error) {
	out := map[string][]byte{}
	for _, f := range files {
		if s.file(f.Path).Hash == f.Hash {
			out[f.Path] = []byte(s.texts[f.Path])
		}
	}
	return out, nil
}

func (s *shelf) Holds(f syncer.File) error {
	if strings.Contains(f.Path, " ") {
		return errors.New("has a blank")
	}
	return nil
}

func (s *shelf) Apply(_ context.Context, changes []syncer.Change) []syncer.Applied {
	out := make([]syncer.Applied, len(changes))
	for n, c := range changes {
		now := s.file(c.Was.Path)
		if c.Was.Hash == "" {
			now = s.file(c.Path)
		}
		switch {
		case s.lose, now.Hash != c.Was.Hash && (c.Text == nil || now.Hash != store.HashOf(c.Text)):
			s.lose = false
			out[n].Err = fmt.Errorf("it %w", syncer.ErrChanged)
			continue
		case c.Text == nil:
			s.drop(c.Path)
			continue
		case c.Was.Hash != "" && c.Was.Path != c.Path:
			s.rename(c.Was.Path, c.Path)
		}
		s.put(c.Path, string(c.Text))
		out[n].File = s.file(c.Path)
	}
	return out
}

// machine is a folder, and what it and the server last agreed on.
type machine struct {
	*shelf
	base syncer.Base
	past map[string][]byte
}

func newMachine(texts map[string]string) *machine {
	return &machine{newShelf(false, texts), syncer.Base{}, map[string][]byte{}}
}

func (m *machine) keep() {
	for _, text := range m.texts {
		m.past[store.HashOf([]byte(text))] = []byte(text)
	}
}

func (m *machine) config(server *shelf, push bool) syncer.Config {
	m.keep()
	c := syncer.Config{
		From: server, To: m.shelf, Base: m.base, Copies: true, ManyRemovals: true,
		Past: func(hash string) ([]byte, error) {
			if b, ok := m.past[hash]; ok {
				return b, nil
			}
			return nil, errors.New("none")
		},
		Keep: func(_ string, text []byte) error {
			m.past[store.HashOf(text)] = text
			return nil
		},
	}
	if push {
		c.From, c.To, c.Copies = m.shelf, server, false
	}
	return c
}

func (m *machine) sync(t interface{ Fatal(args ...any) }, server *shelf, push bool) *syncer.Report {
	r, err := syncer.Run(context.Background(), m.config(server, push))
	if err != nil {
		t.Fatal(err)
	}
	m.base = r.Base
	return r
}

const three = "one\ntwo\nthree\nfour\nfive\n"

func TestWhatChangedComesAcross(t *testing.T) {
	t.Parallel()
	edit := func(text, with string) string { return strings.Replace(three, text, with, 1) }
	type texts = map[string]string
	tests := []struct {
		name         string
		here, server func(s *shelf) // what happens on each side since both held a.md and b.md
		push         bool
		want, stays  texts // on the side that is written; on the other one
		items        []string
	}{
		{"an edit is pulled", nil, func(s *shelf) { s.put("a.md", edit("one", "uno")) }, false, texts{"a.md": edit("one", "uno"), "b.md": "b\n"}, nil, []string{"update a.md"}},
		{"an edit here waits for a push", func(s *shelf) { s.put("a.md", "x\n") }, nil, false, texts{"a.md": "x\n", "b.md": "b\n"}, nil, []string{"waits a.md"}},
		{"an edit is pushed", func(s *shelf) { s.put("a.md", "x\n") }, nil, true, texts{"a.md": "x\n", "b.md": "b\n"}, nil, []string{"update a.md"}},
		{"a new note is pulled", nil, func(s *shelf) { s.put("c.md", "c\n") }, false, texts{"a.md": three, "b.md": "b\n", "c.md": "c\n"}, nil, []string{"create c.md"}},
		{"a removal is pulled", nil, func(s *shelf) { s.drop("b.md") }, false, texts{"a.md": three}, nil, []string{"remove b.md"}},
		{"a removal is pushed", func(s *shelf) { s.drop("b.md") }, nil, true, texts{"a.md": three}, nil, []string{"remove b.md"}},
		{"an edit here outlives a removal there", func(s *shelf) { s.put("b.md", "bb\n") }, func(s *shelf) { s.drop("b.md") }, false, texts{"a.md": three, "b.md": "bb\n"}, nil, []string{"keep b.md"}},
		{"an edit there outlives a removal here", func(s *shelf) { s.drop("b.md") }, func(s *shelf) { s.put("b.md", "bb\n") }, false, texts{"a.md": three, "b.md": "bb\n"}, nil, []string{"restore b.md"}},
		{"a push does not remove what changed there", func(s *shelf) { s.drop("b.md") }, func(s *shelf) { s.put("b.md", "bb\n") }, true, texts{"a.md": three, "b.md": "bb\n"}, nil, []string{"keep b.md"}},
		{
			"edits of other lines are both kept", func(s *shelf) { s.put("a.md", edit("one", "uno")) }, func(s *shelf) { s.put("a.md", edit("five", "cinco")) },
			false,
			texts{"a.md": "uno\ntwo\nthree\nfour\ncinco\n", "b.md": "b\n"},
			texts{"a.md": edit("five", "cinco"), "b.md": "b\n"},
			[]string{"merge a.md"},
		},
		{
			"a push merges as well", func(s *shelf) { s.put("a.md", edit("one", "uno")) }, func(s *shelf) { s.put("a.md", edit("five", "cinco")) },
			true,
			texts{"a.md": "uno\ntwo\nthree\nfour\ncinco\n", "b.md": "b\n"},
			texts{"a.md": edit("one", "uno"), "b.md": "b\n"},
			[]string{"merge a.md"},
		},
		{
			"a conflict keeps both texts", func(s *shelf) { s.put("b.md", "mine\n") }, func(s *shelf) { s.put("b.md", "theirs\n") },
			false,
			texts{"a.md": three, "b.md": "mine\n", "b-conflict-ed9c86a6.md": "theirs\n"},
			nil,
			[]string{"conflict b.md"},
		},
		{
			"a push in conflict sends nothing", func(s *shelf) { s.put("b.md", "mine\n") }, func(s *shelf) { s.put("b.md", "theirs\n") },
			true,
			texts{"a.md": three, "b.md": "theirs\n"},
			texts{"a.md": three, "b.md": "mine\n"},
			[]string{"conflict b.md"},
		},
		{
			"two notes of one name keep both texts", func(s *shelf) { s.put("c.md", "mine\n") }, func(s *shelf) { s.put("c.md", "theirs\n") },
			false,
			texts{"a.md": three, "b.md": "b\n", "c.md": "mine\n", "c-conflict-ed9c86a6.md": "theirs\n"},
			nil,
			[]string{"conflict c.md"},
		},
		{"the same edit on both sides is none", func(s *shelf) { s.put("b.md", "x\n") }, func(s *shelf) { s.put("b.md", "x\n") }, false, texts{"a.md": three, "b.md": "x\n"}, nil, []string{"agree b.md"}},
		{"a rename there is told by its id", nil, func(s *shelf) { s.rename("a.md", "z.md") }, false, texts{"z.md": three, "b.md": "b\n"}, nil, []string{"move z.md"}},
		{
			"a rename there takes an edit here along", func(s *shelf) { s.put("a.md", edit("one", "uno")) }, func(s *shelf) { s.rename("a.md", "z.md") },
			false,
			texts{"z.md": edit("one", "uno"), "b.md": "b\n"},
			nil,
			[]string{"move z.md"},
		},
		{
			"a rename there that is in conflict keeps both", func(s *shelf) { s.put("a.md", "mine\n") }, func(s *shelf) { s.rename("a.md", "z.md"); s.put("z.md", "theirs\n") },
			false,
			texts{"a.md": "mine\n", "z.md": "theirs\n", "b.md": "b\n"},
			nil,
			[]string{"conflict z.md"},
		},
		{"a rename here is told by its text", func(s *shelf) { s.rename("a.md", "z.md") }, nil, true, texts{"z.md": three, "b.md": "b\n"}, nil, []string{"move z.md"}},
		{"what the folder can't hold stays there", nil, func(s *shelf) { s.put("a b.md", "x\n") }, false, texts{"a.md": three, "b.md": "b\n"}, nil, []string{"pass a b.md"}},
		{"a name it can't hold removes nothing", nil, func(s *shelf) { s.rename("a.md", "a b.md") }, false, texts{"a.md": three, "b.md": "b\n"}, nil, []string{"pass a.md"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			start := texts{"a.md": three, "b.md": "b\n"}
			server, m := newShelf(true, start), newMachine(start)
			m.sync(t, server, false)
			if tt.here != nil {
				tt.here(m.shelf)
			}
			if tt.server != nil {
				tt.server(server)
			}
			id := server.ids["a.md"]
			r := m.sync(t, server, tt.push)
			var items []string
			for _, i := range r.Items {
				items = append(items, string(i.Action)+" "+i.Path)
			}
			if diff := cmp.Diff(tt.items, items); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			written, other := m.shelf, server
			if tt.push {
				written, other = server, m.shelf
			}
			if diff := cmp.Diff(tt.want, written.texts); diff != "" {
				t.Errorf("written (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.stays, other.texts); tt.stays != nil && diff != "" {
				t.Errorf("the other side (-want +got):\n%s", diff)
			}
			if tt.push && server.texts["z.md"] != "" && server.ids["z.md"] != id {
				t.Error("a renamed memory has another id")
			}
			again := m.sync(t, server, tt.push)
			for _, i := range again.Items {
				if i.Writes() {
					t.Errorf("again: %s %s", i.Action, i.Path)
				}
			}
		})
	}
}

func TestARunThatWasBeatenWritesNothingOver(t *testing.T) {
	t.Parallel()
	server, m := newShelf(true, map[string]string{"a.md": "a\n"}), newMachine(nil)
	m.sync(t, server, false)
	m.put("a.md", "mine\n")
	server.lose = true
	r := m.sync(t, server, true)
	if len(r.Items) != 1 || r.Items[0].Action != syncer.Refuse || server.texts["a.md"] != "a\n" {
		t.Errorf("%+v %q", r.Items, server.texts)
	}
	if m.sync(t, server, true); server.texts["a.md"] != "mine\n" {
		t.Errorf("the next run left %q", server.texts)
	}
}

func TestAnEmptiedSideEmptiesNotTheOther(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for n := range 20 {
		texts[fmt.Sprint(n, ".md")] = fmt.Sprint(n, "\n")
	}
	server, m := newShelf(true, texts), newMachine(nil)
	m.sync(t, server, false)
	for path := range texts {
		server.drop(path)
	}
	c := m.config(server, false)
	c.ManyRemovals = false
	r, err := syncer.Run(t.Context(), c)
	if err != nil || len(m.texts) != 20 || len(r.Base) != 20 || !r.Items[0].Open() || !strings.Contains(r.Items[0].Why, "20 of 20") {
		t.Errorf("%v: %d left, %+v", err, len(m.texts), r)
	}
	if m.sync(t, server, false); len(m.texts) != 0 {
		t.Error("asked to, it does not")
	}
}

func TestWhatMayNotGoStays(t *testing.T) {
	t.Parallel()
	server, m := newShelf(true, nil), newMachine(map[string]string{"a.md": "fine\n", "b.md": "password\n", "c.md": "held\n"})
	m.why = map[string]string{"c.md": "waits"}
	c := m.config(server, true)
	c.Fit = func(_ string, text []byte) error {
		if strings.Contains(string(text), "password") {
			return errors.New("a secret")
		}
		return nil
	}
	r, err := syncer.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a.md": "fine\n"}, server.texts); diff != "" {
		t.Error(diff)
	}
	if r.Items[1].Action != syncer.Refuse || r.Items[2].Action != syncer.Pass || len(r.Base) != 1 {
		t.Errorf("%+v", r)
	}
	// A note that came from there and waits here for a review is none to be sent back.
	m.why["a.md"] = "waits"
	m.base = r.Base
	if r := m.sync(t, server, true); r.Items[0].Path == "a.md" {
		t.Errorf("%+v", r.Items)
	}
}

func TestADryRunDoesNothing(t *testing.T) {
	t.Parallel()
	server, m := newShelf(true, map[string]string{"a.md": "a\n"}), newMachine(map[string]string{"a.md": "b\n"})
	c := m.config(server, false)
	c.Dry = true
	r, err := syncer.Run(t.Context(), c)
	if err != nil || len(m.texts) != 1 || len(r.Base) != 0 || r.Items[0].Action != syncer.Conflict || r.Items[0].Copy == "" {
		t.Errorf("%v %+v %q", err, r, m.texts)
	}
}

func TestTimesThatAClientWritesAreNoConflict(t *testing.T) {
	t.Parallel()
	text := func(at, first, last string) string {
		return "---\nname: a\nmetadata:\n  modified: " + at + "\n---\n\n" + first + "\n\nmiddle\n\n" + last + "\n"
	}
	server, m := newShelf(true, map[string]string{"a.md": text("2026-01-01T00:00:00Z", "one", "two")}), newMachine(nil)
	m.sync(t, server, false)
	m.put("a.md", text("2026-01-03T00:00:00Z", "uno", "two"))
	server.put("a.md", text("2026-01-02T00:00:00Z", "one", "dos"))
	m.sync(t, server, false)
	if diff := cmp.Diff(text("2026-01-03T00:00:00Z", "uno", "dos"), m.texts["a.md"]); diff != "" {
		t.Error(diff)
	}
}

// Each line that anybody writes is a new one, so that it can be looked for afterwards.
func TestNothingIsLostAndTwoMachinesComeToTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		server := newShelf(true, nil)
		machines := []*machine{newMachine(nil), newMachine(nil)}
		alive := map[string]bool{} // lines that nobody took away
		line := 0
		names := []string{"a.md", "b.md", "c.md"}
		fresh := func() string {
			line++
			l := fmt.Sprintf("line %d", line)
			alive[l] = true
			return l
		}
		gone := func(text string) {
			for l := range strings.Lines(text) {
				delete(alive, strings.TrimSuffix(l, "\n"))
			}
		}
		act := func(s *shelf) {
			path := rapid.SampledFrom(names).Draw(t, "path")
			old := strings.SplitAfter(s.texts[path], "\n")
			switch rapid.IntRange(0, 4).Draw(t, "act") {
			case 0: // a line more, anywhere
				at := rapid.IntRange(0, len(old)-1).Draw(t, "at")
				s.put(path, strings.Join(slices.Insert(old, at, fresh()+"\n"), ""))
			case 1: // a line for another
				at := rapid.IntRange(0, len(old)-1).Draw(t, "at")
				gone(old[at])
				old[at] = fresh() + "\n"
				s.put(path, strings.Join(old, ""))
			case 2:
				gone(s.texts[path])
				s.drop(path)
			case 3:
				other := rapid.SampledFrom(names).Draw(t, "to")
				if _, here := s.texts[path]; here && s.texts[other] == "" && other != path {
					s.drop(other)
					s.rename(path, other)
				}
			}
		}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			who := rapid.IntRange(0, 4).Draw(t, "who")
			if who == 4 {
				act(server)
				continue
			}
			m := machines[who%2]
			if who < 2 {
				act(m.shelf)
			} else {
				m.sync(t, server, rapid.Bool().Draw(t, "push"))
			}
		}
		for range 4 {
			for _, m := range machines {
				m.sync(t, server, false)
				m.sync(t, server, true)
			}
		}
		everything := fmt.Sprint(server.texts)
		for l := range alive {
			if !strings.Contains(everything, l+"\n") {
				t.Fatalf("%q is lost: %q", l, server.texts)
			}
		}
		for n, m := range machines {
			if diff := cmp.Diff(server.texts, m.texts); diff != "" {
				t.Fatalf("machine %d (-server +machine):\n%s", n, diff)
			}
			for _, push := range []bool{false, true} {
				if r := m.sync(t, server, push); len(r.Items) > 0 {
					t.Fatalf("there is something left to do: %+v", r.Items)
				}
			}
		}
	})
}

func TestAnIndexTakesPartAndKeepsWhatOthersAdded(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, index, want string
		l                 syncer.Listing
	}{
		{"a list of its own", "", "- [a](a.md) — A.\n", syncer.Listing{Lines: lines("a", "A.")}},
		{"what others added stays", "# Notes\n\n- [z](z.md) — theirs\n\nRead me first.\n", "# Notes\n\n- [z](z.md) — theirs\n- [a](a.md) — A.\n\nRead me first.\n", syncer.Listing{Lines: lines("a", "A.")}},
		{"a line of somebody's own words stays", "- [a](a.md) — words\n", "- [a](a.md) — words\n", syncer.Listing{Lines: lines("a", "A.")}},
		{"what was written anew is said anew", "- [a](a.md) — old\n", "- [a](a.md) — A.\n", syncer.Listing{Lines: lines("a", "A."), Fresh: map[string]bool{"a.md": true}}},
		{"what is gone goes", "- [a](a.md) — old\n- [b](b.md)\n", "- [b](b.md)\n", syncer.Listing{Gone: []string{"a.md", "c.md"}}},
		{"what moved is led there", "- [a](a.md) — old\n", "- [b](b.md) — old\n", syncer.Listing{Moved: map[string]string{"a.md": "b.md"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := syncer.MergeIndex([]byte(tt.index), tt.l)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if again, err := syncer.MergeIndex(got, tt.l); err != nil || string(again) != string(got) {
				t.Errorf("again: %q %v", again, err)
			}
		})
	}
}
