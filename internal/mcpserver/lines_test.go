package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"
)

const (
	hello  = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}` + "\n"
	ask    = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{}}}` + "\n"
	inited = `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
)

// served is all that the server says to some bytes of input.
func served(t *testing.T, in string) string {
	t.Helper()
	var out bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := Config{Project: t.TempDir(), Env: conf(t).Env, Log: io.Discard}
	if err := Serve(ctx, strings.NewReader(in), &out, full(), c); err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatal("it did not end with its input")
	}
	return out.String()
}

func TestALineThatIsNoMessageIsAnsweredAndTheSessionGoesOn(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, want string }{
		{"no JSON", "hello", "-32700"},
		{"half a message", `{"jsonrpc":"2.0","id":`, "-32700"},
		{"a list", `[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, "-32600"},
		{"a number", "7", "-32600"},
		{"nothing but white space", " \t", ""},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "-32600"},
		{"an id that is a list", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "-32600"},
		{"neither request nor answer", `{"jsonrpc":"2.0"}`, "-32600"},
		{"an answer that nobody asked for", `{"jsonrpc":"2.0","id":7,"result":{}}`, ""},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"server/discover"}`, "-32601"},
		{"no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\xfe\"}", "-32601"},
		{"a message of 17 MiB", `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `"}}`, "longer than 16 MiB"},
		{"its ID, so that nobody waits", `{"jsonrpc":"2.0","id":"q7","method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `"}}`, `"id":"q7"`},
		{"its ID at the end", `{"method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `"},"jsonrpc":"2.0","id":77}`, `"id":77`},
		{"no ID but one within", `{"method":"ping","params":{"x":"` + strings.Repeat("x", 17<<20) + `","id":77}}`, `"id":null`},
		{"an ID of another version", `{"jsonrpc":"1.0","id":78,"method":"ping"}`, `"id":78`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := served(t, hello+inited+tt.line+"\n"+ask)
			if !strings.Contains(out, tt.want) || tt.want == "" && strings.Contains(out, `"error"`) {
				t.Errorf("answered %.600q, want %q in it", out, tt.want)
			}
			if !strings.Contains(out, "Project /p") {
				t.Errorf("the next call is not answered: %.600q", out)
			}
			for line := range strings.Lines(out) {
				if !json.Valid([]byte(line)) {
					t.Errorf("no JSON: %.300q", line)
				}
			}
		})
	}
}

func TestACallJustBeforeTheEndIsAnswered(t *testing.T) {
	t.Parallel()
	for range 20 {
		if out := served(t, hello+inited+strings.TrimSuffix(ask, "\n")); !strings.Contains(out, "Project /p") {
			t.Fatalf("answered %q", out)
		}
	}
}

func TestNoInputEndsAtOnce(t *testing.T) {
	t.Parallel()
	if out := served(t, ""); out != "" {
		t.Errorf("answered %q", out)
	}
}

// FuzzInput sends bytes as a client might.
func FuzzInput(f *testing.F) {
	for _, line := range []string{"", "hello", "[]", "{}", hello, ask, hello + inited + ask, hello + `{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"x"}}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		begun := time.Now()
		defer func() {
			if d := time.Since(begun); d > lastAnswers/2 {
				t.Errorf("it took %v to end", d)
			}
		}()
		for line := range strings.Lines(served(t, hello+inited+string(in))) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("no JSON: %q", line)
			}
		}
	})
}

// FuzzCall calls each tool with any arguments.
func FuzzCall(f *testing.F) {
	for name, args := range arguments() {
		b, err := json.Marshal(args)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, b)
	}
	f.Add("read", []byte(`{"note":null,"line":1e99,"project":"\u0000"}`))
	f.Fuzz(func(t *testing.T, name string, args []byte) {
		if !json.Valid(args) {
			args = []byte("{}")
		}
		var flat bytes.Buffer
		if err := json.Compact(&flat, args); err != nil {
			t.Skip(err)
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		out := served(t, hello+inited+`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":`+string(quoted)+`,"arguments":`+flat.String()+"}}\n"+ask)
		if !strings.Contains(out, `"id":5`) || !strings.Contains(out, "Project /p") {
			t.Fatalf("answered %q", out)
		}
		if strings.Contains(out, "defect of dormouse") {
			t.Fatalf("a panic: %q", out)
		}
	})
}
