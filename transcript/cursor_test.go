package transcript

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestTheCursorTakesWhatIsJSONAndNothingElse(t *testing.T) {
	t.Parallel()
	good := []string{
		`{}`, `[]`, `null`, `true`, `false`, `""`, `-0.5e+10`, `0`, ` { "a" : [ 1 , 2 ] } `, `{"a":{"b":[{},[],"\"",-1e5,null]}}`, `"\\"`, `"\\\""`,
	}
	bad := []string{
		``, `{`, `}`, `[`, `]`, `{]`, `[}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `[1,]`, `[,1]`, `[1 2]`, `{"a":1 "b":2}`, `{a:1}`, `{'a':1}`, `{1:1}`, `tru`, `nul`, `truex`, `01`, `1.`, `.5`, `-`, `1e`,
		`+1`, `0x1`, `NaN`, `"`, `"\"`, `"a" "b"`, `{}{}`, `{} x`, "\x00", "{}\x00",
	}
	for _, in := range append(good, bad...) {
		want := slices.Contains(good, in)
		if got := (&cursor{b: []byte(in)}).whole(); got != want || got != json.Valid([]byte(in)) {
			t.Errorf("%q: %v, want %v (encoding/json: %v)", in, got, want, json.Valid([]byte(in)))
		}
	}
	for depth, want := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		if got := (&cursor{b: []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))}).whole(); got != want {
			t.Errorf("%d deep: %v", depth, got)
		}
	}
}

func TestAnyTextComesBackAsItWas(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.String().Draw(t, "text")
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, cut := (&cursor{b: b}).text(len(b)); got != want || cut {
			t.Fatalf("%q came back as %q, cut %v", want, got, cut)
		}
		limit := rapid.IntRange(0, len(want)).Draw(t, "limit")
		got, cut := (&cursor{b: b}).text(limit)
		if !strings.HasPrefix(want, got) || len(got) > limit || limit-len(got) >= 4 || cut != (len(want) > limit) {
			t.Fatalf("%q cut at %d came back as %q, cut %v", want, limit, got, cut)
		}
	})
}

func TestValidIsWhatTheStandardLibrarySays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "long ascii text", "ж", "слово", "語", "😀", "\x80", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\xe2\x82"}), 0, 12).Draw(t, "parts")
		if s := strings.Join(parts, ""); isValid(s) != utf8.ValidString(s) {
			t.Fatalf("%q", s)
		}
	})
}

// FuzzCursor holds the cursor against encoding/json: it takes all that is JSON,
// and what it takes besides has its fault inside a string.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"x\"\u00e9",null,true,false,{}]}`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, "[\"\x01\"]", `"\q"`, `{"a" 1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		ok, valid := (&cursor{b: b}).whole(), json.Valid(b)
		deep := strings.Count(string(b), "[")+strings.Count(string(b), "{") > maxDepth
		if valid && !ok && !deep {
			t.Errorf("%q is JSON", b)
		}
		if ok && !valid && !json.Valid(tame(b)) {
			t.Errorf("%q is no JSON", b)
		}
		var want string
		if json.Unmarshal(b, &want) == nil && valid {
			if got, _ := (&cursor{b: b}).text(3 * len(b)); string(b) != "null" && (&cursor{b: b}).peek() == '"' && got != want {
				t.Errorf("%q: %q, want %q", b, got, want)
			}
		}
	})
}

// tame puts letters for what is wrong inside strings only.
func tame(b []byte) []byte {
	out := []byte{}
	quoted := false
	for i := 0; i < len(b); i++ {
		switch {
		case quoted && b[i] == '\\' && i+1 < len(b):
			out = append(out, 'x', 'x')
			i++
		case b[i] == '"':
			quoted = !quoted
			out = append(out, '"')
		case quoted:
			out = append(out, 'x')
		default:
			out = append(out, b[i])
		}
	}
	return out
}
