package apiserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/db"
	"dormouse/testkit/pgtest"
)

// client is a client of a server in this process, with a key of a workspace.
type client struct {
	t        *testing.T
	url, key string
	beta     string
}

type answer struct {
	status int
	header http.Header
	body   map[string]any
}

func (a answer) err() string {
	e, _ := a.body["error"].(map[string]any)
	kind, _ := e["type"].(string)
	return fmt.Sprint(a.status, " ", kind)
}

func (a answer) text(key string) string { s, _ := a.body[key].(string); return s }

func (a answer) list() []map[string]any {
	var out []map[string]any
	data, _ := a.body["data"].([]any)
	for _, d := range data {
		m, _ := d.(map[string]any)
		out = append(out, m)
	}
	return out
}

func (c client) do(method, path string, body any, header ...string) answer {
	c.t.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			c.t.Fatal(err)
		}
		r = strings.NewReader(string(raw))
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, r)
	if err != nil {
		c.t.Fatal(err)
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
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, header: resp.Header}
	if err := json.NewDecoder(resp.Body).Decode(&a.body); err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	if resp.Header.Get("Content-Type") != "application/json" || resp.Header.Get("request-id") == "" {
		c.t.Errorf("%s %s: headers %v", method, path, resp.Header)
	}
	if a.status != http.StatusOK && (a.body["type"] != "error" || a.body["request_id"] != resp.Header.Get("request-id")) {
		c.t.Errorf("%s %s: an error without its form: %v", method, path, a.body)
	}
	return a
}

const betaMemory = "agent-memory-2026-07-22"

