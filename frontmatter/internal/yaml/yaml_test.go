package yaml

import (
	"errors"
	"strings"
	"testing"
	"time"

	goccy "github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestReadsWhatAnotherLibraryWrites is the check that needs nothing installed:
// what goccy/go-yaml writes has one meaning, and this reader finds it.
func TestReadsWhatAnotherLibraryWrites(t *testing.T) {
	text := rapid.OneOf(rapid.StringMatching(`([a-zé😀][ :#,\[\]{}&*!|>'"%@-]{0,2}){1,6}`), rapid.SampledFrom([]string{"yes", "null", "~", "0x1F", "2024-01-02", "a\nb", "a\n\nb\n", " a", "- a", "true"})).
		Filter(func(s string) bool { return !isNumber(s) || s == "0x1F" }) // goccy leaves 1e3 without quotes
	key := rapid.StringMatching(`[a-z_][a-z0-9_-]{0,8}`)
	leaf := rapid.OneOf(text.AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil))
	value := rapid.OneOf(leaf, rapid.SliceOfN(leaf, 0, 3).AsAny(), rapid.MapOfN(key, leaf, 0, 3).AsAny())
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.MapOfN(key, value, 1, 4).Draw(t, "value")
		b, err := goccy.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var again map[string]any
		if err := goccy.Unmarshal(b, &again); err != nil || !cmp.Equal(general(want), general(again)) {
			t.Skip("goccy does not read what it wrote")
		}
		n, err := Parse(string(b))
		if err != nil {
			t.Fatalf("%q: %v", b, err)
		}
		if d := cmp.Diff(general(want), plain(n)); d != "" {
			t.Fatalf("%q\n(-goccy +ours)\n%s", b, d)
		}
	})
}

// general makes typed lists and maps those that encoding/json would make.
func general(v any) any {
	switch v := v.(type) {
	case []any:
		list := []any{}
		for _, i := range v {
			list = append(list, general(i))
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for k, i := range v {
			m[k] = general(i)
		}
		return m
	}
	return v
}

func TestReadsByTheRulesOfYAML(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       any // nil pointer: an error
	}{
		{"a tab inside a plain scalar stays", "a: b\tc", map[string]any{"a": "b\tc"}},
		{"a plain scalar folds its lines", "a: b\n  c\n\n  d", map[string]any{"a": "b c\nd"}},
		{"a comment ends a plain scalar", "a: b # c\n  d", nil},
		{"a hash inside a word is text", "a: b#c", map[string]any{"a": "b#c"}},
		{"a colon without a space is text", "a: http://x", map[string]any{"a": "http://x"}},
		{"a colon with a space in a value is a fault", "a: b: c", nil},
		{"a list may stand as deep as its key", "a:\n- b\nc: d", map[string]any{"a": []any{"b"}, "c": "d"}},
		{"a literal keeps its breaks", "a: |\n  b\n  c\n", map[string]any{"a": "b\nc\n"}},
		{"a folded scalar keeps lines that are indented more", "a: >\n b\n  c\n d", map[string]any{"a": "b\n c\nd\n"}},
		{"the strip sign takes the last break", "a: >-\n  b\n  c\n\n", map[string]any{"a": "b c"}},
		{"the keep sign leaves all breaks", "a: |+\n b\n\n", map[string]any{"a": "b\n\n"}},
		{"the indent sign counts from the key", "a: |2\n   b", map[string]any{"a": " b\n"}},
		{"of a repeated key the last wins", "a: b\na: c", map[string]any{"a": "c"}},
		{"a merge key adds what is missing", "b: &b {x: y, z: w}\nc: {<<: *b, x: v}", map[string]any{"b": map[string]any{"x": "y", "z": "w"}, "c": map[string]any{"x": "v", "z": "w"}}},
		{"an alias in its own anchor is nothing", "a: &x [*x]", map[string]any{"a": []any{nil}}},
		{"an unknown alias is a fault", "a: *x", nil},
		{"a pair in a list is a map", "[a: b]", []any{map[string]any{"a": "b"}}},
		{"a bracket may close at the margin", "a: [\n b\n]", map[string]any{"a": []any{"b"}}},
		{"an item may not", "a: [\nb]", nil},
		{"an escape for a surrogate pair is one character", `a: "\ud83d\ude00"`, map[string]any{"a": "😀"}},
		{"half a pair is a fault", `a: "\ud83d"`, nil},
		{"an escaped line break is nothing", "a: \"b\\\n  c\"", map[string]any{"a": "bc"}},
		{"two quotes are one in single quotes", "a: 'it''s'", map[string]any{"a": "it's"}},
		{"a tab does not indent a key", "a:\n\tb: c", nil},
		{"three dots end the block", "a: b\n...\n", map[string]any{"a": "b"}},
		{"text after three dots is another document", "a: b\n...\nc", nil},
		{"a NUL byte is a fault", "a: b\x00", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := Parse(c.text)
			if c.want == nil {
				if err == nil {
					t.Fatalf("%q is read as %v", c.text, plain(n))
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, plain(n)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestBoundsAreToldFromFaults(t *testing.T) {
	for name, text := range map[string]string{
		"nesting": strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1),
		"aliases": "a: &a [" + strings.Repeat("x,", 300) + "]\nb: [" + strings.Repeat("*a,", 300) + "]",
	} {
		if _, err := Parse(text); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Parse("a: ["); err == nil || errors.Is(err, ErrTooLarge) {
		t.Errorf("a fault: %v", err)
	}
}

func TestTimeGrowsWithTheInputOnly(t *testing.T) {
	r := &rnd{newRand(3)}
	for range 200 {
		unit := r.scalar() + r.one("\n", ", ", " ", ": ", "\n ")
		text := strings.Repeat(unit, 1<<17/len(unit))
		start := time.Now()
		_, _ = Parse(text)
		if took := time.Since(start); took > hang {
			t.Errorf("128 KiB of %q took %v", unit, took)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a: b", "a:\n- b: [c, {d: e}]\n- 'f''g'\n", "&x k: |2-\n   b\nc: *x\n<<: {d: 1}\n", "\ta: \"b\n  c\\u00e9\"\r\n? k\n: v", "a: !!str 5\n...\n", "a: >+\n\n x\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err == nil {
			checkSpan(t, text, n)
			_ = plain(n)
		}
	})
}

func checkSpan(t *testing.T, text string, n *Node) {
	if n.Start < 0 || n.End < n.Start || n.End > len(text) {
		t.Errorf("%v at %d:%d of %d bytes", n.Kind, n.Start, n.End, len(text))
	}
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
