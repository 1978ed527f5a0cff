// Package modelserver is a scripted model server on loopback. It speaks three wire
// forms, told apart by path: Anthropic Messages (/v1/messages), OpenAI chat
// completions (/v1/chat/completions, /v1/models) and Ollama (/api/chat), each at
// once or streamed, and it can fail and lie in all the ways that a real server and
// a hostile model can. Only tests and tools import it.
package modelserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Script says what to answer. It is called once a request, one at a time, in the
// order in which requests arrive.
type Script func(Request) Step

// Steps is a script that answers one step after the other, and the text "done"
// after the last.
func Steps(steps ...Step) Script {
	n := 0
	return func(Request) Step {
		if n >= len(steps) {
			return Step{Text: "done"}
		}
		n++
		return steps[n-1]
	}
}

// Always is a script that answers the same to everything.
func Always(s Step) Script { return func(Request) Step { return s } }

// Server is a model server. Its methods may be called at any time from any
// goroutine.
type Server struct {
	URL string // http://127.0.0.1:PORT, without a path

	script   Script
	srv      *http.Server
	listener net.Listener
	closed   chan struct{}
	hanging  chan struct{}

	mu       sync.Mutex
	requests []Request
	stopped  bool
	running  sync.WaitGroup
}

// Start listens on a free port of 127.0.0.1. Close stops it.
func Start(script Script) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening on loopback: %w", err)
	}
	s := &Server{
		URL: "http://" + ln.Addr().String(), script: script, listener: ln,
		closed: make(chan struct{}), hanging: make(chan struct{}, 64),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.answer(Anthropic))
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, object{"input_tokens": 1000})
	})
	mux.HandleFunc("POST /v1/chat/completions", s.answer(OpenAI))
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, object{"object": "list", "data": []object{
			{"id": "scripted", "object": "model", "created": created, "owned_by": "modelserver"},
		}})
	})
	mux.HandleFunc("POST /api/chat", s.answer(Ollama))
	s.srv = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	s.running.Go(func() { _ = s.srv.Serve(ln) }) // ends with ErrServerClosed on Close
	return s, nil
}

// Close stops the server, drops open connections, also those that hang, and waits
// until nothing of it runs any more.
func (s *Server) Close() error {
	s.mu.Lock()
	if !s.stopped {
		s.stopped = true
		close(s.closed)
	}
	s.mu.Unlock()
	err := s.srv.Close()
	s.running.Wait()
	return err
}

// Base is the address to give to a client of a wire form, as its own SDK wants
// it: with /v1 for OpenAI.
func (s *Server) Base(f Form) string {
	if f == OpenAI {
		return s.URL + "/v1"
	}
	return s.URL
}

// Requests returns what was asked so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Hanging receives once for each request that a step keeps waiting: a test waits
// for it where it would else have to sleep.
func (s *Server) Hanging() <-chan struct{} { return s.hanging }

// enter counts a running answer, so that Close can wait for it.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return false
	}
	s.running.Add(1)
	return true
}

// maxRequest in bytes is more than any client of ours sends.
const maxRequest = 64 << 20

func (s *Server) answer(form Form) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.enter() {
			return
		}
		defer s.running.Done()
		body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
		if err != nil {
			return // the client hung up
		}
		req, err := read(form, r.Header, body)
		if err != nil {
			writeJSON(w, http.StatusBadRequest, refusal(form, "invalid_request_error", "the body is no request: "+err.Error()))
			return
		}
		s.mu.Lock()
		req.N = len(s.requests) + 1
		s.requests = append(s.requests, req)
		step := s.script(req)
		s.mu.Unlock()
		s.play(w, r, req, step)
	}
}

// play answers with a step, faults included.
func (s *Server) play(w http.ResponseWriter, r *http.Request, req Request, step Step) {
	switch f := step.Fault; {
	case f == Hang:
		s.hang(r)
	case f == Redirect:
		w.Header().Set("Location", step.Location)
		w.WriteHeader(http.StatusTemporaryRedirect)
	case f == Huge:
		writeHuge(w)
	case f == NotJSON:
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html><body>Bad gateway "+r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")+"</body></html>")
	case f.status() != 0:
		s.refuse(w, r, req.Form, step)
	default:
		s.reply(w, r, req, step)
	}
}

// reply writes the answer whole, or as much of it as the fault lets through.
func (s *Server) reply(w http.ResponseWriter, r *http.Request, req Request, step Step) {
	var b bytes.Buffer
	contentType := "application/json"
	if req.Stream {
		contentType = req.Form.streamType()
		stream(&b, req, step)
	} else {
		whole(&b, req, step)
	}
	out := b.Bytes()
	w.Header().Set("Content-Type", contentType)
	switch step.Fault {
	case Cut, HangMidway:
		// Without a length, and then not ended as chunks should be.
		_, _ = w.Write(out[:len(out)/2])
		_ = http.NewResponseController(w).Flush()
		if step.Fault == HangMidway {
			s.hang(r)
		}
		panic(http.ErrAbortHandler) // the server's way to drop a connection
	case Truncated:
		// Ended in good order, as by a proxy that lost the rest.
		out = out[:len(out)/2]
	}
	_, _ = w.Write(out) // the client hung up; the test sees it there
}

func (s *Server) hang(r *http.Request) {
	select {
	case s.hanging <- struct{}{}:
	default:
	}
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
}

// refuse answers with an error status. The body echoes the key, as careless
// servers do: it must not come out anywhere.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, form Form, step Step) {
	if step.RetryAfter != "" {
		w.Header().Set("Retry-After", step.RetryAfter)
	}
	key := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key")
	writeJSON(w, step.Fault.status(), refusal(form, step.Fault.kind(), "refused for "+key))
}

// writeHuge sends 32 MiB: four times what a client should take.
func writeHuge(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"`)
	block := bytes.Repeat([]byte("x"), 64<<10)
	for range 32 << 20 / len(block) {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

type object = map[string]any

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client hung up; the test sees it there
}
