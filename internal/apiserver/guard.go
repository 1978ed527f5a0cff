package apiserver

import (
	"context"
	"crypto/sha256"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"dormouse/internal/apiserver/wire"
)

// scope says which beta headers an operation wants.
type scope int

const (
	managed scope = iota // sessions, agents, environments
	memory
	dreaming
)

// Beta headers, as the SDKs send them by themselves.
const (
	betaManaged = "managed-agents-2026-04-01"
	betaMemory  = "agent-memory-2026-07-22"
	betaDreams  = "dreaming-2026-04-21"
)

func checkBetas(headers []string, s scope, allowMissing bool) error {
	has := map[string]bool{}
	for _, h := range headers {
		for b := range strings.SplitSeq(h, ",") {
			has[strings.TrimSpace(b)] = true
		}
	}
	switch {
	case s == memory && has[betaMemory] && has[betaManaged]:
		return wire.Invalid("anthropic-beta has both " + betaMemory + " and " + betaManaged + ": memory stores take one of them")
	case allowMissing,
		s == memory && (has[betaMemory] || has[betaManaged]),
		s == dreaming && has[betaDreams],
		s == managed && has[betaManaged]:
		return nil
	}
	want := map[scope]string{managed: betaManaged, memory: betaMemory, dreaming: betaDreams}[s]
	return wire.Invalid("this endpoint needs the header anthropic-beta: " + want)
}

// keyOf reads the key: X-Api-Key, or a bearer token. Two that differ are refused.
func keyOf(r *http.Request) (string, error) {
	key := r.Header.Get("X-Api-Key")
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") {
		if token = strings.TrimSpace(token); key == "" {
			key = token
		} else if token != key {
			return "", &wire.Error{Status: http.StatusUnauthorized, Type: wire.Authentication, Message: "x-api-key and authorization hold different keys"}
		}
	}
	if key == "" {
		return "", &wire.Error{Status: http.StatusUnauthorized, Type: wire.Authentication, Message: "a key is missing: send it as x-api-key, or as authorization: Bearer"}
	}
	return key, nil
}

// keyring remembers for a few seconds whom keys let in, by their hashes.
type keyring struct {
	enter func(context.Context, string) (Who, error)
	mu    sync.Mutex
	known map[[32]byte]entered
}

type entered struct {
	who   Who
	until time.Time
}

// A key that is revoked lets in for this long yet.
const keyringFor = 5 * time.Second

func newKeyring(enter func(context.Context, string) (Who, error)) *keyring {
	return &keyring{enter: enter, known: map[[32]byte]entered{}}
}

func (k *keyring) get(ctx context.Context, key string) (Who, error) {
	h := sha256.Sum256([]byte(key))
	now := time.Now()
	k.mu.Lock()
	e, ok := k.known[h]
	k.mu.Unlock()
	if ok && now.Before(e.until) {
		return e.who, nil
	}
	who, err := k.enter(ctx, key)
	if err != nil {
		return Who{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.known) > 10_000 {
		clear(k.known)
	}
	k.known[h] = entered{who, now.Add(keyringFor)}
	return who, nil
}

// rates bounds how often each key asks, and each address with keys that let nobody in.
type rates struct {
	rate  rate.Limit
	burst int
	mu    sync.Mutex
	of    map[string]*rate.Limiter
}

func newRates(r float64, burst int) *rates {
	return &rates{rate: rate.Limit(r), burst: max(burst, 1), of: map[string]*rate.Limiter{}}
}

// take takes one request from an allowance; what it returns is how long to wait.
func (r *rates) take(name string) time.Duration {
	if r.rate <= 0 {
		return 0
	}
	r.mu.Lock()
	l := r.of[name]
	if l == nil {
		if len(r.of) > 10_000 {
			clear(r.of)
		}
		l = rate.NewLimiter(r.rate, r.burst)
		r.of[name] = l
	}
	r.mu.Unlock()
	res := l.Reserve()
	wait := res.Delay()
	if wait > 0 {
		res.Cancel()
	}
	return wait
}

// note is what is known of a request when it is answered.
type note struct {
	route  string
	status int
}

type noteKey struct{}

func noteOf(ctx context.Context) *note {
	n, _ := ctx.Value(noteKey{}).(*note)
	return n
}

// recorder keeps the status of an answer.
type recorder struct {
	http.ResponseWriter
	note *note
}

func (r *recorder) WriteHeader(status int) {
	if r.note.status == 0 {
		r.note.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// ServeHTTP gives the request an id, refuses what does not come from where it may,
// and hands it on.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	id := wire.NewID(wire.RequestID)
	n := &note{route: "other"}
	rec := &recorder{w, n}
	h := w.Header()
	h.Set("request-id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	if r.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	r, watched := s.c.Watch(r.WithContext(context.WithValue(r.Context(), noteKey{}, n)))
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler { //nolint:errorlint // it is panicked with itself
				watched(n.route, n.status)
				panic(p)
			}
			s.c.Log.Error("a request made the server panic", "request_id", id, "panic", p, "stack", string(debug.Stack()))
			if n.status == 0 {
				s.fail(rec, r, &wire.Error{Status: http.StatusInternalServerError, Type: wire.API, Message: "the server failed; its log has more under this request's id"})
			}
		}
		took := time.Since(begin)
		watched(n.route, n.status)
		s.c.Log.Info("request", "request_id", id, "method", r.Method, "route", n.route, "status", n.status, "ms", float64(took.Microseconds())/1000)
	}()
	if e := s.from(r, h); e != nil {
		s.fail(rec, r, e)
		return
	}
	if r.Method == http.MethodOptions && r.Header.Get("Origin") != "" {
		rec.WriteHeader(http.StatusNoContent)
		return
	}
	s.mux.ServeHTTP(rec, r)
}

// from refuses a request to a name that is not this server's (so that no web page can
// rename itself into this machine), and one of a web page that may not ask.
func (s *Server) from(r *http.Request, h http.Header) *wire.Error {
	host := strings.ToLower(r.Host)
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	// A name may end in a dot, which says that it is whole.
	name = strings.TrimSuffix(name, ".")
	if !s.hosts[host] && !s.hosts[name] {
		return &wire.Error{Status: http.StatusMisdirectedRequest, Type: wire.InvalidRequest, Message: "this server is not known by the name of the Host header: allow it with --host"}
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return nil
	}
	if !s.origins[origin] {
		return &wire.Error{Status: http.StatusForbidden, Type: wire.Permission, Message: "pages of this origin may not ask: allow it with --allow-origin"}
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Vary", "Origin")
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "authorization, x-api-key, anthropic-version, anthropic-beta, anthropic-workspace-id, content-type")
	h.Set("Access-Control-Expose-Headers", "request-id, retry-after, x-should-retry")
	return nil
}
