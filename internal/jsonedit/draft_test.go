package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

const handler = `{"hooks":[{"type":"command","command":"d \u003c"}]}`

func TestAnElementIsAppendedInTheStyleOfTheDocument(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"a source that is empty becomes an object", "", "{\n  \"h\": {\n    \"S\": [\n      1\n    ]\n  }\n}\n"},
		{"a blank source keeps its blanks below", "\n\n", "{\n  \"h\": {\n    \"S\": [\n      1\n    ]\n  }\n}\n\n"},
		{"an empty object gets lines", "{}", "{\n  \"h\": {\n    \"S\": [\n      1\n    ]\n  }\n}"},
		{"a document on one line stays on one", `{"a": 1}`, `{"a": 1, "h": {"S": [1]}}`},
		{"tabs", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"h\": {\n\t\t\"S\": [\n\t\t\t1\n\t\t]\n\t}\n}\n"},
		{"CRLF and a byte order mark", "\uFEFF{\r\n  \"a\": 1\r\n}\r\n", "\uFEFF{\r\n  \"a\": 1,\r\n  \"h\": {\r\n    \"S\": [\r\n      1\r\n    ]\r\n  }\r\n}\r\n"},
		{"an array that is there, on lines", "{\n  \"h\": {\n    \"S\": [\n      0\n    ]\n  }\n}", "{\n  \"h\": {\n    \"S\": [\n      0,\n      1\n    ]\n  }\n}"},
		{"an array on one line stays so", "{\n  \"h\": {\n    \"S\": [0]\n  }\n}", "{\n  \"h\": {\n    \"S\": [0, 1]\n  }\n}"},
		{"an empty array opens", "{\n  \"h\": {\n    \"S\": []\n  }\n}", "{\n  \"h\": {\n    \"S\": [\n      1\n    ]\n  }\n}"},
		{"an empty object opens", "{\n    \"h\": {}\n}", "{\n    \"h\": {\n        \"S\": [\n            1\n        ]\n    }\n}"},
		{"a trailing comma gets one more", "{\n  \"a\": 1, // c\n}", "{\n  \"a\": 1, // c\n  \"h\": {\n    \"S\": [\n      1\n    ]\n  },\n}"},
		{"of two members of one name the last counts", `{"h": {"S": [0]}, "h": {"S": [2]}}`, `{"h": {"S": [0]}, "h": {"S": [2, 1]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := NewDraft([]byte(tt.src))
			if err := d.Append([]string{"h", "S"}, []byte("1")); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(d.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := Cut(d.Bytes(), d.Added()); string(got) != tt.src {
				t.Errorf("cut again: %q, want %q", got, tt.src)
			}
		})
	}
}

func TestWhatStandsInTheWayIsNamed(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`{"h": 1}`:        "h is a number, not an object",
		`{"h": []}`:       "h is an array, not an object",
		`{"h": {"S":{}}}`: "h.S is an object, not an array",
		`[]`:              "line 1, column 1: the top level is an array, not an object",
	} {
		d := NewDraft([]byte(src))
		if err := d.Append([]string{"h", "S"}, []byte(`1`)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
		if string(d.Bytes()) != src || len(d.Added()) > 0 {
			t.Errorf("%s: changed to %s", src, d.Bytes())
		}
	}
	if err := NewDraft([]byte(`{"a":{"b":null}}`)).Put([]string{"a", "b"}, []byte(`1`)); !errors.Is(err, ErrThere) {
		t.Errorf("a member that is there: %v", err)
	}
}

// at returns what a reader finds at a path.
func at(v any, path ...string) any {
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

// operation is one thing to put in.
type operation struct {
	path    []string
	element bool
}

func (o operation) do(d *Draft) error {
	if o.element {
		return d.Append(o.path, []byte(handler))
	}
	return d.Put(o.path, []byte(handler))
}

func drawOperation() *rapid.Generator[operation] {
	name := rapid.SampledFrom([]string{"a", "b", key, "new", "é\"\n"})
	return rapid.Custom(func(t *rapid.T) operation {
		return operation{rapid.SliceOfN(name, 1, 3).Draw(t, "path"), rapid.Bool().Draw(t, "element")}
	})
}

func TestADraftCutAgainIsItsSource(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(drawSource(t))
		before := bytes.Clone(src)
		d := NewDraft(src)
		for _, o := range rapid.SliceOfN(drawOperation(), 1, 5).Draw(t, "operations") {
			was := object(t, d.Bytes())
			if err := o.do(d); err != nil {
				continue
			}
			checkCameIn(t, was, object(t, d.Bytes()), o)
		}
		if !bytes.Equal(src, before) {
			t.Fatalf("the source was written to: %q -> %q", before, src)
		}
		if got := Cut(d.Bytes(), d.Added()); !bytes.Equal(got, src) {
			t.Fatalf("%q -> %q -> %q", src, d.Bytes(), got)
		}
		if Strict(src) == nil && Strict(d.Bytes()) != nil {
			t.Fatalf("%q -> %q: no longer strict", src, d.Bytes())
		}
	})
}

// checkCameIn: after is before with the value at its place, and nothing else.
func checkCameIn(t *rapid.T, before, after map[string]any, o operation) {
	var want any
	if err := json.Unmarshal([]byte(handler), &want); err != nil {
		t.Fatal(err)
	}
	got := at(after, o.path...)
	was := at(before, o.path...)
	if o.element {
		list, _ := got.([]any)
		old, _ := was.([]any)
		if len(list) != len(old)+1 {
			t.Fatalf("%v: %d elements became %d", o.path, len(old), len(list))
		}
		got = list[len(old)]
		setAt(after, list[:len(old)], o.path)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%v (-want +got):\n%s", o.path, diff)
	}
	if was == nil {
		prune(after, before, o.path)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("%v: something else changed:\n%s", o.path, diff)
	}
}

func setAt(v any, value any, path []string) {
	for _, name := range path[:len(path)-1] {
		v = v.(map[string]any)[name]
	}
	v.(map[string]any)[path[len(path)-1]] = value
}

// prune takes what the way to path had to be made of out of after.
func prune(after, before map[string]any, path []string) {
	if _, had := before[path[0]]; !had || len(path) == 1 {
		delete(after, path[0])
		return
	}
	inner, _ := after[path[0]].(map[string]any)
	old, _ := before[path[0]].(map[string]any)
	prune(inner, old, path[1:])
}

func TestWhatWasPutInIsDroppedAndNothingElse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(drawSource(t))
		o := drawOperation().Draw(t, "operation")
		d := NewDraft(src)
		if o.do(d) != nil {
			t.Skip("it does not fit")
		}
		out, err := d.Bytes(), error(nil)
		if o.element {
			n := len(at(object(t, out), o.path...).([]any))
			out, err = DropElements(out, o.path, func(i int) bool { return i == n-1 })
		} else {
			out, err = Drop(out, o.path)
		}
		for _, path := range slices.Backward(d.Made()) {
			if err == nil {
				out, err = Drop(out, path)
			}
		}
		if err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		if diff := cmp.Diff(object(t, src), object(t, out)); diff != "" {
			t.Fatalf("%q -> %q -> %q:\n%s", src, d.Bytes(), out, diff)
		}
		if Strict(src) == nil && Strict(out) != nil {
			t.Fatalf("%q -> %q: no longer strict", src, out)
		}
	})
}

func TestAnElementWithinAnElementIsDropped(t *testing.T) {
	t.Parallel()
	src := "{\n  \"S\": [\n    {\n      \"m\": \"x\",\n      \"hooks\": [\n        1, // one\n        2\n      ]\n    }\n  ]\n}"
	got, err := DropWithin([]byte(src), []string{"S"}, 0, "hooks", func(i int) bool { return i == 1 })
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"S\": [\n    {\n      \"m\": \"x\",\n      \"hooks\": [\n        1 // one\n      ]\n    }\n  ]\n}"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, path := range []string{"S", "T"} {
		if got, err := DropWithin([]byte(src), []string{path}, 7, "hooks", func(int) bool { return true }); err != nil || string(got) != src {
			t.Errorf("an element that is not there: %q, %v", got, err)
		}
	}
}

func FuzzDraft(f *testing.F) {
	for _, s := range []string{"", "{}", "{\"h\":{}}", "\uFEFF{\r\n\t\"h\": {\"S\": [1, ],},// c\r\n}", "{\"h\":{\"S\":[/**/]}}//", "{\"h\":[[{}]]}"} {
		f.Add([]byte(s), "h", "S")
	}
	f.Fuzz(func(t *testing.T, src []byte, first, second string) {
		d := NewDraft(src)
		if d.Append([]string{first, second}, []byte(handler)) != nil {
			if !bytes.Equal(d.Bytes(), src) {
				t.Fatalf("an error changed %q to %q", src, d.Bytes())
			}
			return
		}
		if got := Cut(d.Bytes(), d.Added()); !bytes.Equal(got, src) {
			t.Fatalf("%q -> %q -> %q", src, d.Bytes(), got)
		}
		if Strict(src) == nil && Strict(d.Bytes()) != nil {
			t.Fatalf("%q -> %q: no longer strict", src, d.Bytes())
		}
		if _, err := hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(d.Bytes(), []byte("\uFEFF"))), '\n')); err != nil {
			t.Fatalf("%q -> %q: %v", src, d.Bytes(), err)
		}
	})
}

func ExampleDraft() {
	d := NewDraft([]byte("{\n  \"model\": \"opus\"\n}\n"))
	fmt.Println(d.Append([]string{"hooks", "Stop"}, []byte(`{"command":"d"}`)))
	fmt.Print(string(d.Bytes()))
	fmt.Print(d.Made())
	// Output:
	// <nil>
	// {
	//   "model": "opus",
	//   "hooks": {
	//     "Stop": [
	//       {
	//         "command": "d"
	//       }
	//     ]
	//   }
	// }
	// [[hooks] [hooks Stop]]
}