// onEach runs a test on a server over each database.
func onEach(t *testing.T, f func(t *testing.T, c client)) {
	t.Helper()
	run := func(t *testing.T, place string) {
		t.Helper()
		d, err := db.Open(t.Context(), place, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, key, err := d.CreateKey(t.Context(), "a", "")
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewServer(apiserver.New(apiserver.Config{Backend: d, Enter: d.Enter, Hosts: []string{"127.0.0.1"}}))
		t.Cleanup(func() {
			s.Close()
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		f(t, client{t: t, url: s.URL, key: key, beta: betaMemory})
	}
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		run(t, filepath.Join(t.TempDir(), "server.db"))
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		run(t, pgtest.Start(t, pgtest.Options{}).Database(t))
	})
}

func (c client) expect(what string, a answer, want string) answer {
	c.t.Helper()
	if got := strings.TrimSpace(a.err()); got != want {
		c.t.Errorf("%s: %s, want %s (%v)", what, got, want, a.body)
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

// The numbers are those of the cases in the specification of the API.
func TestTransport(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, c client) {
		const stores = "/v1/memory_stores"
		name := map[string]any{"name": "S"}
		c.expect("1 no key", c.do("POST", stores, name, "X-Api-Key", ""), "401 authentication_error")
		c.expect("2 the older form", c.do("POST", stores+"?beta=true", name, "anthropic-version", "2023-06-01"), fine)
		c.expect("3 a bearer token", c.do("POST", stores, name, "X-Api-Key", "", "Authorization", "Bearer "+c.key), fine)
		c.expect("4 both betas", c.do("GET", stores, nil, "anthropic-beta", betaMemory+",managed-agents-2026-04-01"), invalid)
		c.expect("5 another beta beside", c.do("GET", stores, nil, "anthropic-beta", "message-batches-2024-09-24, "+betaMemory), fine)
		c.expect("6 the sessions' beta", c.do("GET", stores, nil, "anthropic-beta", "managed-agents-2026-04-01"), fine)
		c.expect("no beta", c.do("GET", stores, nil, "anthropic-beta", ""), invalid)
		c.expect("10 an unknown field", c.do("POST", stores, map[string]any{"name": "S", "colour": "red"}), invalid)
		c.expect("no JSON", c.do("POST", stores, "{"), invalid)
		c.expect("two keys that differ", c.do("GET", stores, nil, "Authorization", "Bearer x"), "401 authentication_error")
		c.expect("another workspace's header", c.do("GET", stores, nil, "anthropic-workspace-id", "wrkspc_x"), "403 permission_error")
		c.expect("a web page", c.do("GET", stores, nil, "Origin", "https://example.com"), "403 permission_error")
		c.expect("no such address", c.do("GET", "/v1/nothing", nil), missing)
	})
}

func TestStores(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, c client) {
		const stores = "/v1/memory_stores"
		s := c.expect("11", c.do("POST", stores, map[string]any{"name": "User Preferences"}), fine)
		if s.text("description") != "" || len(s.body["metadata"].(map[string]any)) != 0 || s.body["archived_at"] != nil || !strings.HasPrefix(s.text("id"), "memstore_") {
			t.Errorf("11: %v", s.body)
		}
		for n, want := range map[string]string{"": invalid, strings.Repeat("é", 255): fine, strings.Repeat("x", 256): invalid, "a\x07": invalid} {
			c.expect("12 name", c.do("POST", stores, map[string]any{"name": n}), want)
		}
		for n, want := range map[int]string{1024: fine, 1025: invalid} {
			c.expect("13 description", c.do("POST", stores, map[string]any{"name": "x", "description": strings.Repeat("x", n)}), want)
		}
		many := map[string]string{}
		for i := range 17 {
			many[fmt.Sprint(i)] = ""
		}
		for _, m := range []map[string]string{many, {strings.Repeat("k", 65): ""}, {"k": strings.Repeat("v", 513)}} {
			c.expect("14 metadata", c.do("POST", stores, map[string]any{"name": "x", "metadata": m}), invalid)
		}
		one := stores + "/" + s.text("id")
		c.expect("15", c.do("POST", one, `{"metadata":{"b":"2","c":"3"},"description":"d"}`), fine)
		u := c.expect("15 a patch", c.do("POST", one, `{"metadata":{"a":"1","b":null}}`), fine)
		if got := fmt.Sprint(u.body["metadata"]); got != "map[a:1 c:3]" {
			t.Errorf("15: %s", got)
		}
		v := c.expect("16", c.do("POST", one, `{"description":""}`), fine)
		if v.text("description") != "" || v.text("updated_at") == u.text("updated_at") {
			t.Errorf("16: %v", v.body)
		}
		c.expect("17", c.do("POST", one+"/memories", `{"path":"/a","content":"x"}`), fine)
		if now := c.do("GET", one, nil); now.text("updated_at") != v.text("updated_at") {
			t.Error("17: a memory moved the store's updated_at")
		}
		seen := map[string]bool{}
		for page := ""; ; {
			a := c.expect("18", c.do("GET", stores+"?limit=1"+page, nil), fine)
			for _, d := range a.list() {
				if id := d["id"].(string); seen[id] {
					t.Errorf("18: %s twice", id)
				} else {
					seen[id] = true
				}
			}
			next, more := a.body["next_page"].(string)
			if !more {
				break
			}
			page = "&page=" + next
		}
		if len(seen) != 3 {
			t.Errorf("18: %d stores", len(seen))
		}
		for _, limit := range []string{"0", "101", "x"} {
			c.expect("19 limit", c.do("GET", stores+"?limit="+limit, nil), invalid)
		}
		c.expect("a cursor of nobody", c.do("GET", stores+"?page=page_eA", nil), invalid)
		if a := c.do("GET", stores+"?created_at%5Bgte%5D="+s.text("created_at"), nil); len(a.list()) != 3 {
			t.Errorf("24: %d", len(a.list()))
		}
		m := c.expect("21", c.do("POST", one+"/memories", `{"path":"/b","content":"1"}`), fine)
		c.expect("22", c.do("POST", one+"/memories/"+m.text("id"), `{"content":"2"}`), fine)
		c.expect("20 archive", c.do("POST", one+"/archive", nil), fine)
		c.expect("archive again", c.do("POST", one+"/archive", nil), fine)
		if a, b := c.do("GET", stores, nil), c.do("GET", stores+"?include_archived=true", nil); len(a.list()) != 2 || len(b.list()) != 3 {
			t.Errorf("20: %d and %d are listed", len(a.list()), len(b.list()))
		}
		c.expect("21 create", c.do("POST", one+"/memories", `{"path":"/c","content":"1"}`), invalid)
		c.expect("21 update", c.do("POST", one+"/memories/"+m.text("id"), `{"content":"3"}`), invalid)
		c.expect("21 the store", c.do("POST", one, `{"name":"x"}`), invalid)
		c.expect("22 redact", c.do("POST", one+"/memory_versions/"+m.text("memory_version_id")+"/redact", nil), fine)
		c.expect("22 delete a memory", c.do("DELETE", one+"/memories/"+m.text("id"), nil), fine)
		if g := c.expect("23", c.do("DELETE", one, nil), fine); g.text("type") != "memory_store_deleted" {
			t.Errorf("23: %v", g.body)
		}
		for _, p := range []string{"", "/memories", "/memory_versions", "/memories/" + m.text("id")} {
			c.expect("23 afterwards "+p, c.do("GET", one+p, nil), missing)
		}
	})
}

