package model

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

const noteSchema = `{"type":"object","required":["notes"],"additionalProperties":false,"properties":{
"notes":{"type":"array","maxItems":2,"items":{"type":"object","required":["text","kind"],"additionalProperties":{"type":"boolean"},
"properties":{"text":{"type":"string","minLength":2,"maxLength":5},"kind":{"enum":["a","b",1]},"n":{"type":["integer","null"],"minimum":0,"maximum":9}}}}}}`

func mustSchema(t testing.TB, text string) *schema {
	t.Helper()
	s, err := parseSchema([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAValueIsCheckedAgainstEveryKeyword(t *testing.T) {
	t.Parallel()
	note := func(fields string) string { return `{"notes":[{` + fields + `}]}` }
	tests := []struct{ name, text, want string }{
		{"right", note(`"text":"abc","kind":"a","n":3`), ""},
		{"no items", `{"notes":[]}`, ""},
		{"one and 1.0 are one number", note(`"text":"abc","kind":1.0,"n":3.0`), ""},
		{"null where it may be", note(`"text":"abc","kind":"b","n":null`), ""},
		{"five runes of many bytes", note(`"text":"їжак👋","kind":"a"`), ""},
		{"another type", `[]`, "is to be of type object"},
		{"no key", `{}`, `lacks "notes"`},
		{"a key too many", `{"notes":[],"more":1}`, "doesn't know"},
		{"too short", note(`"text":"a","kind":"a"`), ".notes[0].text is to have at least 2"},
		{"too long", note(`"text":"abcdef","kind":"a"`), "at most 5 characters"},
		{"no such choice", note(`"text":"abc","kind":"c"`), "none of the values"},
		{"below", note(`"text":"abc","kind":"a","n":-1`), "at least 0"},
		{"above", note(`"text":"abc","kind":"a","n":10`), "at most 9"},
		{"no integer", note(`"text":"abc","kind":"a","n":1.5`), "integer or null"},
		{"out of range", note(`"text":"abc","kind":"a","n":1e999`), "type integer"},
		{"another key of another type", note(`"text":"abc","kind":"a","x":"y"`), ".* is to be of type boolean"},
		{"another key of its type", note(`"text":"abc","kind":"a","x":true`), ""},
		{"too many items", `{"notes":[1,2,3]}`, "at most 2 items"},
		{"a key twice", `{"notes":[],"notes":[]}`, "twice"},
		{"two values", `{"notes":[]} {"notes":[{"text":"abc","kind":"a"}]}`, "differ"},
		{"one value twice", `{"notes":[]} and again {"notes":[]}`, ""},
		{"cut", `{"notes":[{"text":"abc","kind":"a"}`, "ends in the middle"},
		{"deep", strings.Repeat("[", 200) + strings.Repeat("]", 200), "too deep"},
		{"nothing", "", "no JSON"},
		{"prose", "I would {not} [know].", "no JSON"},
		{"prose with braces before", "Use {x} or [y]: {\"notes\":[]}!", ""},
		{"a fence and a BOM", "\uFEFF```json\n{\"notes\":[]}\n```", ""},
		{"a brace in a string", note(`"text":"}{","kind":"a"`), ""},
	}
	want := mustSchema(t, noteSchema)
	for _, tt := range tests {
		value, err := findJSON(tt.text, want)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want == "" && !json.Valid(value):
			t.Errorf("%s: %s", tt.name, value)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error %v, want %q in it (value %s)", tt.name, err, tt.want, value)
		}
	}
}

func TestAPartOfABrokenValueIsNotTakenForTheWhole(t *testing.T) {
	t.Parallel()
	want := mustSchema(t, `{"type":"object"}`)
	for _, text := range []string{`{"notes":[{"text":"x"},],"z":1}`, `{"a":{"text":"x"}`, `{"a":{"b":1} "c":2}`} {
		if v, err := findJSON(text, want); err == nil {
			t.Errorf("%s: took %s", text, v)
		}
	}
}

func TestASchemaThatIsNotCheckedWhollyIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"anyOf":[]}`, `{"$ref":"x"}`, `{"pattern":"x"}`, `{"type":"text"}`, `{"type":[]}`, `{"type":5}`, `[]`, `null`, ``, `{"minLength":"x"}`,
		`{"properties":{"a":{"not":{}}}}`, `{"items":{"format":"date"}}`, `{"additionalProperties":5}`, `{"enum":[{"a":1,"a":2}]}`,
	} {
		if _, err := parseSchema([]byte(text)); err == nil {
			t.Errorf("%s is taken for a schema", text)
		}
	}
	deep := strings.Repeat(`{"items":`, 5000) + `{}` + strings.Repeat(`}`, 5000)
	if _, err := parseSchema([]byte(deep)); err == nil {
		t.Error("a schema 5000 deep is taken")
	}
}

// Time, since work that is quadratic is what it is about: 4 MiB take a fraction of
// a second when it is linear, and minutes when it is not.
func TestTextsMadeToBeSlowAreNot(t *testing.T) {
	t.Parallel()
	want := mustSchema(t, noteSchema)
	const size = 1 << 20
	for name, piece := range map[string]string{
		"open braces": "{", "open brackets": "[", "braces and prose": "{ [ a ", "a string in a list": `["[`, "keys": `{"a":`, "items": `[1,`, "quotes": `{"`,
	} {
		begin := time.Now()
		if v, err := findJSON(strings.Repeat(piece, size/len(piece)), want); err == nil {
			t.Errorf("%s: found %s", name, v)
		}
		if d := time.Since(begin); d > 20*time.Second {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func FuzzFindJSON(f *testing.F) {
	for _, s := range []string{`{"notes":[]}`, "x {\"notes\":[{\"text\":\"abc\",\"kind\":\"a\"}]} y", `{"notes":[],"notes":[]}`, "[[[", `{"a":"\ud800"}`} {
		f.Add(s)
	}
	want := mustSchema(f, noteSchema)
	f.Fuzz(func(t *testing.T, text string) {
		value, err := findJSON(text, want)
		if err != nil {
			if value != nil {
				t.Fatalf("both %s and %v", value, err)
			}
			return
		}
		v, err := readJSON(value)
		if err != nil {
			t.Fatalf("%s: %v", value, err)
		}
		if err := want.check("", v); err != nil {
			t.Fatalf("%s: %v", value, err)
		}
	})
}

func FuzzParseSchema(f *testing.F) {
	for _, s := range []string{noteSchema, callsSchema, `{"type":["a"]}`, `{"enum":[1e999]}`} {
		f.Add(s, `{"notes":[1]}`)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		s, err := parseSchema([]byte(text))
		if err != nil {
			return
		}
		if v, err := readJSON([]byte(value)); err == nil {
			_ = s.check("", v) // only that it ends and does not panic
		}
	})
}

func FuzzCodexAndCalls(f *testing.F) {
	f.Add(`{"type":"item.completed","item":{"type":"agent_message","text":"{\"calls\":[{\"name\":\"read\",\"input\":{}}]}"}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":5}}`)
	f.Add("{\n[\x00")
	r := ask("x")
	r.Tools = []Tool{{Name: "read"}}
	f.Fuzz(func(t *testing.T, out string) {
		res, err := readCodex([]byte(out), r)
		if err != nil {
			var fail *Failure
			if !errors.As(err, &fail) {
				t.Fatal(err)
			}
			return
		}
		for _, c := range res.Calls {
			if c.Name != "read" || !json.Valid(c.Input) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
