package bymodel

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dormouse/dream"
	"dormouse/scan/secrets"
)

func three() reader {
	return reader{ids: map[int]bool{1: true, 2: true, 5: true}, finder: secrets.New()}
}

func TestAnswersAreRead(t *testing.T) {
	t.Parallel()
	same := []dream.Op{{Op: "same", Claims: []int{1, 2}, Keep: 2}}
	merge := func(text string) []dream.Op { return []dream.Op{{Op: "merge", Claims: []int{1, 5}, Text: text}} }
	asMerge := func(text string) string {
		b, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return `{"ops":[{"op":"merge","claims":[1,5],"text":` + string(b) + `}]}`
	}
	const plain = `{"ops":[{"op":"same","claims":[1,2],"keep":2}]}`
	tests := []struct {
		name, answer string
		want         []dream.Op
		dropped      int
		err          error
	}{
		{"plain", plain, same, 0, nil},
		{"prose and a fence around it", "Sure {you} asked [so]:\n```json\n" + plain + "\n```\nAnything {else}?", same, 0, nil},
		{"twice the same", plain + "\nThat is:\n" + strings.ReplaceAll(plain, ":", ": "), same, 0, nil},
		{"two that differ", plain + ` {"ops":[]}`, nil, 0, errDiffer},
		{"another value beside it", `{"thought":"hm"} ` + plain, same, 0, nil},
		{"cut", plain[:len(plain)-2], nil, 0, errCut},
		{"cut, with a whole answer inside", `{"draft":` + plain + `,`, nil, 0, errCut},
		{"nothing", "", nil, 0, errNoOps},
		{"no JSON", "I would keep them all.", nil, 0, errNoOps},
		{"another schema", `{"operations":[]}`, nil, 0, errNoOps},
		{"a list alone", `[{"op":"same","claims":[1,2],"keep":2}]`, nil, 0, errNoOps},
		{"too long", plain + strings.Repeat(" ", maxAnswer), nil, 0, errLong},
		{"no operations", `{"ops":[]}`, nil, 0, nil},
		{"keep", `{"ops":[{"op":"keep","claims":[5],"keep":1,"text":"x","why":"differ"}]}`, []dream.Op{{Op: "keep", Claims: []int{5}, Why: "differ"}}, 0, nil},
		{"keep of nothing", `{"ops":[{"op":"keep","claims":[]}]}`, nil, 1, nil},
		{"numbers in any order, and twice", `{"ops":[{"op":"conflict","claims":[5,1,5]}]}`, []dream.Op{{Op: "conflict", Claims: []int{1, 5}}}, 0, nil},
		{"an unknown operation beside a known", `{"ops":[{"op":"archive","claims":[1,2]},{"op":"same","claims":[1,2],"keep":2}]}`, same, 1, nil},
		{"a number that is no statement's", `{"ops":[{"op":"same","claims":[1,2,3],"keep":2}]}`, nil, 1, nil},
		{"numbers as texts", `{"ops":[{"op":"same","claims":["1","2"],"keep":2}]}`, nil, 1, nil},
		{"a number with a fraction", `{"ops":[{"op":"same","claims":[1,2.5],"keep":1}]}`, nil, 1, nil},
		{"what is no object", `{"ops":[1,null,"same",[]]}`, nil, 4, nil},
		{"keeps what is not of them", `{"ops":[{"op":"same","claims":[1,2],"keep":5}]}`, nil, 1, nil},
		{"one statement alone is not the same", `{"ops":[{"op":"same","claims":[1,1],"keep":1}]}`, nil, 1, nil},
		{"the same operation twice", `{"ops":[{"op":"conflict","claims":[1,2]},{"op":"conflict","claims":[2,1]}]}`, []dream.Op{{Op: "conflict", Claims: []int{1, 2}}}, 1, nil},
		{"a statement in two merges", `{"ops":[{"op":"same","claims":[1,2],"keep":2},{"op":"merge","claims":[2,5],"text":"x"}]}`, same, 1, nil},
		{
			"more than there are statements", `{"ops":[{"op":"keep","claims":[1]},{"op":"keep","claims":[2]},{"op":"keep","claims":[5]},{"op":"conflict","claims":[1,2]}]}`,
			[]dream.Op{{Op: "keep", Claims: []int{1}}, {Op: "keep", Claims: []int{2}}, {Op: "keep", Claims: []int{5}}},
			1, nil,
		},
		{"a text on two lines", asMerge("  uses `make`\r\n\tand Go 1.26 "), merge("uses `make`   and Go 1.26"), 0, nil},
		{"a text in Ukrainian", asMerge("порт — 8080, не 8081"), merge("порт — 8080, не 8081"), 0, nil},
		{"a text with brackets", asMerge("<b> & [x](y) \\d+"), merge("<b> & [x](y) \\d+"), 0, nil},
		{"a text of 4 KB", asMerge(strings.Repeat("wörd ", maxText/6) + "four"), merge(strings.Repeat("wörd ", maxText/6) + "four"), 0, nil},
		{"a text over 4 KB", asMerge(strings.Repeat("x", maxText+1)), nil, 1, nil},
		{"an empty text", asMerge(" \n "), nil, 1, nil},
		{"NUL", asMerge("a\x00b"), nil, 1, nil},
		{"an escape", asMerge("a\x1b[31mb"), nil, 1, nil},
		{"a separator of lines", asMerge("a\u2028b"), nil, 1, nil},
		{"letters that nobody sees", asMerge("a\u200bb\U000e0041"), nil, 1, nil},
		{"a selector that nobody sees", asMerge("a\ufe0fb"), nil, 1, nil},
		{"a mark as reviews have it", asMerge("a<U+200B>b"), nil, 1, nil},
		{"half a character", "{\"ops\":[{\"op\":\"merge\",\"claims\":[1,5],\"text\":\"a\xffb\"}]}", nil, 1, nil},
		{"half a pair", `{"ops":[{"op":"merge","claims":[1,5],"text":"a\ud800b"}]}`, nil, 1, nil},
		{"a secret", asMerge("the token is ghp" + "_aB3xK9mQ2rT7vW4yZ8nC5pL1sD6fG0hJ3kEu"), nil, 1, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, refused, err := three().read([]byte(tt.answer))
			if diff := cmp.Diff(tt.want, got); diff != "" || len(refused) != tt.dropped || !errors.Is(err, tt.err) {
				t.Errorf("%q refused, want %d; error %v, want %v; (-want +got):\n%s", refused, tt.dropped, err, tt.err, diff)
			}
		})
	}
}

