package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// caller asks without an SDK.
type caller struct {
	t        *testing.T
	url, key string
	beta     string
}

const (
	betaMemory   = "agent-memory-2026-07-22"
	betaSessions = "managed-agents-2026-04-01"
	betaDreams   = "dreaming-2026-04-21"
)

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   map[string]any
}

func (a answer) text(key string) string { s, _ := a.body[key].(string); return s }

func (a answer) fault() map[string]any { e, _ := a.body["error"].(map[string]any); return e }

// is the answer in short: its status, and the type of an error.
func (a answer) is() string {
	var kind string
	if a.status != http.StatusOK { // a dream that failed has an error as well
		kind, _ = a.fault()["type"].(string)
	}
	return strings.TrimSpace(fmt.Sprint(a.status, " ", kind))
}

func (a answer) list() []answer {
	var out []answer
	data, _ := a.body["data"].([]any)
	for _, d := range data {
		m, _ := d.(map[string]any)
		out = append(out, answer{body: m})
	}
	return out
}

// texts are a field of all that is listed.
func (a answer) texts(key string) string {
	var out []string
	for _, d := range a.list() {
		out = append(out, d.text(key))
	}
	return strings.Join(out, " ")
}

// try asks; body is nil, a text as it is, or what becomes JSON. Headers come in pairs;
// an empty value takes one away.
func (c caller) try(method, path string, body any, header ...string) (answer, error) {
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return answer{}, err
		}
		r = strings.NewReader(string(raw))
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, r)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("X-Api-Key", c.key)
	req.Header.Set("anthropic-version", "2026-10-21")
	req.Header.Set("anthropic-beta", c.beta)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Del(header[i])
		if header[i+1] != "" {
			req.Header.Set(header[i], header[i+1])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	if err := json.NewDecoder(resp.Body).Decode(&a.body); err != nil {
		return a, fmt.Errorf("%s %s, %d: %w", method, path, resp.StatusCode, err)
	}
	return a, nil
}

// do asks, and looks at what every answer has to have (case 9).
func (c caller) do(method, path string, body any, header ...string) answer {
	c.t.Helper()
	a, err := c.try(method, path, body, header...)
	if err != nil {
		c.t.Fatal(err)
	}
	id := a.header.Get("request-id")
	if a.header.Get("Content-Type") != "application/json" || !strings.HasPrefix(id, "req_") {
		c.t.Errorf("%s %s: headers %v", method, path, a.header)
	}
	if a.status != http.StatusOK {
		if message, _ := a.fault()["message"].(string); a.body["type"] != "error" || message == "" || a.body["request_id"] != id {
			c.t.Errorf("%s %s: an error without its form: %v", method, path, a.body)
		}
	}
	return a
}

const (
	fine    = "200"
	invalid = "400 invalid_request_error"
	missing = "404 not_found_error"
	taken   = "409 memory_path_conflict_error"
	stale   = "409 memory_precondition_failed_error"
)

// want asks and fails unless the answer is that.
func (c caller) want(want, method, path string, body any, header ...string) answer {
	c.t.Helper()
	a := c.do(method, path, body, header...)
	if a.is() != want {
		sent, _ := json.Marshal(body) // for the message
		c.t.Errorf("%s %s %.200s: %s, want %s (%v)", method, path, sent, a.is(), want, a.body)
	}
	return a
}

func (c caller) get(path string) answer { c.t.Helper(); return c.want(fine, "GET", path, nil) }

func (c caller) post(path string, body any) answer {
	c.t.Helper()
	return c.want(fine, "POST", path, body)
}

type object = map[string]any

const stores = "/v1/memory_stores"

// store makes one and returns its path.
func (c caller) store(name string) string {
	c.t.Helper()
	return stores + "/" + c.post(stores, object{"name": name}).text("id")
}

// memory makes one in a store, and returns it and its path.
func (c caller) memory(store, path, content string) (answer, string) {
	c.t.Helper()
	a := c.post(store+"/memories", object{"path": path, "content": content})
	return a, store + "/memories/" + a.text("id")
}

// versions are the operations of a memory, newest first.
func (c caller) versions(store, memory string) string {
	c.t.Helper()
	return c.get(store + "/memory_versions?memory_id=" + memory).texts("operation")
}

func (c caller) eq(what string, got, want any) {
	c.t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		c.t.Errorf("%s: %s, want %s", what, g, w)
	}
}

// with is the same caller with another beta.
func (c caller) with(beta string) caller { c.beta = beta; return c }

// walk reads a list to its end, and returns all of one field.
func (c caller) walk(path, key string) []string {
	c.t.Helper()
	var out []string
	for page := ""; ; {
		a := c.get(path + page)
		if len(a.list()) == 0 && a.body["next_page"] != nil {
			c.t.Errorf("%s: an empty page that is not the last", path)
		}
		for _, d := range a.list() {
			out = append(out, d.text(key))
		}
		next, more := a.body["next_page"].(string)
		if !more || len(out) > 100_000 {
			return out
		}
		page = "&page=" + next
	}
}
