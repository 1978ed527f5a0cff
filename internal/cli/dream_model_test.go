package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"dormouse/dream"
	"dormouse/model"
	"dormouse/model/remote"
	"dormouse/testkit"
	"dormouse/testkit/modelserver"
)

// asking is a dream that asks about one group of statements, and leaves it as it is.
func asking(ctx context.Context, in dream.Input) (*dream.Result, error) {
	res := asItIs(&in)
	if in.Judge == nil {
		return res, nil
	}
	_, err := in.Judge.Judge(ctx, dream.Cluster{Key: "k", Claims: []dream.Statement{
		{ID: 1, Text: "The billing export runs every night.", Day: "2026-01-10", Type: "project"},
		{ID: 2, Text: "The export of billing data is started nightly.", Day: "2026-02-10", Type: "project"},
	}})
	if err != nil {
		res.Refused = append(res.Refused, "a cluster stays as it is: "+err.Error())
	}
	return res, nil
}

// dreamWith runs dormouse dream with a model behind a scripted server.
func dreamWith(t *testing.T, l *testkit.Layout, srv *modelserver.Server, args ...string) (code int, rep dreamReport, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	streams := ioOf(l)
	streams.Out, streams.Err = &out, &errs
	streams.Model = func(c *model.Config) { c.Remote, c.Tries = remote.New, 1 }
	l.Env["OPENAI_API_KEY"] = "sk-test-key-0123456789"
	c := &common{io: streams, out: &checked{w: &out}}
	spec := "openai:m@" + srv.Base(modelserver.OpenAI)
	code = runDreamBy(c, asking, append([]string{"--no-sessions", "--json", "--model", spec, "--max-dollars", "0", "--max-dollars-day", "0"}, args...))
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		t.Fatalf("no JSON: %v\n%s%s", err, out.String(), errs.String())
	}
	return code, rep, errs.String()
}

func TestADreamDoesNotNeedTheModelItAsks(t *testing.T) {
	for name, fault := range modelserver.Faults() {
		if fault == modelserver.Hang || fault == modelserver.HangMidway {
			continue // its own test in package model: it waits for a time-out
		}
		t.Run(name, func(t *testing.T) {
			srv := startServer(t, modelserver.Always(modelserver.Step{Text: "x", Fault: fault}))
			code, rep, stderr := dreamWith(t, twoNotes(t), srv)
			// The rules have dreamt, and it is said that the model did nothing.
			if code != 1 || rep.Counts == nil || rep.Model == nil || rep.Model.Name == "" || len(rep.Problems) != 1 || !strings.Contains(stderr, "what the rules decided stands") {
				t.Fatalf("exit %d, %+v\n%s", code, rep, stderr)
			}
			if len(srv.Requests()) == 0 || rep.Model.Asked != 1 || rep.Model.Failed != 1 || len(rep.Refused) != 1 {
				t.Errorf("%d requests, %+v, %q", len(srv.Requests()), rep.Model, rep.Refused)
			}
			if strings.Contains(stderr, "sk-test-key") || strings.Contains(rep.Refused[0], "sk-test-key") {
				t.Error("the key is printed")
			}
		})
	}
}

func TestWhatAModelProposedWithoutSoundFormIsSaid(t *testing.T) {
	for answer, want := range map[string]string{
		`{"ops":[{"op":"merge","claims":[1,2],"text":""}]}`:         "merge: the text is empty",
		`{"ops":[{"op":"same","claims":[1,9],"keep":1}]}`:           "same: it cites a statement that is not in the cluster",
		`{"ops":[{"op":"same","claims":[2,2],"keep":2}]}`:           "same: it needs two statements",
		`{"ops":[{"op":"merge","claims":[1,2],"text":"a\u202eb"}]}`: "merge: the text has characters in it that nobody sees",
	} {
		srv := startServer(t, modelserver.Always(modelserver.Step{Text: answer}))
		l := twoNotes(t)
		for range 2 { // the second answer is the one that was kept
			code, rep, stderr := dreamWith(t, l, srv)
			if code != 0 || len(rep.Refused) != 1 || rep.Refused[0] != want || rep.Counts.Refused != 1 {
				t.Errorf("%s: exit %d, %q\n%s", answer, code, rep.Refused, stderr)
			}
		}
	}
}

func TestADryDreamAsksNoModel(t *testing.T) {
	srv := startServer(t, modelserver.Always(modelserver.Step{Text: "x"}))
	if code, rep, stderr := dreamWith(t, twoNotes(t), srv, "--dry-run"); code != 0 || len(srv.Requests()) > 0 || rep.Model == nil {
		t.Errorf("exit %d, %d requests\n%s", code, len(srv.Requests()), stderr)
	}
}
