package api

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/testkit/modelserver"
	"dormouse/testkit/pgtest"
)

// slowly is a model that takes its time, and proposes nothing.
func slowly(t *testing.T) *modelserver.Server {
	t.Helper()
	m, err := modelserver.Start(func(modelserver.Request) modelserver.Step {
		time.Sleep(150 * time.Millisecond) // this is what a slow model is
		return modelserver.Step{Text: `{"ops":[]}`}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// pairOf are two servers on one PostgreSQL.
type pairOf struct {
	t        *testing.T
	pg       *pgtest.Server
	database string
	args     []string
	key      string
	servers  [2]*server
	model    *modelserver.Server
}

func newPair(t *testing.T, lease string) *pairOf {
	t.Helper()
	p := &pairOf{t: t, pg: pgtest.Start(t, pgtest.Options{}), model: slowly(t)}
	p.database = p.pg.Database(t)
	p.args = []string{"--lease", lease, "--model", "slow=anthropic:slow@" + p.model.Base(modelserver.Anthropic)}
	p.servers[0] = start(t, p.database, p.args...)
	p.key = p.servers[0].key
	p.servers[1] = launch(t, p.database, p.args...)
	return p
}

// caller asks a server; the other one is asked where that one is away.
func (p *pairOf) caller(i int) caller {
	return caller{t: p.t, url: p.servers[i].url, key: p.key, beta: betaMemory}
}

// input is a store and sessions that a dream has something to do with.
func (p *pairOf) input() []object {
	p.t.Helper()
	c := p.caller(0)
	s := c.store("S")
	for i, text := range []string{
		"We deploy on Fridays.\n", "The database is PostgreSQL 15.\n", "The database is PostgreSQL 15.\n", "The build takes ten minutes.\n", "The mail service is written in Elixir.\n",
	} {
		c.memory(s, fmt.Sprintf("/notes/%d.md", i), text)
	}
	var sessions []string
	for _, text := range []string{
		"Please remember: we deploy on Mondays.", "Please remember: the staging server is called otter.", "The moon is nice today.", "Please remember: prices are integers in cents.",
	} {
		sessions = append(sessions, said(c, text))
	}
	return inputs(strings.TrimPrefix(s, stores+"/"), sessions...)
}

// ends waits for the end of a dream, whoever of the two answers.
func (p *pairOf) ends(id string) answer {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		for i := range p.servers {
			a, err := p.caller(i).with(betaDreams).try("GET", "/v1/dreams/"+id, nil)
			if err == nil && a.body["ended_at"] != nil {
				return a
			}
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("a minute later the dream %s has not ended", id)
		}
	}
}

// holds is what a store has, by path.
func holds(c caller, store string) string {
	c.t.Helper()
	var out []string
	for page := ""; ; {
		a := c.get(stores + "/" + store + "/memories?view=full" + page)
		for _, m := range a.list() {
			out = append(out, m.text("path")+" "+m.text("content"))
		}
		next, more := a.body["next_page"].(string)
		if !more {
			return strings.Join(out, "\n")
		}
		page = "&page=" + next
	}
}

func output(t *testing.T, d answer) string {
	t.Helper()
	out, _ := d.body["outputs"].([]any)
	if len(out) != 1 {
		t.Fatalf("outputs %v of %v", out, d.body)
	}
	return out[0].(map[string]any)["memory_store_id"].(string)
}

// asks are the requests that read a session: they are the same whoever asks them.
func (p *pairOf) asks() map[string]int {
	out := map[string]int{}
	for _, r := range p.model.Requests() {
		if text := string(r.Body); strings.Contains(text, "The session, as data") {
			out[text]++
		}
	}
	return out
}

// A dream whose server is killed, stands still longer than its lease, or loses its
// database is taken up by another one: its output store is there once, and as if
// nothing had happened.
func TestADreamOutlivesItsServer(t *testing.T) {
	t.Parallel()
	n, r := kills(t, 4) // one of each kind
	p := newPair(t, "2s")
	c := func() caller { return p.caller(0) }
	whole := func(in []object) (answer, string) {
		d := c().with(betaDreams).post("/v1/dreams", object{"model": "slow", "inputs": in})
		return d, d.text("id")
	}
	in := p.input()
	_, id := whole(in)
	done := p.ends(id)
	c().eq("without accidents", done.text("status"), "completed")
	want := holds(c(), output(t, done))
	requests := len(p.model.Requests())
	if !strings.Contains(want, "Mondays") || strings.Contains(want, "Fridays") || requests < 4 {
		t.Fatalf("%d requests made %s", requests, want)
	}
	made := len(c().walk(stores+"?limit=100", "id"))
	var worst time.Duration
	for round := range n {
		in := p.input()
		before := p.asks()
		at := len(p.model.Requests())
		_, id := whole(in)
		p.reached(at+1+r.IntN(requests-1), id)
		began := time.Now()
		kind := p.accident(round, r)
		done := p.ends(id)
		worst = max(worst, time.Since(began))
		p.mend()
		c().eq("status after "+kind, done.text("status"), "completed")
		store := output(t, done)
		c().eq("what is there after "+kind, holds(c(), store), want)
		made += 2 // the input, and one output
		c().eq("stores after "+kind, len(c().walk(stores+"?limit=100", "id")), made)
		twice := 0
		for q, k := range p.asks() {
			twice += max(0, k-before[q]-1)
		}
		if twice > 1 { // the answer that was on its way
			t.Errorf("%s: %d answers were paid for twice", kind, twice)
		}
		p.once(store, kind)
	}
	t.Logf("%d accidents, the slowest dream ended %v after its own", n, worst.Round(100*time.Millisecond))
	if worst > time.Minute {
		t.Errorf("a dream took %v to be taken up and ended", worst)
	}
}

// With the lease that servers have by default, too.
func TestADreamIsTakenUpWithinAMinute(t *testing.T) {
	t.Parallel()
	p := newPair(t, "15s")
	id := p.caller(0).with(betaDreams).post("/v1/dreams", object{"model": "slow", "inputs": p.input()}).text("id")
	p.reached(2, id)
	for i := range p.servers {
		p.servers[i].kill()
	}
	began, asked := time.Now(), len(p.model.Requests())
	p.servers[0] = launch(t, p.database, p.args...)
	for len(p.model.Requests()) == asked && time.Since(began) < time.Minute {
		time.Sleep(50 * time.Millisecond)
	}
	took := time.Since(began)
	t.Logf("it was taken up after %v", took.Round(100*time.Millisecond))
	if took >= time.Minute {
		t.Error("nobody took it up for a minute")
	}
	p.caller(0).eq("status", p.ends(id).text("status"), "completed")
}

// reached waits until the model was asked so often, or the dream has ended.
func (p *pairOf) reached(requests int, id string) {
	p.t.Helper()
	for len(p.model.Requests()) < requests {
		if a := p.caller(0).with(betaDreams).get("/v1/dreams/" + id); a.body["ended_at"] != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// accident has something happen to the servers; which of them works on the dream is
// not known, so most happen to both, one after the other.
func (p *pairOf) accident(round int, r *rand.Rand) string {
	p.t.Helper()
	first := r.IntN(2)
	switch round % 4 {
	case 0, 1:
		p.servers[first].kill()
		p.servers[first] = launch(p.t, p.database, p.args...)
		if r.IntN(2) == 0 {
			return "a kill"
		}
		p.servers[1-first].kill()
		p.servers[1-first] = launch(p.t, p.database, p.args...)
		return "a kill of both"
	case 2:
		var wg sync.WaitGroup
		for _, i := range []int{first, 1 - first} {
			if err := pause(p.servers[i].cmd.Process); err != nil {
				p.t.Fatal(err)
			}
			wg.Go(func() {
				time.Sleep(3 * time.Second) // longer than the lease
				if err := resume(p.servers[i].cmd.Process); err != nil {
					p.t.Error(err)
				}
			})
			time.Sleep(1500 * time.Millisecond)
		}
		wg.Wait()
		return "standing still"
	}
	if err := p.pg.Restart("immediate"); err != nil {
		p.t.Fatal(err)
	}
	return "a restart of the database"
}

// mend sees that both servers answer.
func (p *pairOf) mend() {
	p.t.Helper()
	for i := range p.servers {
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			if a, err := p.caller(i).try("GET", "/readyz", nil); err == nil && a.status == 200 {
				break
			}
			if time.Now().After(deadline) {
				p.t.Fatalf("server %d does not come back", i)
			}
		}
	}
}

// once wants that nothing in a store was written twice: a version for the copy, and at
// most one for what the dream made of it.
func (p *pairOf) once(store, kind string) {
	p.t.Helper()
	versions := map[string][]string{}
	for page := ""; ; {
		a := p.caller(0).get(stores + "/" + store + "/memory_versions?limit=100" + page)
		for _, v := range a.list() {
			versions[v.text("memory_id")] = append(versions[v.text("memory_id")], v.text("operation"))
		}
		next, more := a.body["next_page"].(string)
		if !more {
			break
		}
		page = "&page=" + next
	}
	for id, ops := range versions {
		if len(ops) > 2 || len(ops) == 2 && ops[0] == ops[1] {
			b, _ := json.Marshal(ops) // for the message
			p.t.Errorf("after %s the memory %s has the versions %s", kind, id, b)
		}
	}
}
