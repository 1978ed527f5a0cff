package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dormouse/store"
	"dormouse/syncer"
)

const secret = "sk-ant-api03-kept"

// bench is a server of a test, a client of it, and how long that client waited.
type bench struct {
	*Client
	server *httptest.Server
	mu     sync.Mutex // of what follows
	got    []*http.Request
	waited []time.Duration
}

// newBench answers the n-th request with the n-th handler, and further ones with the last.
func newBench(t *testing.T, handlers ...http.HandlerFunc) *bench {
	t.Helper()
	b := &bench{}
	b.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.got = append(b.got, r)
		n := len(b.got)
		b.mu.Unlock()
		handlers[min(n, len(handlers))-1](w, r)
	}))
	t.Cleanup(b.server.Close)
	var err error
	b.Client, err = New(Config{Base: b.server.URL, Key: secret, Client: b.server.Client(), Sleep: func(_ context.Context, d time.Duration) error {
		b.waited = append(b.waited, d)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) asked() []*http.Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.got
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for n := 0; n < len(headers); n += 2 {
			w.Header().Set(headers[n], headers[n+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // the client has hung up, or not
	}
}

func failing(status int, kind string, headers ...string) http.HandlerFunc {
	return answer(status, fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":"no"},"request_id":null}`, kind), headers...)
}

const fine = `{"type":"memory_store","id":"memstore_1","name":"notes","archived_at":null}`

// hangUp takes the request and never answers: the answer is lost on its way.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = c.Close() // that is the point
	}
}

func TestARequestIsThatOfTheSDK(t *testing.T) {
	t.Parallel()
	b := newBench(t, answer(200, fine))
	if _, err := b.Open(t.Context(), "memstore_1"); err != nil {
		t.Fatal(err)
	}
	h := b.asked()[0].Header
	for name, want := range map[string]string{
		"Anthropic-Version": "2026-10-21", "Anthropic-Beta": "agent-memory-2026-07-22", "Authorization": "Bearer " + secret, "Content-Type": "", "X-Api-Key": "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestWhatCanHelpIsAskedAgain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		first    http.HandlerFunc
		requests int
		wait     time.Duration // at least
	}{
		{"a lost answer", hangUp, 2, 500 * time.Millisecond},
		{"a server in trouble", failing(503, "api_error"), 2, 500 * time.Millisecond},
		{"a time limit", failing(408, "timeout_error"), 2, 0},
		{"too many requests, in seconds", failing(429, "rate_limit_error", "Retry-After", "7"), 2, 7 * time.Second},
		{"too many requests, in milliseconds", failing(429, "rate_limit_error", "Retry-After-Ms", "1500", "Retry-After", "9"), 2, 1500 * time.Millisecond},
		{"too many requests for longer than anybody waits", failing(429, "rate_limit_error", "Retry-After", "900"), 1, 0},
		{"a conflict that may pass", failing(409, "memory_path_conflict_error"), 2, 0},
		{"a conflict that stays", failing(409, "memory_precondition_failed_error", "X-Should-Retry", "false"), 1, 0},
		{"trouble that the server says will stay", failing(500, "api_error", "X-Should-Retry", "false"), 1, 0},
		{"a request that the server wants again", failing(400, "invalid_request_error", "X-Should-Retry", "true"), 2, 0},
		{"a wrong key", failing(401, "authentication_error"), 1, 0},
		{"half an answer", answer(200, `{"id":`), 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, tt.first, answer(200, fine))
			s, err := b.Create(t.Context(), "notes")
			if len(b.asked()) != tt.requests || (err == nil) != (tt.requests == 2) || err == nil && s.ID != "memstore_1" {
				t.Errorf("%d requests, %+v, %v", len(b.asked()), s, err)
			}
			if tt.requests == 2 && (len(b.waited) != 1 || b.waited[0] < tt.wait) {
				t.Errorf("waited %v, want %v", b.waited, tt.wait)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Error("the error holds the key")
			}
		})
	}
}

func TestAServerThatNeverRecoversIsGivenUp(t *testing.T) {
	t.Parallel()
	b := newBench(t, failing(500, "api_error"))
	if _, err := b.Open(t.Context(), "memstore_1"); err == nil || len(b.asked()) != tries {
		t.Errorf("%d requests, %v", len(b.asked()), err)
	}
}

