package api

import (
	"database/sql"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the second fence is looked at from outside
	"pgregory.net/rapid"
)

// property is a workspace with one of each thing: ids by the name that the paths of
// the served document have for them.
type property struct {
	c   caller
	ids map[string]string
}

// mark stands in every text that a workspace holds, so that a leak shows whatever it
// is of.
func furnish(t *testing.T, s *server, workspace, mark string) property {
	t.Helper()
	c := caller{t: t, url: s.url, key: newKey(t, s.database, workspace), beta: betaMemory}
	store := c.store(mark)
	c.post(store, object{"description": mark, "metadata": object{"k": mark}})
	m, one := c.memory(store, "/"+mark, mark)
	c.post(one, object{"content": mark + " again"})
	c.beta = betaSessions
	agent := c.post("/v1/agents", object{"name": mark, "model": mark})
	env := c.post("/v1/environments", object{"name": mark})
	session := c.post("/v1/sessions", object{
		"agent": agent.text("id"), "environment_id": env.text("id"), "title": mark,
		"resources":      []object{{"type": "memory_store", "memory_store_id": strings.TrimPrefix(store, stores+"/")}},
		"initial_events": []object{{"type": "user.message", "content": []object{{"type": "text", "text": mark}}}},
	})
	return property{c, map[string]string{
		"store": strings.TrimPrefix(store, stores+"/"), "memory": m.text("id"), "version": m.text("memory_version_id"),
		"agent": agent.text("id"), "environment": env.text("id"), "session": session.text("id"),
		"resource": "sesrsc_none", "thread": "sthr_none", "dream": "drm_none",
	}}
}

// betaOf is what an operation has to be asked with.
func betaOf(path string) string {
	switch {
	case strings.HasPrefix(path, stores):
		return betaMemory
	case strings.HasPrefix(path, "/v1/dreams"):
		return betaDreams
	}
	return betaSessions
}

// look is all that a workspace holds, as its own key reads it.
func (p property) look() string {
	var b strings.Builder
	store, session := stores+"/"+p.ids["store"], "/v1/sessions/"+p.ids["session"]
	for _, path := range []string{
		stores + "?include_archived=true", store, store + "/memories?view=full", store + "/memory_versions?view=full",
		"/v1/sessions?include_archived=true", session, session + "/events", session + "/resources",
		"/v1/agents?include_archived=true", "/v1/agents/" + p.ids["agent"] + "/versions", "/v1/environments?include_archived=true",
	} {
		fmt.Fprintln(&b, path, p.c.with(betaOf(path)).get(path).body)
	}
	return b.String()
}

// bodies are those that each operation would take from the owner.
func bodies(op string, ids map[string]string) any {
	text := []object{{"type": "user.message", "content": []object{{"type": "text", "text": "x"}}}}
	switch op {
	case "POST /v1/memory_stores/{store}":
		return object{"name": "x"}
	case "POST /v1/memory_stores/{store}/memories":
		return object{"path": "/x", "content": "x"}
	case "POST /v1/memory_stores/{store}/memories/{memory}":
		return object{"content": "x"}
	case "POST /v1/sessions/{session}":
		return object{"title": "x"}
	case "POST /v1/sessions/{session}/events":
		return object{"events": text}
	case "POST /v1/sessions/{session}/events/import":
		text[0]["processed_at"] = "2026-01-01T00:00:00Z"
		return object{"events": text}
	case "POST /v1/sessions/{session}/resources":
		return object{"type": "file", "file_id": "file_x"}
	case "POST /v1/sessions":
		return object{"agent": "agent_x", "environment_id": "env_x", "resources": []object{{"type": "memory_store", "memory_store_id": ids["store"]}}}
	case "POST /v1/dreams":
		return object{"model": "rules", "inputs": inputs(ids["store"], ids["session"])}
	case "POST /v1/agents/{agent}", "POST /v1/environments/{environment}":
		return object{"name": "x"}
	}
	return nil
}

// With the key of one workspace nothing of another is found, listed or changed,
// whatever is asked.
func TestWorkspacesDoNotMeet(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s *server) {
		const mark = "belongs-to-a"
		w := watch(t, s)
		a, b := furnish(t, s, "a", mark), furnish(t, s, "b", "belongs-to-b")
		b.c.url = w.url
		before := a.look()
		ops := served(t, s)
		rapid.Check(t, func(r *rapid.T) {
			for _, op := range ops {
				trespass(r, op, a, b, mark)
			}
			if now := a.look(); now != before {
				r.Fatalf("b changed what a has:\n%s\n%s", before, now)
			}
		})
		if s.database[0] == 'p' {
			fenced(t, s.database, mark)
		}
	})
}

