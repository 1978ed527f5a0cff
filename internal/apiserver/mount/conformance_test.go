package mount

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"dormouse/internal/apiserver"
	"dormouse/internal/apiserver/wire"
)

// The conformance cases of memories, listing and versions, asked over HTTP of a folder.
// Numbers are those of the specification; paths are such as a folder takes.

type client struct {
	t        *testing.T
	url, key string
}

type answer struct {
	status int
	again  string // x-should-retry
	body   map[string]any
}

func (a answer) kind() string {
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

func (a answer) values(key string) string {
	var out []string
	for _, m := range a.list() {
		out = append(out, fmt.Sprint(m[key]))
	}
	return strings.Join(out, " ")
}

// served is a server on a new folder, and the address of its memory store.
func served(t *testing.T) (*bench, client) {
	t.Helper()
	w := newBench(t, nil)
	_, key, err := w.db.CreateKey(t.Context(), "default", "http")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(apiserver.New(apiserver.Config{Backend: w.b, Enter: w.db.Enter, Hosts: []string{"127.0.0.1"}}))
	t.Cleanup(s.Close)
	return w, client{t, s.URL + "/v1/memory_stores/" + w.id, key}
}

func (c client) do(method, path string, body any) answer {
	c.t.Helper()
	var r io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			c.t.Fatal(err)
		}
		r = strings.NewReader(string(b))
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, r)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", c.key)
	req.Header.Set("anthropic-beta", "agent-memory-2026-07-22")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode, again: resp.Header.Get("x-should-retry")}
	if err := json.NewDecoder(resp.Body).Decode(&a.body); err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (c client) create(path, content string) answer {
	c.t.Helper()
	return c.do("POST", "/memories", map[string]any{"path": path, "content": content})
}

func (c client) expect(what string, a answer, want string) answer {
	c.t.Helper()
	if got := a.kind(); got != want {
		c.t.Errorf("%s: %s, want %s: %v", what, got, want, a.body)
	}
	return a
}

const (
	fine    = "200 "
	invalid = "400 invalid_request_error"
	gone    = "404 not_found_error"
	taken   = "409 memory_path_conflict_error"
	stale   = "409 memory_precondition_failed_error"
)

type object = map[string]any

func TestCases25To34OfMemories(t *testing.T) {
	t.Parallel()
	_, c := served(t)
	a := c.expect("25", c.create("/a.md", "x"), fine)
	if v, there := a.body["content"]; !there || v != nil || a.body["content_size_bytes"] != 1.0 || !strings.HasPrefix(a.text("content_sha256"), "2d711642b726") ||
		!strings.HasPrefix(a.text("id"), "mem_") || !strings.HasPrefix(a.text("memory_version_id"), "memver_") {
		t.Errorf("25: %v", a.body)
	}
	if b := c.do("POST", "/memories?view=full", object{"path": "/full.md", "content": "x"}); b.text("content") != "x" {
		t.Errorf("26: %v", b.body)
	}
	one := "/memories/" + a.text("id")
	if b, d := c.do("GET", one, nil), c.do("GET", one+"?view=basic", nil); b.text("content") != "x" || d.body["content"] != nil {
		t.Errorf("27: %v %v", b.body, d.body)
	}
	if e := c.expect("28", c.create("/empty.md", ""), fine); !strings.HasPrefix(e.text("content_sha256"), "e3b0c442") || e.body["content_size_bytes"] != 0.0 {
		t.Errorf("28: %v", e.body)
	}
	c.expect("28 no content", c.do("POST", "/memories", object{"path": "/none.md"}), invalid)
	c.expect("29", c.create("/large.md", strings.Repeat("é", 51_200)), fine)
	c.expect("29 too large", c.create("/larger.md", strings.Repeat("é", 51_200)+"x"), invalid)
	for _, p := range []string{
		"a.md", "/", "/a//b.md", "/b.md/", "/./a.md", "/c/../b.md", strings.Repeat("/s", 20) + "/x.md", "/" + strings.Repeat("x", 1024) + ".md",
		"/a\u200b.md", "/a\u2028.md", "/a\tb.md", "/e\u0301.md", "/x.txt", "/x", "/A.md", "/a b.md", "/.x.md", "/.x/a.md", "/con.md", "/sub/MEMORY.md",
	} {
		c.expect(fmt.Sprintf("30, 31 %.20q", p), c.create(p, "x"), invalid)
	}
	c.expect("30 twenty segments", c.create(strings.Repeat("/s", 19)+"/x.md", "x"), fine)
	t32 := c.expect("32", c.create("/a.md", "y"), taken)
	e, _ := t32.body["error"].(object)
	if e["conflicting_path"] != "/a.md" || e["conflicting_memory_id"] != a.text("id") || t32.again != "false" {
		t.Errorf("32: %v %s", t32.body, t32.again)
	}
	c.expect("32 with just that content", c.create("/a.md", "x"), taken)
	c.expect("33", c.create("/n.md", "x"), fine)
	c.expect("33 below", c.create("/n.md/t.md", "x"), taken)
	c.expect("33", c.create("/m.md/t.md", "x"), fine)
	c.expect("33 above", c.create("/m.md", "x"), taken)
	for _, p := range []string{"/a_b.md", "/acb/x.md"} {
		c.expect("34 "+p, c.create(p, "x"), fine)
	}
}

