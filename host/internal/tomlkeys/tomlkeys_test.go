package tomlkeys

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestKeysAreFoundWithTheirLines(t *testing.T) {
	const text = "\ufeffa = 1\r\n" +
		"\"b\" . 'c' = \"x\\u00e9\" # no\n" +
		"list = [\"p\", 2, [3], {q = 1},\n  true]\n" +
		"inline = { d = true, \"e.f\" = 0x1F }\n" +
		"[t]\n" +
		"k = 1_000\n" +
		"[t.\"/home/a b\"]\n" +
		"level = \"on\"\n" +
		"[[t.many]]\n" +
		"k = 1\n" +
		"[[t.many]]\n" +
		"k = 1\n" +
		"[deep.er.and]\n" +
		"deep.est = 1\n" +
		"big = 99999999999999999999\n" +
		"[last]\n" +
		"date = 2026-01-02\n" +
		"text = '''\nk = 5\n'''\n"
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path  string
		value any
		line  int
	}{
		{"a", int64(1), 1},
		{"b|c", "xé", 2},
		{"list", []any{"p", int64(2), Other("Array"), Other("InlineTable"), true}, 3},
		{"inline|d", true, 5},
		{"inline|e.f", int64(31), 5},
		{"inline", Other("InlineTable"), 5},
		{"t|k", int64(1000), 7},
		{"t|/home/a b|level", "on", 9},
		{"last|date", Other("LocalDate"), 18},
		{"last|text", "k = 5\n", 19},
	} {
		path := strings.Split(tc.path, "|")
		k, ok := f.Get(path...)
		if !ok {
			t.Errorf("%s: not found", tc.path)
			continue
		}
		if diff := cmp.Diff(Key{path, tc.value, tc.line}, k); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.path, diff)
		}
	}
	for _, path := range []string{"k", "t|many|k", "deep|er|and|deep", "deep|er|and|big", "nothing", "t"} {
		if k, ok := f.Get(strings.Split(path, "|")...); ok {
			t.Errorf("%s: found %v, but nothing stands there", path, k)
		}
	}
}

func TestAFileThatIsNoTOMLIsRefusedWithItsLine(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		line int
	}{
		"a value is missing":      {"a = 1\nb =\n", 2},
		"the text ends early":     {"a = \"", 1},
		"a key stands twice":      {"a = 1\n\na = 1\n", 3},
		"a table stands twice":    {"[a]\n[b]\n[a]\n", 3},
		"twice in an inline one":  {"x = 1\na = {b = 1, b = 1}\n", 2},
		"it is binary":            {"\x00\x01", 1},
		"it is not UTF-8":         {"a = \"\xff\"", 1},
		"a bare word is no value": {"a = yes", 1},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(tc.text))
			te, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("error is %v", err)
			}
			if te.Line != tc.line || te.What == "" {
				t.Errorf("line %d, %q; want line %d", te.Line, te.What, tc.line)
			}
		})
	}
}

func TestAHardFileCostsNoMoreThanItsSize(t *testing.T) {
	const n = 1 << 20
	for name, text := range map[string]string{
		"nested arrays":         "a=" + strings.Repeat("[", n),
		"nested inline tables":  "a=" + strings.Repeat("{a=", n/3),
		"a long dotted key":     strings.Repeat("a.", n/2) + "a=1",
		"many tables":           numbered("[t", "]\nx=1\n", n),
		"many keys":             numbered("k", "=1\n", n),
		"keys below a long one": "[" + strings.Repeat("a.", n/8) + "a]\n" + numbered("k", "=1\n", n/2),
		"many array tables":     strings.Repeat("[[a]]\n", n/6),
	} {
		start := time.Now()
		_, _ = Parse([]byte(text)) // whether it is TOML is not the question
		if took := time.Since(start); took > hang {
			t.Errorf("%s took %v", name, took)
		}
	}
}

func numbered(before, after string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(before)
		for d := i; ; d /= 10 {
			b.WriteByte(byte('0' + d%10))
			if d < 10 {
				break
			}
		}
		b.WriteString(after)
	}
	return b.String()
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[a]\nb.c = {d = [1, 'x']}", "\ufeff[[a]]\nx=\"\\u0041\"", "a = \"\"\"\nx\"\"\"", "a={b={c={d=1}}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		file, err := Parse(raw)
		if err != nil {
			te, ok := errors.AsType[*Error](err)
			if !ok || te.What == "" || te.Line < 1 || te.Line > strings.Count(string(raw), "\n")+1 {
				t.Fatalf("error %#v for %q", err, raw)
			}
			return
		}
		for _, k := range file.keys {
			got, ok := file.Get(k.path...)
			if !ok || got.Line < 1 || got.Line > strings.Count(string(raw), "\n")+1 || len(got.Path) > MaxDepth {
				t.Fatalf("key %v: %+v, %v in %q", k.path, got, ok, raw)
			}
		}
	})
}

// hang is what no input may take, on however busy a machine: the sizes here
// are such that a quadratic would take far longer.
const hang = 2 * time.Minute
