package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// aCase is one of the 66 conformance cases of the specification of the API.
type aCase struct {
	n      int
	says   string
	dreams bool // it needs somebody who carries dreams out
	check  func(c caller)
}

func cases() []aCase {
	return slices.Concat(transportCases(), storeCases(), memoryCases(), listingCases(), versionCases(), sessionCases(), dreamCases())
}

func TestTheCasesAreComplete(t *testing.T) {
	t.Parallel()
	for i, c := range cases() {
		if c.n != i+1 {
			t.Fatalf("case %d is %d: %s", i+1, c.n, c.says)
		}
	}
	if n := len(cases()); n != 66 {
		t.Fatalf("%d cases, want 66", n)
	}
}

// Each case has a workspace of its own, so that none depends on what another made.
func TestCases(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s *server) {
		w := watch(t, s)
		dreams := offersDreams(t, s)
		for _, k := range cases() {
			t.Run(fmt.Sprintf("%d %s", k.n, k.says), func(t *testing.T) {
				if k.dreams && !dreams {
					t.Skip("this server offers no dreams")
				}
				k.check(caller{t: t, url: w.url, key: newKey(t, s.database, fmt.Sprintf("case %d", k.n)), beta: betaMemory})
			})
		}
	})
}

// offersDreams tells whether the route is there at all.
func offersDreams(t *testing.T, s *server) bool {
	t.Helper()
	a, err := caller{t: t, url: s.url, key: s.key, beta: betaDreams}.try("GET", "/v1/dreams", nil)
	if err != nil {
		t.Fatal(err)
	}
	return a.status != http.StatusNotFound
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func transportCases() []aCase {
	name := object{"name": "S"}
	return []aCase{
		{1, "no key is refused", false, func(c caller) {
			c.want("401 authentication_error", "POST", stores, name, "X-Api-Key", "")
			c.want("401 authentication_error", "POST", stores, name, "X-Api-Key", c.key+"x")
		}},
		{2, "the older form of a request is taken", false, func(c caller) {
			c.want(fine, "POST", stores+"?beta=true", name, "anthropic-version", "2023-06-01")
		}},
		{3, "the newer form gives the same shape", false, func(c caller) {
			old := c.want(fine, "POST", stores+"?beta=true", name, "anthropic-version", "2023-06-01")
			a := c.want(fine, "POST", stores, name, "X-Api-Key", "", "Authorization", "Bearer "+c.key)
			for k := range old.body {
				if _, there := a.body[k]; !there || len(a.body) != len(old.body) {
					c.t.Errorf("the bodies differ: %v and %v", old.body, a.body)
				}
			}
		}},
		{4, "both betas together are refused", false, func(c caller) {
			c.want(invalid, "GET", stores, nil, "anthropic-beta", betaMemory+","+betaSessions)
		}},
		{5, "another beta beside does not matter", false, func(c caller) {
			c.want(fine, "GET", stores, nil, "anthropic-beta", "message-batches-2024-09-24,"+betaMemory)
		}},
		{6, "the beta of sessions is enough for stores", false, func(c caller) { c.with(betaSessions).get(stores) }},
		{7, "the beta of sessions is not enough for dreams", true, func(c caller) {
			if a := c.with(betaSessions).do("GET", "/v1/dreams", nil); a.status != http.StatusForbidden && a.is() != invalid {
				c.t.Errorf("%s", a.is())
			}
		}},
		{8, "the beta of dreams is", true, func(c caller) { c.with(betaDreams).get("/v1/dreams") }},
		{9, "errors have their form", false, func(c caller) { // caller.do looks at each of them
			c.want(missing, "GET", stores+"/memstore_none", nil)
			c.want(missing, "GET", "/v1/nothing", nil)
			c.want(invalid, "POST", stores, "{")
			c.want(invalid, "GET", stores+"?limit=many", nil)
		}},
		{10, "an unknown field is refused", false, func(c caller) {
			c.want(invalid, "POST", stores, object{"name": "S", "colour": "red"})
			s := c.store("S")
			c.want(invalid, "POST", s+"/memories", object{"path": "/a", "content": "", "mode": "600"})
			_, m := c.memory(s, "/b", "x")
			c.want(invalid, "POST", m, object{"content": "y", "colour": "red"})
			c.want(invalid, "POST", s, object{"nam": "y"})
		}},
	}
}

func storeCases() []aCase {
	return []aCase{
		{11, "a store by its name alone", false, func(c caller) {
			s := c.post(stores, object{"name": "User Preferences"})
			c.eq("store", []any{s.body["name"], s.body["description"], s.body["metadata"], s.body["archived_at"], s.body["type"]}, "[User Preferences  map[] <nil> memory_store]")
			if !strings.HasPrefix(s.text("id"), "memstore_") {
				c.t.Error(s.text("id"))
			}
		}},
		{12, "names have 1 to 255 characters", false, func(c caller) {
			for n, want := range map[string]string{"": invalid, strings.Repeat("x", 255): fine, strings.Repeat("é", 255): fine, strings.Repeat("x", 256): invalid, "a\x07": invalid} {
				c.want(want, "POST", stores, object{"name": n})
			}
		}},
		{13, "descriptions have up to 1,024 characters", false, func(c caller) {
			c.want(fine, "POST", stores, object{"name": "x", "description": strings.Repeat("é", 1024)})
			c.want(invalid, "POST", stores, object{"name": "x", "description": strings.Repeat("x", 1025)})
		}},
		{14, "metadata has its limits", false, func(c caller) {
			many := func(n int) object {
				m := object{}
				for i := range n {
					m[fmt.Sprint(i)] = ""
				}
				return m
			}
			for _, m := range []object{many(17), {strings.Repeat("k", 65): ""}, {"k": strings.Repeat("v", 513)}, {"k": 1}} {
				c.want(invalid, "POST", stores, object{"name": "x", "metadata": m})
			}
			for _, m := range []object{many(16), {strings.Repeat("k", 64): strings.Repeat("v", 512)}} {
				c.want(fine, "POST", stores, object{"name": "x", "metadata": m})
			}
			s := stores + "/" + c.post(stores, object{"name": "x", "metadata": many(16)}).text("id")
			c.want(invalid, "POST", s, object{"metadata": object{"more": "1"}})
			c.want(fine, "POST", s, object{"metadata": object{"more": "1", "0": nil}})
		}},
		{15, "metadata is patched", false, func(c caller) {
			s := stores + "/" + c.post(stores, object{"name": "x", "metadata": object{"b": "2", "c": "3"}}).text("id")
			c.eq("metadata", c.post(s, `{"metadata":{"a":"1","b":null}}`).body["metadata"], "map[a:1 c:3]")
			c.eq("metadata", c.get(s).body["metadata"], "map[a:1 c:3]")
		}},
		{16, "an empty description clears it", false, func(c caller) {
			a := c.post(stores, object{"name": "x", "description": "d"})
			b := c.post(stores+"/"+a.text("id"), object{"description": ""})
			if b.text("description") != "" || b.text("name") != "x" || b.text("updated_at") <= a.text("updated_at") {
				c.t.Errorf("%v", b.body)
			}
		}},
		{17, "memories do not move a store's time", false, func(c caller) {
			s := c.store("S")
			before := c.get(s).text("updated_at")
			_, m := c.memory(s, "/a", "x")
			c.post(m, object{"content": "y"})
			c.want(fine, "DELETE", m, nil)
			c.eq("updated_at", c.get(s).text("updated_at"), before)
		}},
		{18, "a list is walked page by page", false, func(c caller) {
			var want []string
			for i := range 3 {
				want = append([]string{strings.TrimPrefix(c.store(fmt.Sprint(i)), stores+"/")}, want...)
			}
			if c.get(stores + "?limit=1").body["next_page"] == nil {
				c.t.Error("there is no next page")
			}
			c.eq("all", c.walk(stores+"?limit=1", "id"), want)
		}},
		{19, "limits are 1 to 100", false, func(c caller) {
			s := c.store("S")
			for _, list := range []string{stores, s + "/memories", s + "/memory_versions"} {
				for _, limit := range []string{"0", "101", "-1", "x"} {
					c.want(invalid, "GET", list+"?limit="+limit, nil)
				}
				c.get(list + "?limit=100")
			}
		}},
		{20, "archived stores are listed when asked for", false, func(c caller) {
			s := c.store("S")
			if a := c.post(s+"/archive", nil); a.body["archived_at"] == nil {
				c.t.Errorf("%v", a.body)
			}
			c.eq("listed", len(c.get(stores).list()), 0)
			c.eq("listed with archived ones", len(c.get(stores+"?include_archived=true").list()), 1)
		}},
		{21, "an archived store is not written", false, func(c caller) {
			s := c.store("S")
			_, m := c.memory(s, "/a", "x")
			c.post(s+"/archive", nil)
			c.want(invalid, "POST", s+"/memories", object{"path": "/b", "content": "x"})
			c.want(invalid, "POST", m, object{"content": "y"})
			c.want(invalid, "POST", s, object{"name": "y"})
		}},
		{22, "an archived store is read and cleared", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			c.post(m, object{"content": "y"})
			c.post(s+"/archive", nil)
			c.post(s+"/memory_versions/"+a.text("memory_version_id")+"/redact", nil)
			c.get(s)
			c.get(m)
			c.want(fine, "DELETE", m, nil)
			c.want(fine, "DELETE", s, nil)
		}},
		{23, "a deleted store is gone with all it held", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			d := c.want(fine, "DELETE", s, nil)
			c.eq("type", d.text("type"), "memory_store_deleted")
			for _, p := range []string{s, s + "/memories", s + "/memory_versions", m, s + "/memory_versions/" + a.text("memory_version_id")} {
				c.want(missing, "GET", p, nil)
			}
		}},
		{24, "bounds of time are inclusive", false, func(c caller) {
			at := url.QueryEscape(c.get(c.store("S")).text("created_at"))
			c.eq("gte", len(c.get(stores+"?created_at%5Bgte%5D="+at).list()), 1)
			c.eq("lte", len(c.get(stores+"?created_at%5Blte%5D="+at).list()), 1)
			c.want(invalid, "GET", stores+"?created_at%5Bgte%5D=yesterday", nil)
		}},
	}
}

