package jsonedit

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"
	"pgregory.net/rapid"
)

func TestFindTakesWhatAReaderTakes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(drawSource(t))
		path := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", key, "a\"}", "none"}), 1, 3).Draw(t, "path")
		want := at(object(t, src), path...)
		raw := Find(src, path)
		if raw == nil {
			if want != nil {
				t.Fatalf("%q: %v is not found", src, path)
			}
			return
		}
		strict, err := hujson.Standardize(append([]byte{}, raw...))
		if err != nil {
			t.Fatalf("%q: %v is %q: %v", src, path, raw, err)
		}
		var got any
		if err := json.Unmarshal(strict, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %v (-want +got):\n%s", src, path, diff)
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"", "{", "{\"a\":", "{\"a\":}", "{\"a\":tru/", "{\"a\":{\"b\":[1,{}]/**/}}", "{\"a\"1}", "{\"a\":\"\\"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		raw := Find(src, []string{"a", "b"})
		var doc struct{ A struct{ B json.RawMessage } }
		if Strict(src) == nil && json.Unmarshal(src, &doc) == nil && len(raw) == 0 && len(doc.A.B) > 0 {
			var exact map[string]map[string]json.RawMessage // names in their own case
			if json.Unmarshal(src, &exact) == nil && exact["a"]["b"] != nil {
				t.Fatalf("%q: not found", src)
			}
		}
	})
}
