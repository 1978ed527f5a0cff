package api

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/testkit/modelserver"
)

// gate is a model that answers nobody before it may, so that a dream is surely running.
type gate struct {
	mu    sync.Mutex
	let   chan struct{}
	asked chan struct{}
}

// answer is the script of the model.
func (g *gate) answer(modelserver.Request) modelserver.Step {
	g.mu.Lock()
	let := g.let
	g.mu.Unlock()
	select {
	case g.asked <- struct{}{}:
	default:
	}
	<-let
	return modelserver.Step{Text: `{"ops":[]}`}
}

// close has whoever asks from now on wait.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.let = make(chan struct{})
	select {
	case <-g.asked:
	default:
	}
}

// open lets all answers out.
func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.let:
	default:
		close(g.let)
	}
}

// held begins a dream and waits until it has asked the model.
func (g *gate) held(c caller, more object) (answer, string) {
	c.t.Helper()
	g.close()
	body := dreamBody(c, object{"model": "held"})
	for k, v := range more {
		body[k] = v
	}
	d := c.with(betaDreams).post("/v1/dreams", body)
	select {
	case <-g.asked:
	case <-time.After(time.Minute):
		c.t.Fatal("for a minute the dream did not ask its model")
	}
	return d, "/v1/dreams/" + d.text("id")
}

// What cases 65 and 66 say of dreams that run, and what may be asked about them: a dream
// by rules is over too soon to be sure of.
func TestDreamsThatAreRunning(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(*testing.T) string{"SQLite": sqlite, "PostgreSQL": postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := database(t)
			g := &gate{let: make(chan struct{}), asked: make(chan struct{}, 1)}
			m, err := modelserver.Start(g.answer)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				g.open()
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			})
			s := start(t, at, "--model", "held=anthropic:held@"+m.Base(modelserver.Anthropic))
			w := watch(t, s)
			for _, k := range []struct {
				says  string
				check func(g *gate, c caller)
			}{
				{"a dream is canceled while it runs", cancelsRunning},
				{"a dream is followed to its end", followsToTheEnd},
				{"a store is held until the dream in it has ended", holdsItsStore},
				{"a dream fails when a session of it is deleted", failsWithoutItsSession},
				{"a dream fails when its store is archived", failsWithoutItsStore},
			} {
				t.Run(k.says, func(t *testing.T) {
					k.check(g, caller{t: t, url: w.url, key: newKey(t, s.database, k.says), beta: betaMemory})
					g.open()
				})
			}
			for _, of := range goSDKs() {
				t.Run(of.name+" cancels a dream", func(t *testing.T) {
					c := caller{t: t, url: w.url, key: newKey(t, s.database, of.name), beta: betaMemory}
					d, _ := g.held(c, nil)
					of.make(t, w.url, c.key).cancel(d.text("id"))
					g.open()
				})
			}
		})
	}
}

func cancelsRunning(g *gate, c caller) {
	_, one := g.held(c, nil)
	c.beta = betaDreams
	now := c.get(one)
	c.eq("running", []any{now.text("status"), now.body["ended_at"], now.body["session_id"] != nil, len(now.body["outputs"].([]any))}, "[running <nil> true 1]")
	c.want(invalid, "POST", one+"/archive", nil)
	a := c.post(one+"/cancel", nil)
	c.eq("canceled", []any{a.text("status"), a.body["ended_at"] != nil}, "[canceled true]")
	c.eq("again", c.post(one+"/cancel", nil).text("ended_at"), a.text("ended_at"))
	g.open()
	c.eq("after the answer", c.get(one).text("status"), "canceled")
	c.with(betaMemory).get(stores + "/" + output(c.t, a)) // what it had is kept
	if c.post(one+"/archive", nil).body["archived_at"] == nil {
		c.t.Error("a canceled dream is not archived")
	}
}

// followsToTheEnd reads the stream of the session that tells of a dream.
func followsToTheEnd(g *gate, c caller) {
	_, one := g.held(c, nil)
	session := "/v1/sessions/" + c.with(betaDreams).get(one).text("session_id")
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+session+"/events/stream", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", c.key)
	req.Header.Set("anthropic-version", "2026-10-21")
	req.Header.Set("anthropic-beta", betaSessions)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		c.t.Fatalf("the stream answers %s", resp.Status)
	}
	g.open()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	told := 0
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			told++
			if strings.Contains(data, `"session.status_idle"`) {
				break
			}
		}
	}
	if told == 0 {
		c.t.Errorf("the stream told nothing: %v", lines.Err())
	}
	c.eq("status", finished(c, answer{body: object{"id": strings.TrimPrefix(one, "/v1/dreams/")}}).text("status"), "completed")
	if n := len(c.with(betaSessions).walk(session+"/events?limit=100", "id")); n < told {
		c.t.Errorf("%d events are listed, %d were told", n, told)
	}
	if c.with(betaSessions).get(session).body["archived_at"] == nil {
		c.t.Error("the session of a dream that ended is not archived")
	}
}

func holdsItsStore(g *gate, c caller) {
	s := c.store("S")
	c.memory(s, "/a.md", "We deploy on Fridays.\n")
	id := strings.TrimPrefix(s, stores+"/")
	in := object{"inputs": inputs(id, said(c, "Please remember: we deploy on Mondays.")), "output_behavior": object{"type": "update_existing", "memory_store_id": id}}
	d, _ := g.held(c, in)
	in["model"] = "held"
	a := c.with(betaDreams).want("409 conflict_error", "POST", "/v1/dreams", in)
	c.eq("x-should-retry", a.header.Get("x-should-retry"), "false")
	g.open()
	c.eq("status", finished(c, d).text("status"), "completed")
	c.eq("afterwards", finished(c, c.with(betaDreams).post("/v1/dreams", in)).text("status"), "completed")
}

func failsWithoutItsSession(g *gate, c caller) {
	d, _ := g.held(c, nil)
	session := d.body["inputs"].([]any)[1].(object)["session_ids"].([]any)[0].(string)
	c.with(betaSessions).want(fine, "DELETE", "/v1/sessions/"+session, nil)
	g.open()
	failed(c, d, "input_session_unavailable")
}

func failsWithoutItsStore(g *gate, c caller) {
	d, _ := g.held(c, nil)
	c.post(stores+"/"+d.body["inputs"].([]any)[0].(object)["memory_store_id"].(string)+"/archive", nil)
	g.open()
	failed(c, d, "input_memory_store_unavailable")
}

// failed wants that a dream ends as failed and leaves its output store.
func failed(c caller, d answer, kind string) {
	c.t.Helper()
	end := finished(c, d)
	fault, _ := end.body["error"].(object)
	c.eq("end", []any{end.text("status"), fault["type"]}, []any{"failed", kind})
	c.with(betaMemory).get(stores + "/" + output(c.t, end))
}