func TestMemories(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, c client) {
		store := c.do("POST", "/v1/memory_stores", `{"name":"S"}`).text("id")
		memories := "/v1/memory_stores/" + store + "/memories"
		create := func(path, content string) answer {
			return c.do("POST", memories, map[string]any{"path": path, "content": content})
		}
		a := c.expect("25", create("/a.md", "x"), fine)
		if v, there := a.body["content"]; !there || v != nil || a.body["content_size_bytes"] != 1.0 || !strings.HasPrefix(a.text("content_sha256"), "2d711642b726") {
			t.Errorf("25: %v", a.body)
		}
		one := memories + "/" + a.text("id")
		if b := c.do("POST", memories+"?view=full", `{"path":"/full","content":"x"}`); b.text("content") != "x" {
			t.Errorf("26: %v", b.body)
		}
		if b, d := c.do("GET", one, nil), c.do("GET", one+"?view=basic", nil); b.text("content") != "x" || d.body["content"] != nil {
			t.Errorf("27: %v %v", b.body, d.body)
		}
		if e := c.expect("28", create("/empty", ""), fine); !strings.HasPrefix(e.text("content_sha256"), "e3b0c442") {
			t.Errorf("28: %v", e.body)
		}
		c.expect("28 no content", c.do("POST", memories, `{"path":"/none"}`), invalid)
		c.expect("28 null", c.do("POST", memories, `{"path":"/none","content":null}`), invalid)
		c.expect("29", create("/large", strings.Repeat("é", 51_200)), fine)
		c.expect("29 too large", create("/larger", strings.Repeat("é", 51_200)+"x"), invalid)
		for _, p := range []string{"a.md", "/", "/a//b", "/b/", "/./a", "/c/../b", strings.Repeat("/s", 21), "/" + strings.Repeat("x", 1024), "/a\u200b", "/a\u2028", "/a\tb", "/e\u0301"} {
			c.expect(fmt.Sprintf("30, 31 %.20q", p), create(p, "x"), invalid)
		}
		c.expect("30 twenty segments", create(strings.Repeat("/s", 20), "x"), fine)
		c.expect("31", create("/\u00e9", "x"), fine)
		t32 := c.expect("32", create("/a.md", "y"), taken)
		e, _ := t32.body["error"].(map[string]any)
		if e["conflicting_path"] != "/a.md" || e["conflicting_memory_id"] != a.text("id") || t32.header.Get("x-should-retry") != "false" {
			t.Errorf("32: %v %v", t32.body, t32.header)
		}
		c.expect("33", create("/n", "x"), fine)
		c.expect("33 below", create("/n/t.md", "x"), taken)
		c.expect("33", create("/m/t.md", "x"), fine)
		c.expect("33 above", create("/m", "x"), taken)
		for _, p := range []string{"/a_b", "/acb/x", "/A.md"} {
			c.expect("34 "+p, create(p, "x"), fine)
		}
		r := c.expect("35", c.do("POST", one, `{"path":"/r.md"}`), fine)
		if r.text("id") != a.text("id") || r.text("path") != "/r.md" || r.text("content_sha256") != a.text("content_sha256") {
			t.Errorf("35: %v", r.body)
		}
		c.expect("36", c.do("POST", one, `{"path":"/n"}`), taken)
		wrong := strings.Repeat("0", 64)
		pre := func(sha string, more map[string]any) map[string]any {
			more["precondition"] = map[string]any{"type": "content_sha256", "content_sha256": sha}
			return more
		}
		u := c.expect("37", c.do("POST", one, pre(r.text("content_sha256"), map[string]any{"content": "y"})), fine)
		if u.text("memory_version_id") == r.text("memory_version_id") {
			t.Error("37: the version is the same")
		}
		if s := c.expect("38", c.do("POST", one, pre(wrong, map[string]any{"content": "z"})), stale); strings.Contains(fmt.Sprint(s.body), u.text("content_sha256")) {
			t.Error("38: it tells the present hash")
		}
		c.expect("39", c.do("POST", one, pre(wrong, map[string]any{"content": "y", "path": "/r.md"})), fine)
		c.expect("40", c.do("POST", one, `{"content":"y"}`), fine)
		c.expect("41", c.do("POST", one, pre(wrong, map[string]any{"path": "/r2.md"})), stale)
		c.expect("42", c.do("POST", one, `{}`), invalid)
		c.expect("a precondition without a hash", c.do("POST", one, `{"content":"q","precondition":{"type":"content_sha256"}}`), invalid)
		versions := "/v1/memory_stores/" + store + "/memory_versions?memory_id=" + a.text("id")
		if v := c.do("GET", versions, nil); len(v.list()) != 3 {
			t.Errorf("38 to 41: %d versions, want 3", len(v.list()))
		}
		c.expect("43 wrong", c.do("DELETE", one+"?expected_content_sha256="+wrong, nil), stale)
		c.expect("43", c.do("DELETE", one+"?expected_content_sha256="+u.text("content_sha256"), nil), fine)
		c.expect("43 again", c.do("DELETE", one, nil), missing)
		other := c.do("POST", "/v1/memory_stores", `{"name":"T"}`).text("id")
		c.expect("44", c.do("GET", "/v1/memory_stores/"+other+"/memories/"+u.text("id"), nil), missing)
		var ops []string
		for _, v := range c.do("GET", versions, nil).list() {
			ops = append(ops, v["operation"].(string))
		}
		if got := strings.Join(ops, " "); got != "deleted modified modified created" {
			t.Errorf("54: %s", got)
		}
		first := c.do("GET", versions+"&operation=created", nil).list()[0]["id"].(string)
		red := c.expect("58", c.do("POST", "/v1/memory_stores/"+store+"/memory_versions/"+first+"/redact", nil), fine)
		for _, k := range []string{"path", "content", "content_size_bytes", "content_sha256"} {
			if v, there := red.body[k]; !there || v != nil {
				t.Errorf("58: %s is %v", k, v)
			}
		}
		if red.body["redacted_by"] == nil || red.body["redacted_at"] == nil || red.text("operation") != "created" {
			t.Errorf("58: %v", red.body)
		}
	})
}

