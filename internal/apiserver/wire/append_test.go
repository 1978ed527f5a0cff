package wire

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestAPageOfMemoriesIsWrittenAsEncodingJSONWouldWriteIt(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z/. "<>&\\]*`))
	moment := rapid.Custom(func(t *rapid.T) Time {
		return At(time.UnixMicro(rapid.Int64Range(0, 4_000_000_000_000_000).Draw(t, "at")))
	})
	optional := rapid.Ptr(text, true)
	item := rapid.Custom(func(t *rapid.T) Listed {
		if rapid.Bool().Draw(t, "prefix") {
			return Listed{Prefix: &MemoryPrefix{Type: "memory_prefix", Path: text.Draw(t, "path")}}
		}
		return Listed{Memory: &Memory{
			Type: "memory", ID: text.Draw(t, "id"), Store: text.Draw(t, "store"), Path: text.Draw(t, "path"), Content: optional.Draw(t, "content"), Size: rapid.Int().Draw(t, "size"),
			SHA256: text.Draw(t, "sha"), Version: text.Draw(t, "version"), CreatedAt: moment.Draw(t, "created"), UpdatedAt: moment.Draw(t, "updated"),
		}}
	})
	rapid.Check(t, func(t *rapid.T) {
		p := Page[Listed]{Data: rapid.SliceOfN(item, 0, 4).Draw(t, "data"), Next: optional.Draw(t, "next")}
		if p.Data == nil {
			p.Data = []Listed{}
		}
		want, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := p.AppendJSON(nil); !ok || string(got) != string(want) {
			t.Errorf("%s\n%s", got, want)
		}
	})
	if _, ok := (Page[MemoryStore]{}).AppendJSON(nil); ok {
		t.Error("a page of stores is taken for one of memories")
	}
}
