package note

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"dormouse/frontmatter"
)

type stampCase struct{ Agent, Written string }

func TestNewWritesWhatTheClientWrites(t *testing.T) {
	compared := 0
	for _, c := range recorded[stampCase](t, "stamped.json") {
		if c.Agent == c.Written || !strings.Contains(c.Written, "metadata:\n  node_type: memory\n") || strings.Contains(c.Agent, "originSessionId: old") || strings.Contains(c.Written, "\r") {
			continue // the client left most of it as the agent wrote it
		}
		n := Parse([]byte(c.Written))
		f, ok := fieldsOf(n)
		if !ok || !n.Seen {
			continue // what New doesn't write
		}
		got, err := New(f, string(n.Body()))
		if err != nil {
			t.Errorf("%q: %v", c.Written, err)
		}
		if d := cmp.Diff(strings.TrimRight(c.Written, "\n"), strings.TrimRight(string(got), "\n")); d != "" {
			t.Errorf("(-client +ours):\n%s", d)
		}
		compared++
	}
	if compared < 20 {
		t.Errorf("only %d notes could be compared", compared)
	}
}

// fieldsOf takes a note of the client apart, as far as all is text.
func fieldsOf(n *Note) (Fields, bool) {
	f := Fields{Name: n.Name(), Description: n.Description()}
	last := false
	for _, x := range n.Fields[min(len(n.Fields), 1):] {
		key := localKey(x.Key)
		switch {
		case key == keyModified:
			f.Modified, _ = time.Parse(time.RFC3339, x.Value.Text)
			last = true
		case key == keySession:
			if last {
				return f, false // the client kept an old order
			}
			f.Session = x.Value.Text
		case key == keyDescription, key == keyNodeType:
		case x.Value.Kind != frontmatter.String || !newKey(key):
			return f, false
		case key == keyType && x.Value.Text != "" && f.More == nil:
			f.Type = x.Value.Text
		case key == keyType:
			return f, false // empty, or where the agent had it
		default:
			f.More = append(f.More, Pair{key, x.Value.Text})
		}
	}
	return f, true
}

func TestNewRefusesWhatTheClientWouldNotSee(t *testing.T) {
	many := Fields{Name: "a"}
	for i := range 30 {
		many.More = append(many.More, Pair{"k" + strings.Repeat("x", i), "v"})
	}
	for _, tc := range []struct {
		name string
		f    Fields
		body string
		want error
	}{
		{"31 lines of front matter", many, "", ErrEntangled},
		{"a name that is not UTF-8", Fields{Name: "\xff"}, "", ErrValue},
		{"a body that is not UTF-8", Fields{Name: "a"}, "\xff", ErrValue},
		{"a NUL byte in the body", Fields{Name: "a"}, "a\x00", ErrValue},
		{"a key with a colon", Fields{Name: "a", More: []Pair{{"a: b", "c"}}}, "", ErrValue},
		{"a key that is written anyway", Fields{Name: "a", More: []Pair{{"type", "c"}}}, "", ErrValue},
		{"a body over 1 MiB", Fields{Name: "a"}, strings.Repeat("a", MaxBytes), ErrValue},
	} {
		if out, err := New(tc.f, tc.body); !errors.Is(err, tc.want) {
			t.Errorf("%s: %d bytes, %v", tc.name, len(out), err)
		}
	}
}

func TestWhatNewWritesIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Fields{
			Name: awkward().Draw(t, "name"), Description: awkward().Draw(t, "description"),
			Type: awkward().Draw(t, "type"), Session: awkward().Draw(t, "session"),
			Modified: time.UnixMilli(rapid.Int64Range(1, 4e12).Draw(t, "modified")),
			More:     []Pair{{"status", awkward().Draw(t, "status")}},
		}
		out, err := New(f, "Body\n---\nmore")
		if err != nil {
			t.Fatal(err)
		}
		n := Parse(out)
		got := Fields{Name: n.Name(), Description: n.Description(), Type: n.Type(), Session: n.text(keySession), More: []Pair{{"status", n.text("status")}}}
		got.Modified, _ = time.ParseInLocation(time.RFC3339, n.text(keyModified), time.UTC)
		f.Modified = f.Modified.UTC()
		if d := cmp.Diff(f, got); d != "" || string(n.Body()) != "Body\n---\nmore\n" || len(n.Problems) > 0 {
			t.Fatalf("%q %v\n%s", out, n.Problems, d)
		}
	})
}
