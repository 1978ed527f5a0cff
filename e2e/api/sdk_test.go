package api

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

// journeys are what each SDK is made to do.
type journeys interface {
	stores()
	memories() // and their versions
	sessions() // and events, agents, environments
	dreams()
	// cancel ends a dream that runs.
	cancel(dream string)
	// once makes one call: "read", "change" or "create".
	once(call string, memory, store string) error
}

type goSDK struct {
	name string
	make func(t *testing.T, url, key string) journeys
}

func goSDKs() []goSDK { return []goSDK{{"Go v1", newGoV1}, {"Go v2", newGoV2}} }

func TestBothGoSDKsAreAskedTheSame(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	want := strings.NewReplacer("anthropic-sdk-go/v2", "anthropic-sdk-go", "V2", "V1", "gov1_test.go is", "gov2_test.go is").Replace(read("gov2_test.go"))
	if read("gov1_test.go") != want {
		t.Error("gov1_test.go is not gov2_test.go with the other SDK")
	}
}

func TestGoSDKs(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, s *server) {
		dreams := offersDreams(t, s)
		for _, g := range goSDKs() {
			t.Run(g.name, func(t *testing.T) {
				w := watch(t, s)
				key := func(workspace string) string { return newKey(t, s.database, g.name+workspace) }
				t.Run("stores", func(t *testing.T) { g.make(t, w.url, key("stores")).stores() })
				t.Run("memories", func(t *testing.T) { g.make(t, w.url, key("memories")).memories() })
				t.Run("sessions", func(t *testing.T) { g.make(t, w.url, key("sessions")).sessions() })
				t.Run("dreams", func(t *testing.T) {
					if !dreams {
						t.Skip("this server offers no dreams")
					}
					g.make(t, w.url, key("dreams")).dreams()
				})
				if !t.Failed() {
					wantAllAsked(t, s, w)
				}
			})
		}
	})
}

// wantAllAsked wants that every operation of the served document was answered with
// 200, but for those that can't be.
func wantAllAsked(t *testing.T, s *server, w *watched) {
	t.Helper()
	never := []string{
		"POST /v1/sessions/{session}/events/import",                                                // no SDK has it
		"POST /v1/sessions/{session}/resources", "GET /v1/sessions/{session}/resources/{resource}", // there are no others than stores
		"POST /v1/sessions/{session}/resources/{resource}", "DELETE /v1/sessions/{session}/resources/{resource}",
		"GET /v1/sessions/{session}/threads/{thread}", // no agent runs
		"POST /v1/dreams/{dream}/cancel",              // the one that is asked about here has ended
	}
	ops := served(t, s)
	for _, op := range ops {
		method, template, _ := strings.Cut(op, " ")
		asked := slices.ContainsFunc(w.answered(), func(r string) bool {
			m, path, _ := strings.Cut(r, " ")
			// What has a literal where another has a variable is the closer one.
			return m == method && fits(template, path) && !slices.ContainsFunc(ops, func(o string) bool {
				return o != op && strings.HasPrefix(o, method+" ") && strings.Count(o, "{") < strings.Count(op, "{") && fits(strings.TrimPrefix(o, method+" "), path)
			})
		})
		if asked == slices.Contains(never, op) {
			t.Errorf("%s was answered with 200: %v", op, asked)
		}
	}
}

// served are the operations that the server says it has, as "METHOD /path".
func served(t *testing.T, s *server) []string {
	t.Helper()
	resp, err := http.Get(s.url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var doc struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	var out []string
	for p, methods := range doc.Paths {
		for m := range methods {
			if ours(p) {
				out = append(out, strings.ToUpper(m)+" "+p)
			}
		}
	}
	slices.Sort(out)
	if len(out) < 30 {
		t.Fatalf("the document has %d operations", len(out))
	}
	return out
}

// A conflict that is final is asked once; what may pass is asked again.
func TestGoSDKsRepeatWhatMayPass(t *testing.T) {
	t.Parallel()
	s := start(t, sqlite(t))
	const read, change, create = "read", "change", "create"
	busy := func(status int) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"type":"error","error":{"type":"api_error","message":"busy"},"request_id":null}`)) // who asked may be gone
			return true
		}
	}
	for _, g := range goSDKs() {
		v2 := g.name == "Go v2"
		for _, k := range []struct {
			says   string
			call   string
			before func(http.ResponseWriter, *http.Request) bool
			lose   bool
			asked  int
			fails  bool
		}{
			{"a read that is refused for now", read, busy(http.StatusTooManyRequests), false, 2, false},
			{"a read of a server that failed", read, busy(http.StatusInternalServerError), false, 2, false},
			{"a read whose answer is lost", read, nil, true, 2, false},
			// Generation 2 does not repeat what may have been done.
			{"a creation whose answer is lost", create, nil, true, map[bool]int{false: 2, true: 1}[v2], true},
			{"a creation where something is", create, nil, false, 1, true},
			{"a change whose answer is lost", change, nil, true, 2, false},
		} {
			t.Run(g.name+" "+k.says, func(t *testing.T) {
				c := caller{t: t, url: s.url, key: newKey(t, s.database, g.name+k.says), beta: betaMemory}
				store := c.store("S")
				m, _ := c.memory(store, "/a", "x")
				if k.call == create && !k.lose {
					c.memory(store, "/once", "y")
				}
				w := watch(t, s)
				first := func() bool { return w.count() == 1 }
				if k.before != nil {
					w.before = func(rw http.ResponseWriter, r *http.Request) bool { return first() && k.before(rw, r) }
				}
				w.lose = func(*http.Request) bool { return k.lose && first() }
				err := g.make(t, w.url, c.key).once(k.call, m.text("id"), strings.TrimPrefix(store, stores+"/"))
				if (err != nil) != k.fails {
					t.Errorf("%v", err)
				}
				if asked := w.requests(); len(asked) != k.asked {
					t.Errorf("%d requests, want %d: %v", len(asked), k.asked, asked)
				}
			})
		}
	}
}