func TestListing(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, c client) {
		memories := "/v1/memory_stores/" + c.do("POST", "/v1/memory_stores", `{"name":"S"}`).text("id") + "/memories"
		for _, p := range []string{"/a.md", "/p/x.md", "/p/q/y.md", "/p2/z.md"} {
			c.do("POST", memories, map[string]any{"path": p, "content": p})
		}
		paths := func(query string) string {
			var out []string
			for _, m := range c.expect(query, c.do("GET", memories+"?"+query, nil), fine).list() {
				out = append(out, m["type"].(string)[6:]+m["path"].(string))
			}
			return strings.Join(out, " ")
		}
		for query, want := range map[string]string{
			"":                        "/a.md /p/q/y.md /p/x.md /p2/z.md",
			"path_prefix=%2Fp%2F":     "/p/q/y.md /p/x.md",
			"depth=1":                 "/a.md _prefix/p/ _prefix/p2/",
			"depth=1&path_prefix=/p/": "_prefix/p/q/ /p/x.md",
			"depth=0":                 "/a.md /p/q/y.md /p/x.md /p2/z.md",
		} {
			if got := paths(query); got != want {
				t.Errorf("%s: %s, want %s", query, got, want)
			}
		}
		for _, bad := range []string{"path_prefix=/p", "depth=2", "depth=-1", "view=all"} {
			c.expect(bad, c.do("GET", memories+"?"+bad, nil), invalid)
		}
		next := c.do("GET", memories+"?depth=1&limit=1", nil).text("next_page")
		c.expect("a cursor of another list", c.do("GET", memories+"?page="+url.QueryEscape(next), nil), invalid)
		for i := range 30 {
			c.do("POST", memories, map[string]any{"path": fmt.Sprintf("/many/%d", i), "content": "x"})
		}
		full := c.do("GET", memories+"?view=full&limit=100", nil)
		if len(full.list()) != 20 || full.body["next_page"] == nil || full.list()[0]["content"] != "/a.md" {
			t.Errorf("53: %d items", len(full.list()))
		}
	})
}

