package jsonedit

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const key = "autoMemoryEnabled"

// k in a table stands for the member that is set.
func expand(s string) string { return strings.ReplaceAll(s, "K", `"`+key+`"`) }

func TestSetBoolAddsAMemberInTheDocumentsOwnStyle(t *testing.T) {
	t.Parallel()
	// Where back is true, removing the member again gives the source, byte by byte.
	tests := []struct {
		name, src, want string
		back            bool
	}{
		{"an empty source becomes an object", "", "{\n  K: false\n}\n", false},
		{"a blank line stays below the new object", "\r\n", "{\r\n  K: false\r\n}\r\n", false},
		{"a byte order mark alone stays in front", "\uFEFF", "\uFEFF{\n  K: false\n}\n", false},
		{"an empty object stays on its line", "{}", "{K: false}", true},
		{"... with its blank", "{ }\n", "{ K: false }\n", true},
		{"an empty object on two lines", "{\n}", "{\n  K: false\n}", true},
		{"... with CRLF", "{\r\n}\r\n", "{\r\n  K: false\r\n}\r\n", true},
		{"two spaces", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  K: false\n}\n", true},
		{"a tab, CRLF and a byte order mark", "\uFEFF{\r\n\t\"a\": 1\r\n}", "\uFEFF{\r\n\t\"a\": 1,\r\n\tK: false\r\n}", true},
		{"no indentation", "{\n\"a\": 1\n}", "{\n\"a\": 1,\nK: false\n}", true},
		{"no blanks at all", `{"a":1,"b":2}`, `{"a":1,"b":2,K:false}`, true},
		{"one member without blanks", `{"a":1}`, `{"a":1,K:false}`, true},
		{"one line with blanks", `{ "a": 1, "b": 2 }`, `{ "a": 1, "b": 2, K: false }`, true},
		{"blanks on both sides of the colon", `{"a" : 1}`, `{"a" : 1, K : false}`, true},
		{"one line, a nested value on several", "{\"a\": {\n    \"x\": 1\n}}", "{\"a\": {\n    \"x\": 1\n}, K: false}", true},
		{"the indentation is not that of a nested value", "{\n  \"a\": {\n    \"x\": 1 }, \"b\": 2\n}", "{\n  \"a\": {\n    \"x\": 1 }, \"b\": 2,\n  K: false\n}", true},
		{"a comma at the end stays the habit", "{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  K: false,\n}", true},
		{"... on one line", `{ "a": 1, }`, `{ "a": 1, K: false, }`, true},
		{"a comment beside the last member stays beside it", "{\n  \"a\": 1 // one\n}", "{\n  \"a\": 1, // one\n  K: false\n}", true},
		{"... and a comment below it stays below it", "{\n  \"a\": 1\n  // \"b\": 2,\n}", "{\n  \"a\": 1,\n  // \"b\": 2,\n  K: false\n}", true},
		{"a comment in an empty object", "{ // none }\r\n}", "{ // none }\r\n  K: false\r\n}", true},
		{"a block comment on one line", "{ /* none */ }", "{ /* none */ K: false }", true},
		{"a brace on the last member's line", "{\n  \"a\": 1 }", "{\n  \"a\": 1,\n  K: false }", false},
		{"blanks at the end of a line stay there", "{\n  \"a\": 1  \n}", "{\n  \"a\": 1,  \n  K: false\n}", true},
		{"comments around the object", "// a\n{\"a\":1} // b", "// a\n{\"a\":1,K:false} // b", true},
		{"a key of the same name further down is another", `{"a":{K:true}}`, `{"a":{K:true},K:false}`, true},
		{"a key in other letters is another", `{"automemoryenabled":true}`, `{"automemoryenabled":true,K:false}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			src := expand(tt.src)
			got, err := SetBool([]byte(src), key, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(expand(tt.want), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			back, err := Unset(got, key)
			if err != nil {
				t.Fatal(err)
			}
			if tt.back && string(back) != src {
				t.Errorf("after Unset: %q, want the source %q", back, src)
			}
		})
	}
}

func TestSetBoolChangesOnlyTheBytesOfAValue(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"the other boolean", "{\n K :\ttrue ,// on\n}", "{\n K :\tfalse ,// on\n}"},
		{"the same boolean", `{K: false}`, `{K: false}`},
		{"a string that looks like one", `{K: "false"}`, `{K: false}`},
		{"an object with all that is in it", "{K: { \"x\": [1, /* } */ 2] }, \"b\": 1}", "{K: false, \"b\": 1}"},
		{"the last of two, which is the one that counts", `{K: true, K: true, "b": 1}`, `{K: true, K: false, "b": 1}`},
		{"a key written with an escape", `{"auto\u004demoryEnabled": true}`, `{"auto\u004demoryEnabled": false}`},
		{"a string with brackets and quotes", `{"a": "}\"{ // ", K: true}`, `{"a": "}\"{ // ", K: false}`},
		{"bytes that are not UTF-8", "{\"a\": \"\xff\", K: true}", "{\"a\": \"\xff\", K: false}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := SetBool([]byte(expand(tt.src)), key, false)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(expand(tt.want), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnset(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"an empty source stays", "", ""},
		{"an absent member changes nothing", `{"a": 1,}`, `{"a": 1,}`},
		{"the first of several lines", "{\n  K: true,\n  \"a\": 1\n}", "{\n  \"a\": 1\n}"},
		{"the last of several lines takes the comma before it", "{\r\n  \"a\": 1,\r\n  K: true\r\n}", "{\r\n  \"a\": 1\r\n}"},
		{"a comma at the end stays the habit", "{\n  \"a\": 1,\n  K: true,\n}", "{\n  \"a\": 1,\n}"},
		{"the only one", "{\n  K: true\n}", "{\n}"},
		{"the first on one line", `{ K: true, "a": 1 }`, `{ "a": 1 }`},
		{"the last on one line", `{ "a": 1, K: true }`, `{ "a": 1 }`},
		{"one between two", `{"a":1,K:true,"b":2}`, `{"a":1,"b":2}`},
		{"a comment beside it stays", "{\n  K: true, // why\n  \"a\": 1\n}", "{\n  // why\n  \"a\": 1\n}"},
		{"a comment before its comma stays", "{\n  K: true /* why */,\n  \"a\": 1\n}", "{\n   /* why */\n  \"a\": 1\n}"},
		{"a comment above it stays a comment", "{\n  // why\n  K: true,\r \"a\": 1\n}", "{\n  // why\n  \r \"a\": 1\n}"},
		{"all of that name go", "{K: true, \"a\": 1, K: false, K: 3}", "{\"a\": 1}"},
		{"all there is, several times", "{K: true, K: false}", "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Unset([]byte(expand(tt.src)), key)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(expand(tt.want), string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatCannotBeParsedIsRefusedWithItsPlace(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", maxDepth)
	tests := []struct{ name, src, want string }{
		{"no value", `{"a": }`, "line 1, column 7: invalid character '}' at start of value"},
		{"no comma", "{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: invalid character '\"' after object value (expecting ',' or '}')"},
		{"an open object", `{"a": 1`, "line 1, column 8: parsing object after value: unexpected EOF"},
		{"an open comment", "{} /*", "line 1, column 4: parsing comment: unexpected EOF"},
		{"a secret with a raw tab in it is not repeated", "{\"token\": \"s3cr\tt\"}", "line 1, column 11: invalid literal"},
		{"an array", "\n[]", "line 2, column 1: the top level is an array, not an object"},
		{"a string", `"{}"`, "line 1, column 1: the top level is a string, not an object"},
		{"a number", `-1`, "line 1, column 1: the top level is a number, not an object"},
		{"null", `null`, "line 1, column 1: the top level is null, not an object"},
		{"a boolean", `true`, "line 1, column 1: the top level is a boolean, not an object"},
		{"a name that is no string", `{{}: 1}`, "line 1, column 2: invalid character '{' at start of object name"},
		{"something after the object", "{}\n}", "line 2, column 1: invalid character '}' after top-level value"},
		{"a byte order mark does not count as a column", "\uFEFF{x}", "line 1, column 2: invalid literal"},
		{"too deep for the stack", `{"a":` + deep, "line 1, column 10005: nested more than 10000 levels deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for name, do := range map[string]func() ([]byte, error){
				"SetBool": func() ([]byte, error) { return SetBool([]byte(tt.src), key, true) },
				"Unset":   func() ([]byte, error) { return Unset([]byte(tt.src), key) },
			} {
				out, err := do()
				var syntax *SyntaxError
				if out != nil || !errors.As(err, &syntax) {
					t.Fatalf("%s = %q, %v, want a *SyntaxError", name, out, err)
				}
				if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
	if _, err := SetBool(nil, "\xff", true); err == nil {
		t.Error("a key that is not UTF-8 was accepted: no document can hold it")
	}
}

func TestStrictNamesWhatAStrictReaderStumblesOver(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"strict", "\uFEFF {\"a\": [1, \"//,}\", {}]}\n", ""},
		{"a line comment", "{\n  // c\n}", "line 2, column 3: a comment, which strict JSON does not have"},
		{"a block comment", `{} /**/`, "line 1, column 4: a comment, which strict JSON does not have"},
		{"a comma at the end", "{\"a\": 1,\n}", "line 1, column 8: a comma after the last element, which strict JSON does not have"},
		{"... of a nested array", `{"a": [1, ]}`, "line 1, column 9: a comma after the last element, which strict JSON does not have"},
		{"the first of both", `{"a": [1,/**/], }`, "line 1, column 9: a comma after the last element, which strict JSON does not have"},
		{"no JSON at all", "x", "line 1, column 1: invalid literal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ""
			if err := Strict([]byte(tt.src)); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheSourceIsNeverWrittenTo(t *testing.T) {
	t.Parallel()
	backing := []byte(`{"a": 1} // cZZZ`)
	src := backing[:len(backing)-3]
	if _, err := SetBool(src, key, true); err != nil {
		t.Fatal(err)
	}
	if string(backing) != `{"a": 1} // cZZZ` {
		t.Errorf("the source's array is now %q", backing)
	}
}

// A repository brings its own settings file, which may be made to hurt.
func TestHostileSourcesTakeLinearTime(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (size-len(head)-len(tail))/len(part)) + tail
	}
	tests := map[string]string{
		"a key a hundred thousand times":   fill(`{`, expand(`K:1,`), `}`),
		"members on lines of their own":    fill("{", "\n\"a\":1,", "\n}"),
		"comments":                         fill(`{`, "/**/", `}`),
		"open comments":                    fill(`{`, "/*", ``),
		"slashes":                          fill(`{`, "/", ``),
		"line comments with no end":        fill(`{`, "//", ``),
		"brackets":                         fill(`{"a":`, "[", ``),
		"pairs of brackets":                fill(`{"a":[`, "[],", `]}`),
		"commas":                           fill(`{"a":[1`, ",", `]}`),
		"one long string":                  fill(`{"a":"`, `\"`, `"}`),
		"blanks":                           fill(`{"a":1`, " ", `}`),
		"line ends":                        fill(`{"a":1`, "\r\n", `}`),
		"separators in an open comment":    fill("{//", "\u2028", ``),
		"strings that are open at the end": fill(`{`, `"\`, ``),
	}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			// Some can't be parsed; how long it takes to say so is the question.
			start := time.Now()
			_, _ = SetBool([]byte(src), key, true)
			_, _ = Unset([]byte(src), key)
			// Each takes well under a second, also with the race detector; anything
			// quadratic takes many minutes at this size.
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%d bytes took %v", len(src), took)
			}
		})
	}
}

// object decodes a document as a reader with comments would.
func object(t interface{ Fatalf(string, ...any) }, src []byte) map[string]any {
	m := map[string]any{}
	if isBlank(src) {
		return m
	}
	text := standard(t, src)
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatalf("not an object: %v: %q", err, src)
	}
	return m
}
