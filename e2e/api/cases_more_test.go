package api

import (
	"fmt"
	"strings"
)

func listingCases() []aCase {
	tree := func(c caller) string {
		s := c.store("S")
		for _, p := range []string{"/a.md", "/p/x.md", "/p/q/y.md", "/p2/z.md"} {
			c.memory(s, p, p)
		}
		return s + "/memories"
	}
	listed := func(c caller, path string) string {
		var out []string
		for _, m := range c.get(path).list() {
			out = append(out, strings.TrimPrefix(m.text("type"), "memory")+m.text("path"))
		}
		return strings.Join(out, " ")
	}
	return []aCase{
		{46, "a list has all", false, func(c caller) { c.eq("all", listed(c, tree(c)), "/a.md /p/q/y.md /p/x.md /p2/z.md") }},
		{47, "a prefix has what is below it", false, func(c caller) {
			c.eq("below", listed(c, tree(c)+"?path_prefix=%2Fp%2F"), "/p/q/y.md /p/x.md")
			c.eq("nothing", listed(c, tree(c)+"?path_prefix=/none/"), "")
			c.eq("the root", len(c.get(tree(c)+"?path_prefix=/").list()), 4)
		}},
		{48, "a prefix ends with a slash", false, func(c caller) { c.want(invalid, "GET", tree(c)+"?path_prefix=/p", nil) }},
		{49, "one level deep, folders are rolled up", false, func(c caller) { c.eq("top", listed(c, tree(c)+"?depth=1"), "/a.md _prefix/p/ _prefix/p2/") }},
		{50, "and so are those of a prefix", false, func(c caller) {
			c.eq("p", listed(c, tree(c)+"?depth=1&path_prefix=/p/"), "_prefix/p/q/ /p/x.md")
		}},
		{51, "the depth is 0 or 1", false, func(c caller) {
			m := tree(c)
			for _, d := range []string{"2", "-1", "x"} {
				c.want(invalid, "GET", m+"?depth="+d, nil)
			}
			c.eq("0", listed(c, m+"?depth=0"), listed(c, m))
		}},
		{52, "a folder stands once over all pages", false, func(c caller) {
			m := tree(c)
			c.memory(strings.TrimSuffix(m, "/memories"), "/p/z.md", "x")
			c.memory(strings.TrimSuffix(m, "/memories"), "/p.md", "x") // between /p and /p/
			c.eq("all", c.walk(m+"?depth=1&limit=1", "path"), "[/a.md /p.md /p/ /p2/]")
		}},
		{53, "a page with contents has 20 items", false, func(c caller) {
			s := c.store("S")
			for i := range 30 {
				c.memory(s, fmt.Sprintf("/%02d", i), "x")
			}
			a := c.get(s + "/memories?view=full&limit=100")
			c.eq("page", []any{len(a.list()), a.body["next_page"] != nil, a.list()[0].text("content")}, "[20 true x]")
			c.eq("all", len(c.walk(s+"/memories?view=full&limit=100", "id")), 30)
		}},
	}
}

