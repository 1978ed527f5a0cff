package api

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// oracle holds what is answered against the OpenAPI files that the Go SDKs bring.
type oracle struct{ files []*openAPI }

// openAPI is one file. Schemas are compiled when an answer first needs them: with all
// they refer to and nothing else, of some 2,000.
type openAPI struct {
	name    string
	paths   map[string]map[string]operation // without their query
	schemas map[string]json.RawMessage
	mu      sync.Mutex
	made    map[string]*jsonschema.Schema
}

type operation struct {
	Responses map[string]struct {
		Content map[string]struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

const (
	sdkV1 = "github.com/anthropics/anthropic-sdk-go"
	sdkV2 = "github.com/anthropics/anthropic-sdk-go/v2"
)

// moduleDir is where the module cache has a module.
func moduleDir(module string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return "", fmt.Errorf("looking for %s: %w", module, err)
	}
	return dir, nil
}

func newOracle() (*oracle, error) {
	o := &oracle{}
	for _, module := range []string{sdkV1, sdkV2} {
		dir, err := moduleDir(module)
		if err != nil {
			return nil, err
		}
		f, err := readOpenAPI(filepath.Join(dir, "scripts", "mock-spec.json.gz"))
		if err != nil {
			return nil, fmt.Errorf("reading the OpenAPI file of %s: %w", module, err)
		}
		f.name = module
		o.files = append(o.files, f)
	}
	return o, nil
}

func readOpenAPI(path string) (*openAPI, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Paths      map[string]map[string]json.RawMessage `json:"paths"`
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.NewDecoder(z).Decode(&doc); err != nil {
		return nil, err
	}
	o := &openAPI{paths: map[string]map[string]operation{}, schemas: doc.Components.Schemas, made: map[string]*jsonschema.Schema{}}
	for p, methods := range doc.Paths {
		p, _, _ = strings.Cut(p, "?")
		if !ours(p) {
			continue
		}
		o.paths[p] = map[string]operation{}
		for m, raw := range methods {
			if !slices.Contains([]string{"get", "post", "delete"}, m) {
				continue
			}
			var op operation
			if err := json.Unmarshal(raw, &op); err != nil {
				return nil, err
			}
			o.paths[p][strings.ToUpper(m)] = op
		}
	}
	return o, nil
}

// ours tells whether a path is one that this server may answer at.
func ours(path string) bool {
	for _, p := range []string{"memory_stores", "dreams", "sessions", "agents", "environments"} {
		if rest, ok := strings.CutPrefix(path, "/v1/"+p); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// template is the path of a file that a request's path fits: the one with the fewest
// variables.
func (o *openAPI) template(path string) string {
	best, least := "", 1<<30
	for _, t := range slices.Sorted(maps.Keys(o.paths)) {
		if n := strings.Count(t, "{"); n < least && fits(t, path) {
			best, least = t, n
		}
	}
	return best
}

func fits(template, path string) bool {
	a, b := strings.Split(template, "/"), strings.Split(path, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !strings.HasPrefix(a[i], "{") && a[i] != b[i] {
			return false
		}
	}
	return true
}

const errorSchema = `{"$ref":"#/components/schemas/BetaManagedAgentsErrorResponse"}`

// schemaOf is what an answer has to be; nil, if the file does not know the operation.
func (o *openAPI) schemaOf(method, path string, status int) (json.RawMessage, error) {
	op, known := o.paths[o.template(path)][method]
	if status != http.StatusOK {
		// Each operation lists the same one; a route of nobody gets it too.
		if r, ok := op.Responses[strconv.Itoa(status)]; ok {
			return r.Content["application/json"].Schema, nil
		}
		return json.RawMessage(errorSchema), nil
	}
	if !known {
		return nil, nil
	}
	return op.Responses["200"].Content["application/json"].Schema, nil
}

// compile makes a schema with all that it refers to.
func (o *openAPI) compile(raw json.RawMessage) (*jsonschema.Schema, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s := o.made[string(raw)]; s != nil {
		return s, nil
	}
	defs := map[string]json.RawMessage{}
	var need func(json.RawMessage) error
	need = func(part json.RawMessage) error {
		const before = `"#/components/schemas/`
		for rest := string(part); ; {
			i := strings.Index(rest, before)
			if i < 0 {
				return nil
			}
			rest = rest[i+len(before):]
			name := rest[:strings.IndexByte(rest, '"')]
			if _, done := defs[name]; done {
				continue
			}
			def, ok := o.schemas[name]
			if !ok {
				return fmt.Errorf("%s has no schema %s", o.name, name)
			}
			defs[name] = def
			if err := need(def); err != nil {
				return err
			}
		}
	}
	if err := need(raw); err != nil {
		return nil, err
	}
	doc, err := json.Marshal(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": []any{raw}, "components": map[string]any{"schemas": defs},
	})
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:///schema.json", tree); err != nil {
		return nil, err
	}
	s, err := c.Compile("mem:///schema.json")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	o.made[string(raw)] = s
	return s, nil
}

// extensions are answers of ours that no official file knows.
func extension(path string) bool {
	return !ours(path) || strings.HasSuffix(path, "/events/import")
}

// check tells what is wrong with an answer; nil: nothing.
func (o *oracle) check(method, path string, status int, body []byte) error {
	if status == http.StatusOK && extension(path) {
		return nil
	}
	for _, f := range o.files {
		raw, err := f.schemaOf(method, path, status)
		if err != nil {
			return err
		}
		if raw == nil {
			return fmt.Errorf("%s knows no %s %s", f.name, method, path)
		}
		if err := f.validate(raw, body); err != nil {
			return fmt.Errorf("%s %s, %d, by the file of %s: %w\n%s", method, path, status, f.name, err, body)
		}
	}
	return nil
}

func (o *openAPI) validate(raw json.RawMessage, body []byte) error {
	s, err := o.compile(raw)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// checkEvent does so with what a stream sent.
func (o *oracle) checkEvent(path string, data []byte) error {
	return o.check("GET", path, http.StatusOK, data)
}

// watched is a way to a server on which each answer is held against the OpenAPI files.
type watched struct {
	url string
	mu  sync.Mutex
	// asked has each request, as "METHOD /path", in order.
	asked []string
	// fine has the requests that were answered with 200.
	fine []string
	// before may answer in place of the server; it says whether it did.
	before func(w http.ResponseWriter, r *http.Request) bool
	// lose says whether the answer to a request that was carried out is lost.
	lose func(r *http.Request) bool
}

func (w *watched) note(list *[]string, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*list = append(*list, r.Method+" "+r.URL.Path)
}

// requests are those since the last time.
func (w *watched) requests() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.asked
	w.asked = nil
	return out
}

// count is how many requests came.
func (w *watched) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.asked)
}

