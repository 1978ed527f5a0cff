package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"dormouse/internal/apiserver/wire"
)

// Config is what a server is made of.
type Config struct {
	Backend Backend
	// Enter tells who a key lets in; an error that wraps ErrKey lets nobody in.
	Enter func(ctx context.Context, key string) (Who, error)
	// Ready tells whether requests can be answered; nil: they can.
	Ready func(ctx context.Context) error
	// Import reads a session log of any host; nil: logs are refused.
	Import func(io.Reader) ([]Event, error)
	// Models tells what is wrong with the model that a dream asks for, nil if nothing
	// is; nil: nobody carries dreams out, and they are not offered.
	Models func(id string) error
	// Hosts are the names by which the server is reached, with or without a port; the
	// address that it listens on belongs to them.
	Hosts []string
	// Origins are the web pages that may ask; none usually.
	Origins []string
	// Rate and Burst bound the requests of a key, a second and at once; 0: not.
	Rate  float64
	Burst int
	// MaxBody bounds a request, in bytes; 0: 4 MiB. MaxImport bounds a log.
	MaxBody, MaxImport int64
	Switches           Switches
	Log                *slog.Logger // without content, keys and paths of memories
	// Watch is told of a request when it comes, and of its answer: the route as in the
	// OpenAPI document, or "other". What it returns is handled in place of the request.
	Watch func(r *http.Request) (*http.Request, func(route string, status int))
	// Stop ends the streams of events, so that the server can.
	Stop <-chan struct{}
	// Version is the program's.
	Version string
}

// Server answers requests.
type Server struct {
	c       Config
	mux     *http.ServeMux
	ops     []operation
	hosts   map[string]bool
	origins map[string]bool
	keys    *keyring
	rates   *rates
	once    sync.Once
	doc     []byte
}

// New makes a server.
func New(c Config) *Server {
	if c.MaxBody == 0 {
		c.MaxBody = 4 << 20
	}
	if c.MaxImport == 0 {
		c.MaxImport = 256 << 20
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Ready == nil {
		c.Ready = func(context.Context) error { return nil }
	}
	if c.Watch == nil {
		c.Watch = func(r *http.Request) (*http.Request, func(string, int)) { return r, func(string, int) {} }
	}
	s := &Server{c: c, mux: http.NewServeMux(), hosts: set(c.Hosts), origins: set(c.Origins), keys: newKeyring(c.Enter), rates: newRates(c.Rate, c.Burst)}
	s.ops = s.operations()
	for i := range s.ops {
		s.mux.Handle(s.ops[i].method+" "+s.ops[i].path, s.serve(&s.ops[i]))
	}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		s.write(w, nil, http.StatusOK, map[string]string{"status": "ok"})
	})
	s.mux.HandleFunc("GET /readyz", s.readyz)
	s.mux.HandleFunc("GET /openapi.json", s.openapi)
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, &wire.Error{Status: http.StatusNotFound, Type: wire.NotFound, Message: "there is nothing at this address"})
	})
	return s
}

func set(names []string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := s.c.Ready(ctx); err != nil {
		s.c.Log.Error("not ready", "error", err)
		s.write(w, r, http.StatusServiceUnavailable, map[string]string{"status": "not ready"})
		return
	}
	s.write(w, r, http.StatusOK, map[string]string{"status": "ready"})
}

// operation is an endpoint: what the routes and the OpenAPI document are made of.
type operation struct {
	method, path, id, summary, tag string
	scope                          scope
	query                          []parameter
	in, out                        any // values of the types of the bodies; nil: none
	do                             func(*call) (any, error)
	stream                         func(*call, http.ResponseWriter) error // in place of do
	maxBody                        int64
}

// call is one request to an operation.
type call struct {
	s    *Server
	r    *http.Request
	who  Who
	body []byte
}

func (c *call) ctx() context.Context { return c.r.Context() }

func (c *call) id(name string) string { return c.r.PathValue(name) }

// serve checks who asks and for what, carries the operation out, and answers.
func (s *Server) serve(op *operation) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if note := noteOf(r.Context()); note != nil {
			note.route = op.path
		}
		c, err := s.admit(op, w, r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if op.stream != nil {
			if err := op.stream(c, w); err != nil {
				s.fail(w, r, err)
			}
			return
		}
		out, err := op.do(c)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		s.write(w, r, http.StatusOK, out)
	})
}

func (s *Server) admit(op *operation, w http.ResponseWriter, r *http.Request) (*call, error) {
	key, err := keyOf(r)
	if err != nil {
		return nil, err
	}
	who, err := s.keys.get(r.Context(), key)
	if errors.Is(err, ErrKey) {
		return nil, &wire.Error{Status: http.StatusUnauthorized, Type: wire.Authentication, Message: "the key is unknown or was revoked"}
	}
	if err != nil {
		return nil, err
	}
	if id := r.Header.Get("anthropic-workspace-id"); id != "" && id != who.Workspace {
		return nil, &wire.Error{Status: http.StatusForbidden, Type: wire.Permission, Message: "the key does not belong to the workspace of anthropic-workspace-id"}
	}
	if wait := s.rates.take(who.Actor.APIKey); wait > 0 {
		seconds := int(wait/time.Second) + 1
		return nil, &wire.Error{Status: http.StatusTooManyRequests, Type: wire.RateLimit, Message: "too many requests with this key: wait " + strconv.Itoa(seconds) + " s", RetryAfter: seconds}
	}
	if err := checkBetas(r.Header.Values("anthropic-beta"), op.scope, s.c.Switches.AllowMissingBeta); err != nil {
		return nil, err
	}
	c := &call{s: s, r: r, who: who}
	limit := s.c.MaxBody
	if op.maxBody > 0 {
		limit = op.maxBody
	}
	c.body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, &wire.Error{Status: http.StatusRequestEntityTooLarge, Type: wire.InvalidRequest, Message: "the request is larger than " + strconv.FormatInt(limit, 10) + " bytes", Again: new(false)}
	}
	if err != nil {
		return nil, wire.Invalid("the request ended too early")
	}
	return c, nil
}

// write sends an answer as JSON.
func (s *Server) write(w http.ResponseWriter, r *http.Request, status int, v any) {
	b, err := encoded(v)
	if err != nil {
		if r != nil {
			s.fail(w, r, err)
		}
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // who asked may be gone
}

// encoded is a body as JSON.
func encoded(v any) ([]byte, error) {
	if a, ok := v.(interface{ AppendJSON([]byte) ([]byte, bool) }); ok {
		if b, ok := a.AppendJSON(make([]byte, 0, 64<<10)); ok {
			return b, nil
		}
	}
	return json.Marshal(v)
}

// fail sends an error. What is the server's own is logged, and the client is told the
// id of the request alone.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	e, ok := errors.AsType[*wire.Error](err)
	if !ok {
		if r.Context().Err() != nil {
			e = &wire.Error{Status: 499, Type: wire.Timeout, Message: "the client went away"}
		} else {
			s.c.Log.Error("a request failed", "request_id", w.Header().Get("request-id"), "error", err)
			e = &wire.Error{Status: http.StatusInternalServerError, Type: wire.API, Message: "the server failed; its log has more under this request's id"}
		}
	}
	h := w.Header()
	if e.Again != nil {
		h.Set("x-should-retry", strconv.FormatBool(*e.Again))
	}
	if e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	env := wire.Envelope{Type: "error", Error: e}
	if id := h.Get("request-id"); id != "" {
		env.RequestID = &id
	}
	s.write(w, r, e.Status, env)
}