func TestCases35To44OfMemories(t *testing.T) {
	t.Parallel()
	w, c := served(t)
	a, n := c.create("/a.md", "x"), c.create("/n.md", "x")
	one := "/memories/" + a.text("id")
	r := c.expect("35", c.do("POST", one, object{"path": "/r/r.md"}), fine)
	if r.text("id") != a.text("id") || r.text("path") != "/r/r.md" || r.text("content_sha256") != a.text("content_sha256") || r.text("created_at") != a.text("created_at") || w.file("r/r.md") != "x" || w.file("a.md") != "no file" {
		t.Errorf("35: %v", r.body)
	}
	t36 := c.expect("36", c.do("POST", one, object{"path": "/n.md"}), taken)
	if e, _ := t36.body["error"].(object); e["conflicting_memory_id"] != n.text("id") || w.file("r/r.md") != "x" {
		t.Errorf("36: %v", t36.body)
	}
	wrong := strings.Repeat("0", 64)
	pre := func(sha string, o object) object {
		o["precondition"] = object{"type": "content_sha256", "content_sha256": sha}
		return o
	}
	u := c.expect("37", c.do("POST", one, pre(r.text("content_sha256"), object{"content": "y"})), fine)
	if u.text("memory_version_id") == r.text("memory_version_id") || u.text("updated_at") <= r.text("updated_at") {
		t.Errorf("37: %v %v", r.body, u.body)
	}
	if s := c.expect("38", c.do("POST", one, pre(wrong, object{"content": "z"})), stale); strings.Contains(fmt.Sprint(s.body), u.text("content_sha256")) || s.again != "false" {
		t.Error("38: it tells the present hash, or to try again")
	}
	c.expect("39", c.do("POST", one, pre(wrong, object{"content": "y", "path": "/r/r.md"})), fine)
	c.expect("40", c.do("POST", one, object{"content": "y"}), fine)
	c.expect("41", c.do("POST", one, pre(wrong, object{"path": "/r2.md"})), stale)
	c.expect("42", c.do("POST", one, object{}), invalid)
	versions := "/memory_versions?memory_id=" + a.text("id")
	if v := c.do("GET", versions, nil); len(v.list()) != 3 {
		t.Errorf("38 to 41: %d versions, want 3", len(v.list()))
	}
	c.expect("43 wrong", c.do("DELETE", one+"?expected_content_sha256="+wrong, nil), stale)
	if d := c.expect("43", c.do("DELETE", one+"?expected_content_sha256="+u.text("content_sha256"), nil), fine); d.text("type") != "memory_deleted" {
		t.Errorf("43: %v", d.body)
	}
	c.expect("43 again", c.do("DELETE", one, nil), gone)
	other, err := w.b.CreateStore(t.Context(), w.who, apiserver.NewStore{Name: "T"})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := c
	elsewhere.url = strings.TrimSuffix(c.url, w.id) + other.ID
	c.expect("44", elsewhere.do("GET", "/memories/"+n.text("id"), nil), gone)
	if got := c.do("GET", versions, nil).values("operation"); got != "deleted modified modified created" {
		t.Errorf("54: %s", got)
	}
}