func TestSessions(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, c client) {
		var resources []map[string]any
		for range 9 {
			resources = append(resources, map[string]any{"type": "memory_store", "memory_store_id": c.do("POST", "/v1/memory_stores", `{"name":"Demo Memory"}`).text("id")})
		}
		c.beta = "managed-agents-2026-04-01"
		make := func(n int) answer {
			return c.do("POST", "/v1/sessions", map[string]any{"agent": "agent_x", "environment_id": "env_x", "resources": resources[:n]})
		}
		s := c.expect("61 eight stores", make(8), fine)
		c.expect("61 nine", make(9), invalid)
		one := "/v1/sessions/" + s.text("id")
		c.expect("an event", c.do("POST", one+"/events", `{"events":[{"type":"user.message","content":[{"type":"text","text":"hello"}]}]}`), fine)
		c.expect("an event of the agent's", c.do("POST", one+"/events", `{"events":[{"type":"agent.message","content":[{"type":"text","text":"hello"}]}]}`), invalid)
		whole := `{"events":[{"id":"sevt_1","type":"agent.message","processed_at":"2026-03-02T10:00:00Z","content":[{"type":"text","text":"before"}]}]}`
		c.expect("an import", c.do("POST", one+"/events/import", whole), fine)
		c.expect("the same again", c.do("POST", one+"/events/import", whole), fine)
		events := c.do("GET", one+"/events", nil).list()
		if len(events) != 2 || events[0]["type"] != "agent.message" {
			t.Errorf("events: %v", events)
		}
		c.expect("archive", c.do("POST", one+"/archive", nil), fine)
		c.expect("an event into an archived session", c.do("POST", one+"/events", `{"events":[{"type":"user.interrupt"}]}`), invalid)
		if n := len(c.do("GET", "/v1/sessions?include_archived=true", nil).list()); n != 1 {
			t.Errorf("%d sessions", n)
		}
		c.expect("delete", c.do("DELETE", one, nil), fine)
		c.expect("afterwards", c.do("GET", one, nil), missing)
		a := c.expect("an agent", c.do("POST", "/v1/agents", `{"name":"a","model":"m"}`), fine)
		c.expect("its next version", c.do("POST", "/v1/agents/"+a.text("id"), `{"version":1,"system":"s"}`), fine)
		if n := len(c.do("GET", "/v1/agents/"+a.text("id")+"/versions", nil).list()); n != 2 {
			t.Errorf("%d versions of the agent", n)
		}
		env := c.expect("an environment", c.do("POST", "/v1/environments", `{"name":"e"}`), fine)
		c.expect("gone", c.do("DELETE", "/v1/environments/"+env.text("id"), nil), fine)
	})
}

func TestTheDocumentNamesEachRoute(t *testing.T) {
	t.Parallel()
	doc := apiserver.New(apiserver.Config{Models: func(string) error { return nil }}).Document()
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"/v1/memory_stores/{store}/memories"`, `"/v1/sessions/{session}/events/import"`, `"/v1/dreams/{dream}/cancel"`, `"created_at[gte]"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the document lacks %s", want)
		}
	}
}