func versionCases() []aCase {
	// life is a memory that was made, changed, renamed and deleted.
	life := func(c caller) (store, memory string) {
		store = c.store("S")
		a, m := c.memory(store, "/a", "x")
		c.post(m, object{"content": "y"})
		c.post(m, object{"path": "/b"})
		c.want(fine, "DELETE", m, nil)
		return store, a.text("id")
	}
	nothing := func(c caller, v answer, keys ...string) {
		for _, k := range keys {
			if x, there := v.body[k]; there && x != nil {
				c.t.Errorf("%s of the version is %v", k, x)
			}
		}
	}
	return []aCase{
		{54, "each change is a version", false, func(c caller) { c.eq("versions", c.versions(life(c)), "deleted modified modified created") }},
		{55, "the version of a deletion has its path alone", false, func(c caller) {
			s, m := life(c)
			v := c.get(s + "/memory_versions?view=full&memory_id=" + m).list()[0]
			c.eq("deleted", []any{v.text("operation"), v.text("path")}, "[deleted /b]")
			nothing(c, v, "content", "content_size_bytes", "content_sha256")
		}},
		{56, "versions are filtered", false, func(c caller) {
			s, m := life(c)
			c.memory(s, "/other", "x")
			v := s + "/memory_versions"
			by := c.get(v).list()[0].body["created_by"].(map[string]any)
			c.eq("by whom", by["type"], "api_actor")
			for query, n := range map[string]int{
				"": 5, "operation=created": 2, "operation=modified": 2, "operation=deleted": 1, "memory_id=" + m: 4, "memory_id=mem_none": 0,
				"api_key_id=" + fmt.Sprint(by["api_key_id"]): 5, "api_key_id=apikey_none": 0, "session_id=sesn_none": 0, "service_account_id=svac_none": 0,
				"operation=created&memory_id=" + m: 1,
			} {
				c.eq(query, len(c.get(v+"?"+query).list()), n)
			}
			c.want(invalid, "GET", v+"?operation=renamed", nil)
		}},
		{57, "a list of versions has no contents", false, func(c caller) {
			s := c.store("S")
			a, _ := c.memory(s, "/a", "x")
			c.eq("basic", c.get(s + "/memory_versions").list()[0].body["content"], nil)
			c.eq("full", c.get(s + "/memory_versions?view=full").list()[0].text("content"), "x")
			v := s + "/memory_versions/" + a.text("memory_version_id")
			c.eq("read", []any{c.get(v).text("content"), c.get(v + "?view=basic").body["content"]}, "[x <nil>]")
		}},
		{58, "a redacted version says what it was of, not what", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "secret")
			c.post(m, object{"content": "y"})
			v := s + "/memory_versions/" + a.text("memory_version_id")
			before := c.get(v)
			r := c.post(v+"/redact", nil)
			for _, r := range []answer{r, c.get(v), c.post(v+"/redact", nil)} {
				nothing(c, r, "path", "content", "content_size_bytes", "content_sha256")
				if r.body["redacted_at"] == nil || r.body["redacted_by"] == nil || r.text("operation") != "created" {
					c.t.Errorf("%v", r.body)
				}
				c.eq("created_by", r.body["created_by"], before.body["created_by"])
			}
			c.eq("the memory", c.get(m).text("content"), "y")
		}},
		{59, "what a memory is now can't be redacted", false, func(c caller) {
			s := c.store("S")
			a, m := c.memory(s, "/a", "x")
			v := s + "/memory_versions/" + a.text("memory_version_id") + "/redact"
			c.want(invalid, "POST", v, nil)
			c.post(m, object{"content": "y"})
			c.post(v, nil)
		}},
		{60, "what a session wrote says so", true, func(c caller) {
			d := finished(c, dream(c, object{}))
			out := d.body["outputs"].([]any)[0].(map[string]any)["memory_store_id"].(string)
			for _, v := range c.get(stores + "/" + out + "/memory_versions").list() {
				c.eq("by whom", v.body["created_by"].(map[string]any)["type"], "session_actor")
			}
		}},
	}
}

func sessionCases() []aCase {
	return []aCase{{61, "a session has up to eight stores", false, func(c caller) {
		var resources []object
		var first, archived string
		for i := range 9 {
			s := c.store("Demo Memory")
			if i == 0 {
				first = s
			}
			resources = append(resources, object{"type": "memory_store", "memory_store_id": strings.TrimPrefix(s, stores+"/")})
		}
		archived = c.store("old")
		c.post(archived+"/archive", nil)
		c.beta = betaSessions
		session := func(r ...object) object { return object{"agent": "agent_x", "environment_id": "env_x", "resources": r} }
		s := c.post("/v1/sessions", session(resources[:8]...))
		c.want(invalid, "POST", "/v1/sessions", session(resources...))
		c.want(invalid, "POST", "/v1/sessions", session(object{"type": "memory_store", "memory_store_id": strings.TrimPrefix(archived, stores+"/")}))
		c.post(first, object{"name": "renamed"})
		r := c.get("/v1/sessions/" + s.text("id") + "/resources").list()
		c.eq("resources", []any{len(r), r[0].text("name"), r[0].text("access")}, "[8 Demo Memory read_write]")
	}}}
}
