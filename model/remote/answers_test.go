package remote_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dormouse/model"
	"dormouse/model/remote"
	"dormouse/testkit/modelserver"
)

const notesSchema = `{"type":"object","required":["notes"],"additionalProperties":false,
"properties":{"notes":{"type":"array","maxItems":3,"items":{"type":"object","required":["text"],"properties":{"text":{"type":"string","minLength":1,"maxLength":200}}}}}}`

type object = map[string]any

func good() object { return object{"notes": []object{{"text": "uses tabs"}}} }

const goodText = `{"notes":[{"text":"uses tabs"}]}`

func structured() model.Request {
	r := question()
	r.Schema = json.RawMessage(notesSchema)
	return r
}

func TestAnAnswerOfASchemaIsReadThroughWhatIsAroundIt(t *testing.T) {
	t.Parallel()
	bad := object{"notes": []object{{"word": "x"}}}
	tests := []struct {
		name     string
		steps    []modelserver.Step
		requests int
		err      error
	}{
		{"plain", []modelserver.Step{{JSON: good()}}, 1, nil},
		{"prose and a fence", []modelserver.Step{modelserver.Prose(good())}, 1, nil},
		{"another schema, then right", []modelserver.Step{{JSON: bad}, {JSON: good()}}, 2, nil},
		{"cut, then right", []modelserver.Step{modelserver.CutJSON(good()), {JSON: good()}}, 2, nil},
		{"another schema twice", []modelserver.Step{{JSON: bad}, {JSON: bad}}, 2, model.ErrAnswer},
		{"prose twice", []modelserver.Step{{Text: "no"}, {Text: "never"}}, 2, model.ErrAnswer},
		{"nothing, then right", []modelserver.Step{{}, {JSON: good()}}, 2, nil},
		{"too long for its own limit", []modelserver.Step{{Text: `{"notes":[{"te`, Full: true}}, 1, model.ErrAnswer},
		{"a server that knows no schemas", []modelserver.Step{{Fault: modelserver.BadRequest}, {JSON: good()}}, 2, nil},
	}
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		t.Parallel()
		for _, tt := range tests {
			b := newBench(t, form, stream, modelserver.Steps(tt.steps...))
			res, err := b.model.Generate(t.Context(), structured())
			if !errors.Is(err, tt.err) {
				t.Errorf("%s: error %v, want %v", tt.name, err, tt.err)
			}
			if tt.err == nil && (res == nil || string(res.JSON) != goodText) {
				t.Errorf("%s: %+v", tt.name, res)
			}
			asked := b.server.Requests()
			if len(asked) != tt.requests {
				t.Errorf("%s: %d requests, want %d", tt.name, len(asked), tt.requests)
			}
			if asked[0].Schema == nil || !strings.Contains(asked[0].System, `"maxItems":3`) {
				t.Errorf("%s: the schema was not told: %s", tt.name, asked[0].Body)
			}
		}
	})
}

func TestToolsGoThereAndBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		t.Parallel()
		b := newBench(t, form, stream, modelserver.Steps(
			modelserver.Step{Text: "let me look", Calls: []modelserver.Call{{ID: "c1", Name: "read", Input: `{"path":"a.md","n":12345678901234567890}`}, {ID: "c2", Name: "list", Input: `{}`}}},
			modelserver.Step{Text: "done", Usage: &modelserver.Usage{Input: 40, Output: 2, CacheRead: 100}},
		))
		r := question()
		r.Tools = []model.Tool{
			{Name: "read", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
			{Name: "list", Schema: json.RawMessage(`{"type":"object"}`)},
		}
		res, err := b.model.Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		want := `{"n":12345678901234567890,"path":"a.md"}`
		if len(res.Calls) != 2 || string(res.Calls[0].Input) != want || res.Calls[0].Name != "read" || res.Calls[0].ID == res.Calls[1].ID {
			t.Fatalf("calls %+v", res.Calls)
		}
		r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Text: res.Text, Calls: res.Calls},
			model.Message{Role: model.User, Results: []model.Result{{ID: res.Calls[0].ID, Text: "found it"}, {ID: res.Calls[1].ID, Text: "no", Failed: true}}})
		res, err = b.model.Generate(t.Context(), r)
		if err != nil || res.Text != "done" {
			t.Fatalf("%+v, %v", res, err)
		}
		asked := b.server.Requests()[1]
		if diff := cmp.Diff([]string{"read", "list"}, asked.Tools); diff != "" {
			t.Error(diff)
		}
		if !bytes.Contains(asked.Body, []byte("found it")) || !bytes.Contains(asked.Body, []byte(`"path"`)) {
			t.Errorf("the results or the schema are missing: %s", asked.Body)
		}
		if u := res.Usage; u.Output != 2 || u.Input+u.CacheRead != 140 || u.Estimated {
			t.Errorf("usage %+v", u)
		}
	})
}

