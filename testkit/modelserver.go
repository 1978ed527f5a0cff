// Package testkit is what tests are built from: a scripted model server on
// loopback, cases that lay out projects on disk, and a driver of the real client
// that tells what it sent. Only tests and tools import it.
package testkit

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Reply is one scripted answer of the model: a text, or one tool call.
type Reply struct {
	Text  string         // plain answer; ignored when Tool is set
	Tool  string         // name of the tool to call
	Input map[string]any // its arguments
}

// ModelServer speaks the Anthropic Messages wire form on loopback and answers
// from a script. Requests that carry tools take the next reply; side questions
// (requests without tools) always get the text "ok" and use up nothing.
type ModelServer struct {
	URL string

	mu       sync.Mutex
	script   []Reply
	requests []json.RawMessage
	srv      *http.Server
}

// NewModelServer listens on a free port of 127.0.0.1. Close stops it.
func NewModelServer(script ...Reply) (*ModelServer, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening on loopback: %w", err)
	}
	s := &ModelServer{URL: "http://" + ln.Addr().String(), script: script}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", s.countTokens)
	s.srv = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go s.srv.Serve(ln) //nolint:errcheck // ends with ErrServerClosed on Close
	return s, nil
}

// Close stops the server and drops open connections.
func (s *ModelServer) Close() error { return s.srv.Close() }

// Requests returns the bodies of all requests that carried tools, in order.
func (s *ModelServer) Requests() []json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]json.RawMessage(nil), s.requests...)
}

func (s *ModelServer) countTokens(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, map[string]any{"input_tokens": 1000})
}

func (s *ModelServer) messages(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var req struct {
		Model  string            `json:"model"`
		Stream bool              `json:"stream"`
		Tools  []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n, reply := s.next(body, len(req.Tools) > 0)
	if req.Stream {
		stream(w, req.Model, n, reply)
		return
	}
	writeJSON(w, message(req.Model, n, reply, true))
}

func (s *ModelServer) next(body []byte, withTools bool) (int, Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !withTools {
		return 0, Reply{Text: "ok"}
	}
	s.requests = append(s.requests, json.RawMessage(body))
	n := len(s.requests)
	if n > len(s.script) {
		return n, Reply{Text: "done"}
	}
	return n, s.script[n-1]
}

func block(n int, reply Reply, full bool) map[string]any {
	if reply.Tool == "" {
		text := reply.Text
		if !full {
			text = ""
		}
		return map[string]any{"type": "text", "text": text}
	}
	var input any = map[string]any{}
	if full {
		input = reply.Input
	}
	return map[string]any{"type": "tool_use", "id": fmt.Sprintf("toolu_%04d", n), "name": reply.Tool, "input": input}
}

func stopReason(reply Reply) string {
	if reply.Tool != "" {
		return "tool_use"
	}
	return "end_turn"
}

func message(model string, n int, reply Reply, full bool) map[string]any {
	m := map[string]any{
		"id": fmt.Sprintf("msg_%04d", n), "type": "message", "role": "assistant", "model": model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": 10, "output_tokens": 5},
	}
	if full {
		m["content"] = []any{block(n, reply, true)}
		m["stop_reason"] = stopReason(reply)
	}
	return m
}

func stream(w http.ResponseWriter, model string, n int, reply Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(name string, data map[string]any) {
		data["type"] = name
		b, _ := json.Marshal(data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
	}
	delta := map[string]any{"type": "text_delta", "text": reply.Text}
	if reply.Tool != "" {
		input, _ := json.Marshal(reply.Input)
		delta = map[string]any{"type": "input_json_delta", "partial_json": string(input)}
	}
	event("message_start", map[string]any{"message": message(model, n, reply, false)})
	event("content_block_start", map[string]any{"index": 0, "content_block": block(n, reply, false)})
	event("content_block_delta", map[string]any{"index": 0, "delta": delta})
	event("content_block_stop", map[string]any{"index": 0})
	event("message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": stopReason(reply), "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": 5},
	})
	event("message_stop", map[string]any{})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v) //nolint:errcheck // the peer hung up; the test sees it there
}