// trespass has b ask for one operation on what is a's, or, where it names nothing, with
// a's ids in its body and filters.
func trespass(r *rapid.T, op string, a, b property, mark string) {
	method, template, _ := strings.Cut(op, " ")
	path, foreign := template, false
	for _, name := range slices.Sorted(maps.Keys(a.ids)) {
		if v := "{" + name + "}"; strings.Contains(path, v) {
			// One at least is a's: the last one that is drawn, if no other was.
			of := b.ids
			if strings.Count(path, "{") == 1 && !foreign || rapid.Bool().Draw(r, op+", "+name+" of a") {
				of, foreign = a.ids, true
			}
			path = strings.Replace(path, v, of[name], 1)
		}
	}
	body := bodies(op, a.ids)
	refers := op == "POST /v1/sessions" || op == "POST /v1/dreams"
	if method == http.MethodGet {
		kind := rapid.SampledFrom([]string{"store", "memory", "session", "agent"}).Draw(r, op+", filter")
		path += "?" + map[string]string{"store": "memory_store_id=", "memory": "memory_id=", "session": "session_id=", "agent": "agent_id="}[kind] + a.ids[kind]
	}
	got := ask(b.c.with(betaOf(template)), method, path, body)
	if (foreign || refers) && got.is() != missing {
		r.Fatalf("%s %s of a, asked by b: %s %v", method, path, got.is(), got.body)
	}
	if strings.Contains(fmt.Sprint(got.body), mark) {
		r.Fatalf("%s %s tells b of a: %v", method, path, got.body)
	}
}

// ask asks where the owner might get a stream: that of somebody else is an error.
func ask(c caller, method, path string, body any) answer {
	a, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

// fenced wants that PostgreSQL itself shows a's rows to nobody who is not set to a:
// what a mistake in a query of ours would meet.
func fenced(t *testing.T, database, mark string) {
	t.Helper()
	d, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // it only read
	workspace := map[string]string{}
	for _, name := range []string{"a", "b"} {
		var id string
		if err := d.QueryRow("SELECT id FROM workspaces WHERE name = $1", name).Scan(&id); err != nil {
			t.Fatal(err)
		}
		workspace[name] = id
	}
	rows, err := d.Query(`SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relkind = 'r' AND a.attname = 'workspace' AND c.relnamespace = 'public'::regnamespace ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // it only read
	var held []string
	for rows.Next() {
		var name string
		var fence bool
		if err := rows.Scan(&name, &fence); err != nil {
			t.Fatal(err)
		}
		// Who a key is of is asked before a workspace is known, and so is what there is
		// to do for all of them.
		if !fence && name != "api_keys" && name != "dream_runs" {
			t.Errorf("the table %s has no row security", name)
		}
		if fence {
			held = append(held, name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	count := func(as, query string, args ...any) (n int64) {
		t.Helper()
		tx, err := d.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback() //nolint:errcheck // nothing stays
		if _, err := tx.Exec("SELECT set_config('app.workspace', $1, true)", as); err != nil {
			t.Fatal(err)
		}
		if err := tx.QueryRow(query, args...).Scan(&n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return n
	}
	full := 0
	for _, table := range held {
		own := "SELECT count(*) FROM " + table + " WHERE workspace = $1"
		if count(workspace["a"], own, workspace["a"]) > 0 {
			full++
		}
		for _, as := range []string{workspace["b"], ""} {
			if n := count(as, own, workspace["a"]); n != 0 {
				t.Errorf("set to %q, %d rows of a are seen in %s", as, n, table)
			}
			if n := count(as, "WITH gone AS (DELETE FROM "+table+" WHERE workspace = $1 RETURNING 1) SELECT count(*) FROM gone", workspace["a"]); n != 0 {
				t.Errorf("set to %q, %d rows of a are deleted from %s", as, n, table)
			}
		}
	}
	if full < 6 {
		t.Errorf("a has rows in %d tables of %v: that shows little", full, held)
	}
	if n := count(workspace["a"], "SELECT count(*) FROM contents WHERE content LIKE '%' || $1 || '%'", mark); n == 0 {
		t.Error("a does not see its own contents")
	}
}
