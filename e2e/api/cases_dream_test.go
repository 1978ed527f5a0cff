package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// said makes a session in which a person says something.
func said(c caller, text string) string {
	c.t.Helper()
	c.beta = betaSessions
	return c.post("/v1/sessions", object{"agent": "agent_x", "environment_id": "env_x", "initial_events": []object{
		{"type": "user.message", "content": []object{{"type": "text", "text": text}}},
	}}).text("id")
}

// dreamBody is what makes a dream, with more put in over it. "rules" is the model that
// is none.
func dreamBody(c caller, more object) object {
	c.t.Helper()
	s := c.store("S")
	c.memory(s, "/a.md", "We deploy on Fridays.\n")
	body := object{"model": "rules", "inputs": inputs(strings.TrimPrefix(s, stores+"/"), said(c, "Please remember: we deploy on Mondays."))}
	for k, v := range more {
		body[k] = v
	}
	return body
}

func inputs(store string, sessions ...string) []object {
	return []object{{"type": "memory_store", "memory_store_id": store}, {"type": "sessions", "session_ids": sessions}}
}

func dream(c caller, more object) answer {
	c.t.Helper()
	body := dreamBody(c, more)
	return c.with(betaDreams).post("/v1/dreams", body)
}

// finished waits for the end of a dream.
func finished(c caller, d answer) answer {
	c.t.Helper()
	c.beta = betaDreams
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		d := c.get("/v1/dreams/" + d.text("id"))
		if d.body["ended_at"] != nil {
			return d
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("the dream does not end: %v", d.body)
		}
	}
}

func dreamCases() []aCase {
	return []aCase{
		{62, "a new dream is pending", true, func(c caller) {
			body := dreamBody(c, nil)
			in := body["inputs"].([]object)
			more := append(in[1]["session_ids"].([]string), said(c, "one"), said(c, "two"))
			slices.Reverse(more)
			in[1]["session_ids"] = more
			d := c.with(betaDreams).post("/v1/dreams", body)
			slices.Sort(more)
			c.eq("dream", []any{d.body["status"], d.body["outputs"], d.body["session_id"], d.body["model"], d.body["output_behavior"], d.body["inputs"].([]any)[1].(map[string]any)["session_ids"]},
				[]any{"pending", []any{}, nil, object{"id": "rules", "speed": "standard"}, object{"type": "create_new"}, more})
			for k, v := range d.body["usage"].(map[string]any) {
				c.eq(k, v, 0)
			}
			c.with(betaDreams).do("POST", "/v1/dreams/"+d.text("id")+"/cancel", nil)
		}},
		{63, "dreams that are none are refused", true, func(c caller) {
			store, session := strings.TrimPrefix(c.store("S"), stores+"/"), said(c, "x")
			many := make([]string, 101)
			for i := range many {
				many[i] = fmt.Sprint("sesn_", i)
			}
			for _, more := range []object{
				{"inputs": inputs(store)},
				{"inputs": []object{inputs(store)[0], {"type": "sessions", "session_ids": []string{}}}},
				{"inputs": inputs(store, many...)},
				{"inputs": inputs(store, session, session)},
				{"inputs": append(inputs(store, session), inputs(store)[0])},
				{"inputs": inputs(store, session)[:1]},
				{"instructions": ""},
				{"instructions": strings.Repeat("x", 4097)},
				{"model": object{"id": "rules", "speed": "fast"}},
			} {
				body := dreamBody(c, more)
				c.with(betaDreams).want(invalid, "POST", "/v1/dreams", body)
			}
		}},
		{64, "a dream leaves its input as it was", true, func(c caller) {
			body := dreamBody(c, nil)
			in := stores + "/" + body["inputs"].([]object)[0]["memory_store_id"].(string)
			look := func() string {
				return fmt.Sprint(c.get(in+"/memories?view=full").body, c.get(in+"/memory_versions?view=full").body)
			}
			before := look()
			d := finished(c, c.with(betaDreams).post("/v1/dreams", body))
			c.eq("status", d.text("status"), "completed")
			out, _ := d.body["outputs"].([]any)
			if len(out) != 1 || stores+"/"+out[0].(map[string]any)["memory_store_id"].(string) == in {
				c.t.Fatalf("outputs %v", out)
			}
			c.eq("the input", look(), before)
		}},
		{65, "dreams are cancelled and archived", true, func(c caller) {
			d := dream(c, nil)
			c.beta = betaDreams
			one := "/v1/dreams/" + d.text("id")
			if a := c.do("POST", one+"/cancel", nil); a.status == http.StatusOK {
				c.eq("cancelled", []any{a.text("status"), a.body["ended_at"] != nil}, "[canceled true]")
				c.eq("again", c.post(one+"/cancel", nil).text("ended_at"), a.text("ended_at"))
			}
			e := finished(c, dream(c.with(betaMemory), nil))
			two := "/v1/dreams/" + e.text("id")
			c.eq("status", e.text("status"), "completed")
			c.want(invalid, "POST", two+"/cancel", nil)
			c.eq("archived twice", c.post(two+"/archive", nil).text("archived_at"), c.post(two+"/archive", nil).text("archived_at"))
			if strings.Contains(c.get("/v1/dreams").texts("id"), e.text("id")) {
				c.t.Error("an archived dream is listed")
			}
			c.eq("by status", c.get("/v1/dreams?include_archived=true&statuses%5B%5D=completed").texts("id"), e.text("id"))
		}},
		{66, "a dream in place has its store for itself", true, func(c caller) {
			body := dreamBody(c, object{"output_behavior": object{"type": "update_existing", "memory_store_id": "memstore_foreign"}})
			c.with(betaDreams).want(invalid, "POST", "/v1/dreams", body)
			body["output_behavior"] = object{"type": "update_existing", "memory_store_id": body["inputs"].([]object)[0]["memory_store_id"]}
			d := c.with(betaDreams).post("/v1/dreams", body)
			if a := c.with(betaDreams).do("POST", "/v1/dreams", body); a.status != http.StatusOK { // the first may have ended
				c.eq("held", []any{a.is(), a.header.Get("x-should-retry")}, "[409 conflict_error false]")
			}
			c.eq("status", finished(c, d).text("status"), "completed")
		}},
	}
}