func memoryCases() []aCase {
	pre := func(hash string, more object) object {
		more["precondition"] = object{"type": "content_sha256", "content_sha256": hash}
		return more
	}
	wrong := strings.Repeat("0", 64)
	return []aCase{
		{25, "a new memory comes without its content", false, func(c caller) {
			a, _ := c.memory(c.store("S"), "/a.md", "x")
			if v, there := a.body["content"]; !there || v != nil {
				c.t.Errorf("content: %v", v)
			}
			c.eq("memory", []any{a.body["content_size_bytes"], a.text("content_sha256"), a.text("id")[:4], a.text("memory_version_id")[:7]}, []any{1, sha("x"), "mem_", "memver_"})
		}},
		{26, "with view=full it comes with it", false, func(c caller) {
			c.eq("content", c.post(c.store("S")+"/memories?view=full", object{"path": "/a", "content": "x"}).text("content"), "x")
		}},
		{27, "reading gives the content unless told not to", false, func(c caller) {
			_, m := c.memory(c.store("S"), "/a", "x")
			c.eq("content", c.get(m).body["content"], "x")
			c.eq("basic", c.get(m + "?view=basic").body["content"], nil)
		}},
		{28, "a content may be empty, not absent", false, func(c caller) {
			s := c.store("S")
			a, _ := c.memory(s, "/a", "")
			c.eq("empty", []any{a.text("content_sha256"), a.body["content_size_bytes"]}, []any{sha(""), 0})
			c.want(invalid, "POST", s+"/memories", object{"path": "/b"})
			c.want(invalid, "POST", s+"/memories", object{"path": "/b", "content": nil})
		}},
		{29, "contents have up to 102,400 bytes", false, func(c caller) {
			s := c.store("S")
			c.memory(s, "/a", strings.Repeat("x", 102_400))
			c.memory(s, "/b", strings.Repeat("é", 51_200))
			_, m := c.memory(s, "/c", "x")
			for _, big := range []string{strings.Repeat("x", 102_401), strings.Repeat("é", 51_200) + "x"} {
				c.want(invalid, "POST", s+"/memories", object{"path": "/d", "content": big})
				c.want(invalid, "POST", m, object{"content": big})
			}
		}},
		{30, "paths that are none are refused", false, func(c caller) {
			s := c.store("S")
			_, m := c.memory(s, "/ok", "x")
			for _, p := range []string{"a.md", "", "/", "/a//b", "/a/", "/./a", "/a/../b", "/..", strings.Repeat("/s", 21), "/" + strings.Repeat("x", 1024)} {
				c.want(invalid, "POST", s+"/memories", object{"path": p, "content": "x"})
				c.want(invalid, "POST", m, object{"path": p})
			}
			c.memory(s, strings.Repeat("/s", 20), "x")
			c.memory(s, "/"+strings.Repeat("x", 1023), "x")
		}},
		{31, "paths with what nobody sees are refused", false, func(c caller) {
			s := c.store("S")
			for _, p := range []string{"/a\u200b", "/a\u2028b", "/a\tb", "/a\x00", "/e\u0301"} {
				c.want(invalid, "POST", s+"/memories", object{"path": p, "content": "x"})
			}
			c.memory(s, "/\u00e9", "x")
			c.memory(s, "/a b", "x")
			c.memory(s, "/.hidden", "x")
		}},
		{32, "creating does not overwrite", false, func(c caller) {
			s := c.store("S")
			m, one := c.memory(s, "/a.md", "x")
			a := c.want(taken, "POST", s+"/memories", object{"path": "/a.md", "content": "y"})
			c.eq("conflict", []any{a.fault()["conflicting_path"], a.fault()["conflicting_memory_id"], a.header.Get("x-should-retry")}, []any{"/a.md", m.text("id"), "false"})
			c.eq("content", c.get(one).text("content"), "x")
		}},
		{33, "a memory is not above or below another", false, func(c caller) {
			s := c.store("S")
			c.memory(s, "/n", "x")
			c.eq("conflict", c.want(taken, "POST", s+"/memories", object{"path": "/n/t.md", "content": ""}).fault()["conflicting_path"], "/n")
			c.memory(s, "/m/t.md", "x")
			c.eq("conflict", c.want(taken, "POST", s+"/memories", object{"path": "/m", "content": ""}).fault()["conflicting_path"], "/m/t.md")
		}},
		{34, "paths that only look alike live together", false, func(c caller) {
			s := c.store("S")
			for _, p := range []string{"/a_b", "/acb/x", "/A.md", "/a.md", "/a%b", "/a-b/c"} {
				c.memory(s, p, "x")
			}
		}},
		{35, "a rename keeps id and content", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			b := c.post(m, object{"path": "/b"})
			c.eq("renamed", []any{b.text("id"), b.text("content_sha256"), b.text("path")}, []any{a.text("id"), a.text("content_sha256"), "/b"})
			c.eq("versions", c.versions(s, a.text("id")), "modified created")
			c.post(m, object{"path": "/b/below"})
		}},
		{36, "a rename onto another is refused", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			c.memory(s, "/b", "x")
			c.want(taken, "POST", m, object{"path": "/b", "content": "y"})
			now := c.get(m)
			c.eq("after", []any{now.text("path"), now.text("content"), c.versions(s, a.text("id"))}, "[/a x created]")
		}},
		{37, "the right hash lets a change in", false, func(c caller) {
			a, m := c.memory(c.store("S"), "/a", "x")
			b := c.post(m, pre(sha("x"), object{"content": "y"}))
			if b.text("memory_version_id") == a.text("memory_version_id") || b.text("content_sha256") != sha("y") {
				c.t.Errorf("%v", b.body)
			}
		}},
		{38, "a wrong hash does not, and learns nothing", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			b := c.want(stale, "POST", m, pre(wrong, object{"content": "y"}))
			if strings.Contains(fmt.Sprint(b.body), sha("x")) || len(b.fault()) != 2 || b.header.Get("x-should-retry") != "false" {
				c.t.Errorf("%v %v", b.body, b.header)
			}
			c.eq("versions", c.versions(s, a.text("id")), "created")
		}},
		{39, "a wrong hash is fine where nothing would change", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			c.post(m, pre(wrong, object{"content": "x", "path": "/a"}))
			c.eq("versions", c.versions(s, a.text("id")), "created")
		}},
		{40, "the same content makes no version", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			b := c.post(m, object{"content": "x"})
			c.eq("after", []any{c.versions(s, a.text("id")), b.text("updated_at")}, []any{"created", a.text("updated_at")})
		}},
		{41, "a rename heeds the hash too", false, func(c caller) {
			_, m := c.memory(c.store("S"), "/a", "x")
			c.want(stale, "POST", m, pre(wrong, object{"path": "/b"}))
			c.eq("path", c.get(m).text("path"), "/a")
			c.post(m, pre(sha("x"), object{"path": "/b"}))
		}},
		{42, "a change of nothing is refused", false, func(c caller) {
			_, m := c.memory(c.store("S"), "/a", "x")
			c.want(invalid, "POST", m, object{})
			c.want(invalid, "POST", m, pre(sha("x"), object{}))
			c.want(invalid, "POST", m, `{"content":"y","precondition":{"type":"content_sha256"}}`)
			c.want(invalid, "POST", m, `{"content":"y","precondition":{"type":"etag","content_sha256":"`+sha("x")+`"}}`)
		}},
		{43, "deleting heeds a hash", false, func(c caller) {
			_, m := c.memory(c.store("S"), "/a", "x")
			c.want(stale, "DELETE", m+"?expected_content_sha256="+wrong, nil)
			c.get(m)
			c.eq("type", c.want(fine, "DELETE", m+"?expected_content_sha256="+sha("x"), nil).text("type"), "memory_deleted")
			c.want(missing, "DELETE", m, nil)
		}},
		{44, "a memory is not found in another store", false, func(c caller) {
			a, _ := c.memory(c.store("S"), "/a", "x")
			other := c.store("T")
			for _, method := range []string{"GET", "DELETE"} {
				c.want(missing, method, other+"/memories/"+a.text("id"), nil)
			}
			c.want(missing, "POST", other+"/memories/"+a.text("id"), object{"content": "y"})
			c.want(missing, "GET", other+"/memory_versions/"+a.text("memory_version_id"), nil)
			c.want(missing, "POST", other+"/memory_versions/"+a.text("memory_version_id")+"/redact", nil)
		}},
		{45, "a store holds 10,000 memories", false, fillAStore},
	}
}

// fillAStore fills one by eight clients at once.
func fillAStore(c caller) {
	s := c.store("S")
	first, m := c.memory(s, "/0", "x")
	work := make(chan int)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range work {
				a, err := c.try("POST", s+"/memories", object{"path": fmt.Sprintf("/%d", i), "content": "x"})
				if err != nil || a.status != http.StatusOK {
					c.t.Errorf("memory %d: %s %v", i, a.is(), err)
				}
			}
		})
	}
	for i := 1; i < 10_000 && !c.t.Failed(); i++ {
		work <- i
	}
	close(work)
	wg.Wait()
	c.want(invalid, "POST", s+"/memories", object{"path": "/more", "content": "x"})
	c.post(m, object{"content": "y"})
	all := c.walk(s+"/memories?limit=100", "id")
	slices.Sort(all)
	c.eq("listed", len(slices.Compact(all)), 10_000)
	c.want(fine, "DELETE", s+"/memories/"+first.text("id"), nil)
	c.memory(s, "/more", "x")
}