func TestCases46To53OfListing(t *testing.T) {
	t.Parallel()
	w, c := served(t)
	for _, p := range []string{"/a.md", "/p/x.md", "/p/q/y.md", "/p2/z.md"} {
		c.expect(p, c.create(p, p), fine)
	}
	for query, want := range map[string]string{
		"":                        "/MEMORY.md /a.md /p/q/y.md /p/x.md /p2/z.md",
		"path_prefix=%2Fp%2F":     "/p/q/y.md /p/x.md",
		"depth=1":                 "/MEMORY.md /a.md /p/ /p2/",
		"depth=1&path_prefix=/p/": "/p/q/ /p/x.md",
		"depth=0":                 "/MEMORY.md /a.md /p/q/y.md /p/x.md /p2/z.md",
		"path_prefix=/none/":      "",
	} {
		if got := c.expect(query, c.do("GET", "/memories?"+query, nil), fine).values("path"); got != want {
			t.Errorf("46 to 51 %s: %s, want %s", query, got, want)
		}
	}
	for _, bad := range []string{"path_prefix=/p", "depth=2", "depth=-1", "view=all", "limit=0", "limit=101", "page=page_nonsense"} {
		c.expect(bad, c.do("GET", "/memories?"+bad, nil), invalid)
	}
	var got []string
	for q := "depth=1&limit=1"; ; {
		a := c.expect("52", c.do("GET", "/memories?"+q, nil), fine)
		got = append(got, a.values("path"))
		if a.text("next_page") == "" {
			break
		}
		q = "depth=1&limit=1&page=" + url.QueryEscape(a.text("next_page"))
	}
	if want := []string{"/MEMORY.md", "/a.md", "/p/", "/p2/"}; !slices.Equal(got, want) {
		t.Errorf("52: %v", got)
	}
	for i := range 30 {
		w.outside(fmt.Sprintf("many/%02d.md", i), "x")
	}
	full := c.do("GET", "/memories?view=full&limit=100", nil)
	if len(full.list()) != wire.MaxFullPage || full.body["next_page"] == nil || full.list()[1]["content"] != "/a.md" {
		t.Errorf("53: %d items", len(full.list()))
	}
}

func TestCases54To57OfVersions(t *testing.T) {
	t.Parallel()
	w, c := served(t)
	a := c.create("/a.md", "one")
	one := "/memories/" + a.text("id")
	c.expect("update", c.do("POST", one, object{"content": "two"}), fine)
	w.outside("a.md", "three, by an editor")
	c.expect("rename", c.do("POST", one, object{"path": "/b.md"}), fine)
	c.expect("delete", c.do("DELETE", one, nil), fine)
	list := func(query string) answer {
		t.Helper()
		return c.expect(query, c.do("GET", "/memory_versions?memory_id="+a.text("id")+query, nil), fine)
	}
	all := list("")
	if got := all.values("operation"); got != "deleted modified modified modified created" {
		t.Errorf("54: %s", got)
	}
	last := all.list()[0]
	if last["path"] != "/b.md" || last["content"] != nil || last["content_size_bytes"] != nil || last["content_sha256"] != nil {
		t.Errorf("55: %v", last)
	}
	key := last["created_by"].(object)["api_key_id"].(string)
	if got := list("&operation=created").values("path"); got != "/a.md" {
		t.Errorf("56 operation: %s", got)
	}
	if got := list("&api_key_id=" + key).values("operation"); got != "deleted modified modified created" {
		t.Errorf("56 api_key_id: %s", got)
	}
	if got := list("&api_key_id=apikey_other&session_id=sesn_x"); len(got.list()) != 0 {
		t.Errorf("56 session_id: %v", got.body)
	}
	if v := all.list()[1]; v["content"] != nil {
		t.Errorf("57 list: %v", v)
	}
	if v := c.do("GET", "/memory_versions/"+all.list()[2]["id"].(string), nil); v.text("content") != "three, by an editor" || fmt.Sprint(v.body["created_by"]) != "map[type:user_actor user_id:user_outside]" {
		t.Errorf("57 retrieve: %v", v.body)
	}
	var walked []string
	for q := "&limit=1"; ; {
		page := list(q)
		walked = append(walked, page.values("id"))
		if page.text("next_page") == "" {
			break
		}
		q = "&limit=1&page=" + url.QueryEscape(page.text("next_page"))
	}
	if got := strings.Join(walked, " "); got != all.values("id") {
		t.Errorf("page by page: %s, at once: %s", got, all.values("id"))
	}
	// What a folder does not do is refused, and says what does.
	if r := c.expect("58", c.do("POST", "/memory_versions/"+all.list()[3]["id"].(string)+"/redact", nil), invalid); !strings.Contains(fmt.Sprint(r.body), "dormouse purge") {
		t.Errorf("58: %v", r.body)
	}
	c.expect("another version", c.do("POST", "/memory_versions/memver_x/redact", nil), gone)
}

func TestCase45OfAFullFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 10,000 files")
	}
	t.Parallel()
	w, c := served(t)
	for i := range wire.MaxMemories {
		w.outside(fmt.Sprintf("n%05d.md", i), fmt.Sprintf("Fact %d.\n", i))
	}
	c.expect("45", c.create("/more.md", "x"), invalid)
	page := c.do("GET", "/memories?limit=1", nil).list()
	c.expect("45 update", c.do("POST", "/memories/"+page[0]["id"].(string), object{"content": "changed"}), fine)
}
