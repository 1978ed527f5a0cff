package remote_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dormouse/model"
	"dormouse/model/remote"
)

// vectorServer answers each request with a status and a body, and keeps the last
// request.
func vectorServer(t *testing.T, status int, body string) (e model.Endpoint, last func() (path, auth, text string)) {
	t.Helper()
	var path, auth, text string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		path, auth, text = r.URL.Path, r.Header.Get("Authorization"), string(b)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return model.Endpoint{Provider: "openai", Model: "m", Base: s.URL + "/v1", Key: model.NewKey(secret)},
		func() (string, string, string) { return path, auth, text }
}

func TestAServerIsAskedForVectorsInItsOwnForm(t *testing.T) {
	t.Parallel()
	e, last := vectorServer(t, 200, `{"object":"list","data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0.5]}],"model":"m","usage":{}}`)
	got, err := remote.Embed(t.Context(), e, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]float32{{1, 0.5}, {0, 1}}, got); diff != "" {
		t.Error(diff)
	}
	path, auth, text := last()
	if path != "/v1/embeddings" || auth != "Bearer "+secret || text != `{"model":"m","input":["a","b"],"encoding_format":"float"}` {
		t.Errorf("asked %s, %q: %s", path, auth, text)
	}
}

func TestAnAnswerWithoutAVectorForEachTextIsNone(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"one missing":     {200, `{"data":[{"index":0,"embedding":[1]}]}`, model.ErrAnswer},
		"one twice":       {200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, model.ErrAnswer},
		"of two lengths":  {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`, model.ErrAnswer},
		"empty ones":      {200, `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`, model.ErrAnswer},
		"beyond the list": {200, `{"data":[{"index":0,"embedding":[1]},{"index":9,"embedding":[1]}]}`, model.ErrAnswer},
		"base64":          {200, `{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}`, model.ErrServer},
		"cut off":         {200, `{"data":[{"index":0,"embe`, model.ErrServer},
		"a page":          {200, `<html>`, model.ErrServer},
		"no key":          {401, `{"error":{"message":"` + secret + `"}}`, model.ErrKey},
		"too many":        {429, `{}`, model.ErrLimit},
		"not found":       {404, `{}`, model.ErrRefused},
	} {
		e, _ := vectorServer(t, tt.status, tt.body)
		if _, err := remote.Embed(t.Context(), e, []string{"a", "b"}); !errors.Is(err, tt.want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}

func TestVectorsComeThroughAPipe(t *testing.T) {
	t.Parallel()
	e, _ := vectorServer(t, 200, `{"data":[{"index":0,"embedding":[0.25,-1]}]}`)
	in, err := json.Marshal(model.Asked{Provider: e.Provider, Model: e.Model, Base: e.Base, Key: secret, Embed: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := remote.Serve(t.Context(), bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var a model.Answered
	if err := json.Unmarshal(out.Bytes(), &a); err != nil || strings.Contains(out.String(), secret) {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	if diff := cmp.Diff([][]float32{{0.25, -1}}, a.Vectors); diff != "" || a.Response != nil {
		t.Errorf("%s %+v", diff, a.Response)
	}
}

func TestOnlyAServerThatMakesVectorsIsOpened(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	for spec, want := range map[string]error{
		"openai:m@http://127.0.0.1:1/v1": nil,
		"openai:m":                       model.ErrKey, // its own server, and no key
		"anthropic:m":                    model.ErrNoEngine,
		"claude-cli":                     model.ErrNoEngine,
		"openai:":                        model.ErrNoEngine,
	} {
		m, err := model.OpenEmbedder(model.Config{Spec: spec, Getenv: none, Embed: remote.Embed})
		if !errors.Is(err, want) || (err == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", spec, err, want)
		}
		if err == nil && m.Name() != "openai:m@http://127.0.0.1:1/v1" {
			t.Errorf("%s is called %s", spec, m.Name())
		}
	}
}

// The whole way: no network of its own, the program, a server.
func TestVectorsComeThroughTheProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", dir+string(filepath.Separator), "dormouse/cmd/dormouse-model")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	e, last := vectorServer(t, 200, `{"data":[{"index":0,"embedding":[0.25,-1]}]}`)
	getenv := func(name string) string { return map[string]string{"PATH": dir, "OPENAI_API_KEY": secret}[name] }
	m, err := model.OpenEmbedder(model.Config{Spec: "openai:m@" + e.Base, Getenv: getenv})
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Embed(t.Context(), []string{"a"})
	if diff := cmp.Diff([][]float32{{0.25, -1}}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, auth, text := last(); auth != "Bearer "+secret || strings.Contains(text, secret) {
		t.Errorf("asked with %q: %s", auth, text)
	}
	if _, err := m.Embed(t.Context(), []string{"a", "b"}); !errors.Is(err, model.ErrAnswer) {
		t.Errorf("one vector for two texts: %v", err)
	}
}