// TestARefusalSaysWhy: in words of ours, and with none of the model's.
func TestARefusalSaysWhy(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"op":"same","claims":[1,77],"keep":1}`:          "same: it cites a statement that is not in the cluster",
		`{"op":"same","claims":[1,1],"keep":1}`:           "same: it needs two statements",
		`{"op":"same","claims":[1,2],"keep":5}`:           "same: it does not say which statement stays",
		`{"op":"merge","claims":[1,5],"text":"  "}`:       "merge: the text is empty",
		`{"op":"merge","claims":[1,5],"text":"a\u202eb"}`: "merge: the text has characters in it that nobody sees",
		`{"op":"rm \u001b[31m","claims":[1,5]}`:           "an unknown operation: there is no such operation",
		`{"op":"same","claims":"all"}`:                    "same: it has not the form that was asked for",
		`"keep"`:                                          "an unknown operation: it has not the form that was asked for",
		`{"op":"keep","claims":[]}`:                       "keep: it cites no statement",
	} {
		if _, refused, err := three().read([]byte(`{"ops":[` + answer + `]}`)); err != nil || len(refused) != 1 || refused[0] != want {
			t.Errorf("%s: %q, %v; want %q", answer, refused, err, want)
		}
	}
}

func TestAReasonIsMended(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"same\n thing":                      "same  thing",
		"a\vb\u0085c\u2028d\u00a0e":         "a b c d e",
		"\x1b[31mred\u202e\x00":             "[31mred",
		strings.Repeat("ї", 200):            strings.Repeat("ї", 148) + "…",
		"\xff" + strings.Repeat("x", 9_000): strings.Repeat("x", 297) + "…",
		"password: hunter2hunter2, token ghp" + "_aB3xK9mQ2rT7vW4yZ8nC5pL1sD6fG0hJ3kEu": "",
	} {
		if got := three().why(in); got != want {
			t.Errorf("%.40q came out as %q, want %q", in, got, want)
		}
	}
}

// FuzzAnswer reads any bytes as an answer on three statements.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"ops":[{"op":"same","claims":[1,2],"keep":2,"text":"","why":"two wordings"}]}`,
		"Here:\n```json\n{\"ops\":[{\"op\":\"merge\",\"claims\":[1,5],\"text\":\"a\\nb\"}]}\n```",
		`{"ops":[{"op":"conflict","claims":[5,1,5],"why":"a\u202eb\u0000"},{"op":"keep","claims":[1]}]} {"ops":[]}`,
		`{"ops":[{"op":"keep","claims":[1]},{"op":"keep","claims":[1]},{"op":"keep","claims":[2]},{"op":"keep","claims":[5]},{"op":"keep","claims":[5,1]}]}`,
		`{"ops":[{"op":"merge","claims":[1,2],"text":"<U+200B> \ud800"}]}`,
		`{"ops":{"op":"same"}}`, `{"ops":[null,1,[]]}`, `{"ops":`, "{{{{", "\x00\xff", "",
	} {
		f.Add([]byte(s))
	}
	r := three()
	f.Fuzz(func(t *testing.T, answer []byte) {
		ops, refused, err := r.read(answer)
		if err != nil && (len(ops) > 0 || len(refused) > 0) {
			t.Fatalf("error %v with %+v", err, ops)
		}
		if len(ops) > len(r.ids) {
			t.Fatalf("%d operations on %d statements", len(ops), len(r.ids))
		}
		for _, op := range ops {
			if len(op.Text) > 4<<10 || len(op.Why) > 300 || len(op.Claims) == 0 || len(op.Claims) > len(r.ids) {
				t.Fatalf("out of bounds: %+v", op)
			}
			for _, id := range op.Claims {
				if !r.ids[id] {
					t.Fatalf("there is no statement %d", id)
				}
			}
			if op.Keep != 0 && !r.ids[op.Keep] {
				t.Fatalf("keeps %d", op.Keep)
			}
			for _, s := range []string{op.Text, op.Why} {
				if !utf8.ValidString(s) || strings.ContainsFunc(s, func(c rune) bool { return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) }) {
					t.Fatalf("%q has characters that nobody sees", s)
				}
			}
		}
		if err != nil {
			return
		}
		// What comes out reads as itself: the cache hangs on it.
		b, err := json.Marshal(map[string]any{"ops": some(ops)})
		if err != nil {
			t.Fatal(err)
		}
		again, refused, err := r.read(b)
		if diff := cmp.Diff(some(ops), some(again)); diff != "" || len(refused) != 0 || err != nil {
			t.Fatalf("read again: %q refused, error %v (-want +got):\n%s", refused, err, diff)
		}
	})
}