// answered are the requests that were answered with 200.
func (w *watched) answered() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.fine)
}

// watch puts the oracle before a server.
func watch(t *testing.T, s *server) *watched {
	t.Helper()
	o, err := all.oracle()
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{}
	p := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			if r.StatusCode == http.StatusOK {
				w.note(&w.fine, r.Request)
			}
			if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
				r.Body = &eventCheck{ReadCloser: r.Body, t: t, o: o, path: r.Request.URL.Path}
				return nil
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			if err := o.check(r.Request.Method, r.Request.URL.Path, r.StatusCode, body); err != nil {
				t.Errorf("an answer that the API does not give: %v", err)
			}
			if w.lose != nil && w.lose(r.Request) {
				panic(http.ErrAbortHandler)
			}
			return nil
		},
		ErrorHandler: func(rw http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
			}
			rw.WriteHeader(http.StatusBadGateway)
		},
	}
	h := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.note(&w.asked, r)
		if w.before == nil || !w.before(rw, r) {
			p.ServeHTTP(rw, r)
		}
	}))
	h.Config.ErrorLog = nil
	t.Cleanup(h.Close)
	w.url = h.URL
	return w
}

// eventCheck is a stream of events on its way.
type eventCheck struct {
	io.ReadCloser
	t    *testing.T
	o    *oracle
	path string
	rest []byte
}

func (e *eventCheck) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	e.rest = append(e.rest, p[:n]...)
	for {
		line, rest, ok := bytes.Cut(e.rest, []byte("\n"))
		if !ok {
			return n, err
		}
		e.rest = rest
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			if err := e.o.checkEvent(e.path, data); err != nil {
				e.t.Errorf("an event that the API does not send: %v", err)
			}
		}
	}
}
