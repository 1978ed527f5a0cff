package find

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/recall"
	"dormouse/store"
	"dormouse/trust"
)

// TestTheIndexNeverChangesAnAnswer changes a store in any way and any order, and
// after each change asks with the index, and without.
func TestTheIndexNeverChangesAnAnswer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		files := rapid.SampledFrom([]string{"a.md", "b.md", "c.md", "d.md", "sub/a.md", "sub/b.md", "sub/deep/c.md", "other/a.md"})
		bodies := rapid.SampledFrom([]string{"The zebra sleeps.", "A zebra and a horse.", "The horse.", poison, "Nothing.", "\xff zebra", ""})
		for i := range 5 {
			w.note(fmt.Sprintf("f%d.md", i), "project", "filler", "Some text.")
		}
		steps := rapid.IntRange(1, 6).Draw(rt, "steps")
		for range steps {
			rel := files.Draw(rt, "file")
			path := filepath.Join(w.dir, filepath.FromSlash(rel))
			switch rapid.SampledFrom([]string{"write", "remove", "move", "folder", "decide"}).Draw(rt, "what") {
			case "write":
				w.settled(rel, bodies.Draw(rt, "body"))
			case "remove":
				_ = os.Remove(path) // it may not be there
			case "move":
				_ = os.Rename(path, filepath.Join(w.dir, filepath.FromSlash(files.Draw(rt, "to"))))
			case "folder":
				_ = os.Rename(filepath.Join(w.dir, "sub"), filepath.Join(w.dir, "other"))
			case "decide":
				w.decide(rapid.SampledFrom([]string{trust.OpApprove, trust.OpReject}).Draw(rt, "op"), rel)
			}
			for _, held := range []bool{false, true} {
				q := Question{Query: recall.Query{Text: rapid.SampledFrom([]string{"zebra", "horse zebra", "build"}).Draw(rt, "query")}, Held: held}
				with, without := w.answer(q, w.state), w.answer(q, "")
				if diff := cmp.Diff(without, with); diff != "" {
					rt.Fatalf("held %v, %q (-without the index +with):\n%s", held, q.Text, diff)
				}
			}
		}
	})
}

// settled writes a note so that its times differ from those it had.
func (w *world) settled(rel, body string) {
	path := filepath.Join(w.dir, filepath.FromSlash(rel))
	before, _ := os.Stat(path)
	for {
		w.note(rel, "project", "on animals", body)
		if after, err := os.Stat(path); err != nil || before == nil || !after.ModTime().Equal(before.ModTime()) {
			return
		}
	}
}

func (w *world) decide(op, rel string) {
	st := w.open()
	defer st.Close() //nolint:errcheck // all of it is written
	b, err := st.Read(rel)
	if err != nil {
		return
	}
	_, err = st.Record(store.By{Actor: store.Human}, op, store.Mark{Path: rel, Bytes: b})
	must(w.t, err)
}

// answer is all that a person sees of an answer. Scores are comparable within one
// answer only, so the order of hits is left out.
func (w *world) answer(q Question, state string) []string {
	a := w.askWith(q, state)
	if len(a.Problems) > 0 || a.Uncached != nil {
		w.t.Fatalf("%v, %v", a.Problems, a.Uncached)
	}
	out := []string{fmt.Sprintf("%d wait", a.Waiting)}
	for _, h := range a.Hits {
		out = append(out, fmt.Sprintf("%s:%d %v %v %s %s", h.Rel, h.Line, h.Loads, h.Reasons, h.Origin, h.Excerpt))
	}
	return sorted(out)
}

func TestTablesReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringMatching(`[a-zéї]{1,8}\.md`)
		dirs := []dirRow{{rel: ""}, {rel: "sub/", look: look{mod: 7, change: -1, inode: 3}}}
		segs := []segRef{{id: 1, docs: 100}, {id: 2, docs: 5}}
		seen, known := map[string]bool{}, origins()
		var rows []row
		for range rapid.IntRange(0, 20).Draw(rt, "rows") {
			r := row{
				rel:  dirs[rapid.IntRange(0, 1).Draw(rt, "dir")].rel + name.Draw(rt, "name"),
				look: look{rapid.Int64().Draw(rt, "size"), rapid.Int64().Draw(rt, "mod"), rapid.Int64().Draw(rt, "change"), rapid.Uint64().Draw(rt, "inode")},
				hash: hashOf([]byte(name.Draw(rt, "content"))), seg: none, doc: none,
				unread: rapid.Bool().Draw(rt, "unread"), standing: rapid.Bool().Draw(rt, "standing"),
				judged: judged{origin: rapid.SampledFrom(known[:]).Draw(rt, "origin"), loads: rapid.Bool().Draw(rt, "loads"), approved: rapid.Bool().Draw(rt, "approved"), rejected: rapid.Bool().Draw(rt, "rejected")},
			}
			if rapid.Bool().Draw(rt, "found") {
				r.seg, r.doc = 1, uint32(rapid.IntRange(0, 4).Draw(rt, "doc"))
			}
			for range rapid.IntRange(0, 2).Draw(rt, "reasons") {
				r.reasons = append(r.reasons, trust.Reason{ID: trust.ByAction, Words: "it asks for action: a command", Line: rapid.IntRange(0, 9).Draw(rt, "line")})
			}
			if !seen[r.rel] {
				rows = append(rows, r)
			}
			seen[r.rel] = true
		}
		tab, err := readTable(writeTable([32]byte{1}, [32]byte{2}, segs, dirs, rows))
		if err != nil {
			rt.Fatal(err)
		}
		if tab.len() != len(rows) || tab.by != [32]byte{1} || tab.journal != [32]byte{2} || len(tab.segs) != 2 || len(tab.dirs) != 2 || tab.dirs[1].look != dirs[1].look {
			rt.Fatalf("%+v", tab)
		}
		for _, want := range rows {
			i, ok := tab.find(want.rel)
			if !ok {
				rt.Fatalf("%s is not found", want.rel)
			}
			if diff := cmp.Diff(want, tab.row(i), cmp.AllowUnexported(row{}, judged{}, look{})); diff != "" {
				rt.Fatalf("(-want +got):\n%s", diff)
			}
			if got, _, _ := strings.Cut(string(tab.name(i)), "\x00"); got != filepath.Base(want.rel) {
				rt.Fatalf("the name of %s is %q", want.rel, got)
			}
		}
	})
}

// FuzzReadTable reads any bytes as a table, sealed as one, and all that it says.
func FuzzReadTable(f *testing.F) {
	rows := []row{{rel: "a.md", seg: 0, doc: 1, judged: judged{origin: trust.Agent, reasons: []trust.Reason{{ID: "x", Words: "y", Line: 3}}}}, {rel: "sub/b.md", seg: none, doc: none}}
	f.Add(writeTable([32]byte{1}, [32]byte{2}, []segRef{{5, 2}}, []dirRow{{rel: ""}, {rel: "sub/"}}, rows))
	f.Add(writeTable([32]byte{}, [32]byte{}, nil, nil, nil))
	f.Add([]byte(tableMagic))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) >= headSize {
			copy(b, tableMagic)
			seal(b)
		}
		tab, err := readTable(b)
		if err != nil {
			return
		}
		for i := range tab.len() {
			r := tab.row(i)
			if name := tab.name(i); name[len(name)-1] != 0 || tab.lookOf(i) != r.look {
				t.Errorf("row %d: %q", i, name)
			}
			if seg, doc := tab.place(i); seg != none && doc >= tab.segs[seg].docs {
				t.Errorf("row %d is document %d of %d", i, doc, tab.segs[seg].docs)
			}
			tab.find(r.rel)
		}
		tab.bytes()
	})
}

// FuzzReadTurns reads any bytes as the turns of a session.
func FuzzReadTurns(f *testing.F) {
	b := recall.NewBuilder()
	b.Add(recall.Doc{ID: "x", Kind: recall.Turn, Body: "a zebra"})
	f.Add(writeTurns(&turnHead{read: 3, lines: 1, goesOn: true}, []turn{{line: 1, when: time.Unix(1, 2), session: "s", text: "a zebra"}}, b.Index()))
	f.Add([]byte(turnMagic))
	f.Fuzz(func(_ *testing.T, b []byte) {
		file, err := readTurns(b)
		if err != nil {
			return
		}
		for i := range file.len() {
			file.turn(i)
		}
	})
}