func TestHostileAnswersDoNoHarm(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		t.Parallel()
		for _, h := range modelserver.Hostile(secret) {
			for _, withSchema := range []bool{false, true} {
				b := newBench(t, form, stream, modelserver.Always(h.Steps[0]))
				r := question()
				r.Tools = []model.Tool{{Name: "read", Schema: json.RawMessage(`{"type":"object"}`)}}
				if withSchema {
					r = structured()
				}
				res, err := b.model.Generate(t.Context(), r)
				if err != nil && !errors.Is(err, model.ErrAnswer) && !errors.Is(err, model.ErrServer) {
					t.Errorf("%s: %v", h.Name, err)
				}
				if err == nil {
					checkHarmless(t, form, h.Name, res)
				}
				if withSchema && err == nil && len(res.Calls) == 0 && strings.Contains(string(res.JSON), "poison") {
					t.Errorf("%s: took %s", h.Name, res.JSON)
				}
			}
		}
	})
}

func checkHarmless(t *testing.T, form modelserver.Form, name string, res *model.Response) {
	t.Helper()
	out, err := json.Marshal(res)
	if err != nil {
		t.Errorf("%s: can't be written: %v", name, err)
	}
	// Ollama is asked without a key, so there it is no secret of ours.
	if form != modelserver.Ollama && bytes.Contains(out, []byte(secret)) {
		t.Errorf("%s: the key came out: %s", name, out)
	}
	if !utf8.ValidString(res.Text) || strings.ContainsRune(res.Text, 0) || bytes.Contains(out, []byte(`\u0000`)) {
		t.Errorf("%s: bytes that no text holds", name)
	}
	ids := map[string]bool{}
	for _, c := range res.Calls {
		if c.ID == "" || ids[c.ID] || !json.Valid(c.Input) {
			t.Errorf("%s: call %+v", name, c)
		}
		ids[c.ID] = true
	}
	if u := res.Usage; u.Input < 0 || u.Output < 0 {
		t.Errorf("%s: usage %+v", name, u)
	}
}

func TestTheProgramDoesTheSameThroughAPipe(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, form modelserver.Form, stream bool) {
		t.Parallel()
		s, err := modelserver.Start(modelserver.Steps(
			modelserver.Step{Text: "hi", Calls: []modelserver.Call{{ID: "c", Name: "read", Input: `{"a":1}`}}},
			modelserver.Step{Fault: modelserver.TooMany, RetryAfter: "9"},
			modelserver.Step{Calls: []modelserver.Call{{ID: "c", Name: "read", Input: `{`}}},
		))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close() //nolint:errcheck // a test server
		in, err := json.Marshal(model.Asked{Provider: string(form), Model: "m", Base: s.Base(form), Key: secret, Stream: stream, Request: question()})
		if err != nil {
			t.Fatal(err)
		}
		serve := func() (a model.Answered) {
			var out bytes.Buffer
			if err := remote.Serve(t.Context(), bytes.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(out.Bytes(), &a); err != nil || strings.Contains(out.String(), secret) {
				t.Fatalf("%v: %s", err, out.Bytes())
			}
			return a
		}
		if a := serve(); a.Response == nil || a.Response.Text != "hi" || len(a.Response.Calls) != 1 {
			t.Errorf("answered %+v", a)
		}
		if a := serve(); a.Failure == nil || a.Failure.Status != 429 || a.Failure.RetryAfter.Seconds() != 9 || !a.Failure.Again {
			t.Errorf("refused %+v", a.Failure)
		}
		if a := serve(); a.Failure == nil && a.Response == nil {
			t.Error("neither an answer nor a failure")
		}
	})
}

func TestAPipeWithoutARequestSaysNothingOfIt(t *testing.T) {
	t.Parallel()
	err := remote.Serve(t.Context(), strings.NewReader(`{"Key":"`+secret+`","Bearer":7}`), &bytes.Buffer{})
	if err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("error %v", err)
	}
}
