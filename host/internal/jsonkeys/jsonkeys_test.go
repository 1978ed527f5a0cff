package jsonkeys

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestKeysAreFoundWithTheirLines(t *testing.T) {
	const text = `{ // "a": 0
  "a": 1, /* "a": 2,
  */ "s": "// no comment \" /*",
  "o": {"x": true, "deep": {"er": [1, "y", null],
    "est": {"z": 1}}},
  "n": null,
  "twice": {"old": 1}, "twice": {"new": 1}
} // end`
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path  string
		value any
		line  int
	}{
		{"a", 1.0, 2},
		{"s", `// no comment " /*`, 3},
		{"o", Object{}, 4},
		{"o|x", true, 4},
		{"o|deep|er", []any{1.0, "y", nil}, 4},
		{"o|deep|est", Object{}, 5},
		{"n", nil, 6},
		{"twice|new", 1.0, 7},
	} {
		path := strings.Split(tc.path, "|")
		k, ok, _ := f.Get(path...)
		if diff := cmp.Diff(Key{path, tc.value, tc.line}, k); diff != "" || !ok {
			t.Errorf("%s: found %v (-want +got):\n%s", tc.path, ok, diff)
		}
	}
	for path, blocked := range map[string]bool{"x": false, "o|y": false, "twice|old": false, "a|x": true, "n|x": true, "o|x|y": true} {
		if k, ok, got := f.Get(strings.Split(path, "|")...); ok || got != blocked {
			t.Errorf("%s: %v, %v, blocked %v; want blocked %v", path, k, ok, got, blocked)
		}
	}
	if diff := cmp.Diff([]string{"a", "s", "o", "n", "twice"}, f.Names()); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"x", "deep"}, f.Names("o")); diff != "" || f.Names("a") != nil {
		t.Errorf("names of o (-want +got):\n%s", diff)
	}
}

func TestAFileThatIsNoObjectIsRefusedWithItsLine(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		line int
	}{
		"nothing at all":           {"", 1},
		"a list":                   {"[]", 1},
		"a word":                   {"{\n a}", 2},
		"a trailing comma":         {"{\n\"a\": 1,\n}", 3},
		"one in an inner object":   {"{\n\"a\": {\n\"b\": 1,\n}}", 4},
		"it ends early":            {"{\n\"a\": {", 2},
		"something behind its end": {"{}\n{}", 2},
		"a BOM":                    {"\ufeff{}", 1},
		"a comment without an end": {"{\n/* }", 2},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tc.text))
			je, ok := errors.AsType[*Error](err)
			if !ok || je.Line != tc.line || je.What == "" {
				t.Errorf("%#v; want line %d", err, tc.line)
			}
		})
	}
}

func TestAHardFileCostsNoMoreThanItsSize(t *testing.T) {
	const n = 1 << 20
	for name, text := range map[string]string{
		"nested":         strings.Repeat(`{"a":`, n/5),
		"nested lists":   `{"a":` + strings.Repeat("[", n),
		"comments":       "{" + strings.Repeat("/**/", n/4),
		"open comments":  "{" + strings.Repeat("/*", n/2),
		"quotes":         "{" + strings.Repeat(`"\`, n/2),
		"many keys":      "{" + strings.Repeat(`"a":{"b":{"c":{}}},`, n/19) + `"z":1}`,
		"inner nestings": `{"a":{"b":{"c":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}}`,
	} {
		start := time.Now()
		_, _ = Parse([]byte(text)) // whether it is JSON is not the question
		if took := time.Since(start); took > hang {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "{}", `{"a":{"b":{"c":{"d":1}}}} // x`, "{/**/}", `{"a":"\u0000\"//"}`, "[1]", `{"a":1}x`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		lines := strings.Count(string(raw), "\n") + 1
		file, err := Parse(raw)
		if err != nil {
			je, ok := errors.AsType[*Error](err)
			if !ok || je.What == "" || je.Line < 1 || je.Line > lines {
				t.Fatalf("error %#v for %q", err, raw)
			}
			var v map[string]any
			if json.Unmarshal(raw, &v) == nil && v != nil {
				t.Fatalf("%q is an object, but: %v", raw, err)
			}
			return
		}
		for _, name := range file.Names() {
			if k, ok, _ := file.Get(name); !ok || k.Line < 1 || k.Line > lines {
				t.Fatalf("key %q: %+v, %v in %q", name, k, ok, raw)
			}
		}
	})
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