func TestTheKeyGoesNowhereElse(t *testing.T) {
	t.Parallel()
	elsewhere := newBench(t, answer(200, fine))
	b := newBench(t, answer(307, "", "Location", elsewhere.server.URL))
	if _, err := b.Open(t.Context(), "memstore_1"); err == nil || !strings.Contains(err.Error(), "leads elsewhere") || len(elsewhere.asked()) != 0 {
		t.Errorf("%v, and %d requests elsewhere", err, len(elsewhere.asked()))
	}
	for base, want := range map[string]string{
		"http://example.com": "in the clear", "ftp://127.0.0.1": "in the clear", "": "no address", "here": "no address", "https://user:word@example.com": "no address", "https://example.com?x=1": "no address",
	} {
		if _, err := New(Config{Base: base, Key: secret}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", base, err)
		}
	}
	for _, base := range []string{"http://127.0.0.1:1", "http://[::1]:1", "http://localhost", "https://example.com/proxy/"} {
		if _, err := New(Config{Base: base, Key: secret}); err != nil {
			t.Error(err)
		}
	}
	for _, key := range []string{"", "a\nb", "a b", "ключ"} {
		if _, err := New(Config{Base: "https://example.com", Key: key}); err == nil || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestAMemoryWhoseAnswerWasLostIsFound(t *testing.T) {
	t.Parallel()
	mine := memory{ID: "mem_1", Path: "/a.md", Hash: store.HashOf([]byte("a\n"))}
	list := func(m memory) http.HandlerFunc {
		b, _ := json.Marshal(map[string]any{"data": []memory{m}, "next_page": nil})
		return answer(200, string(b))
	}
	conflict := failing(409, "memory_path_conflict_error", "X-Should-Retry", "false")
	b := newBench(t, hangUp, conflict, list(mine))
	if m, err := b.create(t.Context(), "memstore_1", "/a.md", []byte("a\n")); err != nil || m.ID != "mem_1" {
		t.Errorf("%+v %v", m, err)
	}
	other := mine
	other.Hash = store.HashOf([]byte("b\n"))
	b = newBench(t, hangUp, conflict, list(other))
	if _, err := b.create(t.Context(), "memstore_1", "/a.md", []byte("a\n")); !errors.Is(err, syncer.ErrChanged) {
		t.Errorf("somebody else's: %v", err)
	}
	b = newBench(t, hangUp, failing(404, "not_found_error"))
	if err := b.remove(t.Context(), "memstore_1", mine); err != nil {
		t.Errorf("removed by the try before: %v", err)
	}
	b = newBench(t, failing(404, "not_found_error"))
	if err := b.remove(t.Context(), "memstore_1", mine); !errors.Is(err, syncer.ErrGone) {
		t.Errorf("removed by somebody: %v", err)
	}
}

func TestAHostileListIsRefused(t *testing.T) {
	t.Parallel()
	item := func(path string) string {
		return fmt.Sprintf(`{"type":"memory","id":"mem_%d","path":%q,"content_sha256":"x"}`, len(path), path)
	}
	for name, h := range map[string]http.HandlerFunc{
		"one that never ends":              answer(200, `{"data":[`+item("/a.md")+`],"next_page":"page_1"}`),
		"an empty page before another one": answer(200, `{"data":[],"next_page":"page_1"}`),
		"one path twice":                   answer(200, `{"data":[`+item("/a.md")+`,`+item("/a.md")+`],"next_page":null}`),
		"a path without a root":            answer(200, `{"data":[`+item("a.md")+`],"next_page":null}`),
		"no JSON":                          answer(200, `<html>`),
	} {
		b := newBench(t, h)
		if files, err := b.Side("memstore_1").List(t.Context()); err == nil {
			t.Errorf("%s: %+v", name, files)
		}
	}
}

func TestWhatIsNoNoteIsTold(t *testing.T) {
	t.Parallel()
	for rel, note := range map[string]bool{
		"a.md": true, "sub/b.md": true, "Ä b.md": true, "a.txt": false, "a": false, ".a.md": false, ".git/a.md": false, "sub/.a.md": false, "../a.md": false, "sub/MEMORY.md": false, "a/../b.md": false,
	} {
		if got := noNote(rel); (got == "") != note {
			t.Errorf("%s: %q", rel, got)
		}
	}
}

func TestATextThatIsNotWhatTheListSaidIsLeftOut(t *testing.T) {
	t.Parallel()
	b := newBench(t, answer(200, `{"type":"memory","id":"mem_1","path":"/a.md","content":"poison","content_sha256":"`+store.HashOf([]byte("a\n"))+`"}`))
	got, err := b.Side("memstore_1").Read(t.Context(), []syncer.File{{Path: "a.md", ID: "mem_1", Hash: store.HashOf([]byte("a\n"))}})
	if err != nil || len(got) != 0 {
		t.Errorf("%q %v", got, err)
	}
}

func TestAfterALostConnectionTheRestIsNotTried(t *testing.T) {
	t.Parallel()
	b := newBench(t, hangUp)
	got := b.Side("memstore_1").Apply(t.Context(), []syncer.Change{
		{Path: "big.md", Text: make([]byte, maxContent+1)}, {Path: "a.md", Text: []byte("a\n")}, {Path: "b.md", Text: []byte("b\n")},
	})
	if len(b.asked()) != tries || got[0].Err == nil || got[1].Err == nil || got[2].Err == nil || !strings.Contains(got[2].Err.Error(), "not sent") {
		t.Errorf("%d requests, %+v", len(b.asked()), got)
	}
}

func TestANameIsAStoreOnlyIfOneHasIt(t *testing.T) {
	t.Parallel()
	missing := failing(404, "not_found_error")
	store := func(id, archived string) string {
		return `{"id":"` + id + `","name":"notes","archived_at":` + archived + `}`
	}
	for name, tt := range map[string]struct{ list, id, says string }{
		"one":                 {store("memstore_1", "null"), "memstore_1", ""},
		"one, and an old one": {store("memstore_1", "null") + "," + store("memstore_2", `"2026-01-01T00:00:00Z"`), "memstore_1", ""},
		"two":                 {store("memstore_1", "null") + "," + store("memstore_2", "null"), "", "2 stores"},
		"none":                {"", "", "no such store"},
	} {
		b := newBench(t, missing, answer(200, `{"data":[`+tt.list+`],"next_page":null}`))
		s, err := b.Open(t.Context(), "notes")
		if s.ID != tt.id || (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %+v %v", name, s, err)
		}
	}
}
