//go:build agents

package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// model speaks as much of the Responses API and of Gemini's as a session needs. It
// calls the tool once, as call has it, and then says that it is done.
type model struct {
	*httptest.Server
	call map[string]any // what a client's wire form has for a call

	mu     sync.Mutex
	asked  int
	bodies []string
}

func newModel(t *testing.T, call map[string]any) *model {
	m := &model{call: call}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// sent is all that reached the model.
func (m *model) sent() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.bodies, "\n")
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	m.bodies = append(m.bodies, string(body))
	withTools := strings.Contains(string(body), `"functionDeclarations"`) || strings.Contains(string(body), `"tools"`)
	turn := m.asked
	if withTools {
		m.asked++
	}
	m.mu.Unlock()
	switch {
	case strings.HasSuffix(r.URL.Path, "/responses"):
		m.responses(w, turn)
	case strings.Contains(r.URL.Path, "treamGenerateContent"), strings.Contains(r.URL.Path, ":streamGenerate"):
		event(w, "", m.gemini(withTools, turn))
	case strings.Contains(r.URL.Path, "enerateContent"):
		_ = json.NewEncoder(w).Encode(m.gemini(withTools, turn)) // the client sees to it
	default:
		fmt.Fprint(w, `{"models":[],"data":[],"totalTokens":1}`)
	}
}

func event(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/event-stream")
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	text, _ := json.Marshal(data) // maps and strings
	fmt.Fprintf(w, "data: %s\n\n", text)
}

func (m *model) responses(w http.ResponseWriter, turn int) {
	type object = map[string]any
	item := object{"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": []any{object{"type": "output_text", "text": "done", "annotations": []any{}}}}
	if turn == 0 {
		item = m.call
	}
	event(w, "response.created", object{"type": "response.created", "response": object{"id": "r"}})
	event(w, "response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	event(w, "response.completed", object{"type": "response.completed", "response": object{
		"id": "r", "status": "completed", "output": []any{item}, "usage": object{
			"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
			"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
		},
	}})
}

func (m *model) gemini(withTools bool, turn int) any {
	type object = map[string]any
	part := object{"text": "done"}
	switch {
	case !withTools: // which model is to answer
		part = object{"text": `{"reasoning":"x","complexity_reasoning":"x","complexity_score":1,"model_choice":"flash"}`}
	case turn == 0:
		part = object{"functionCall": m.call}
	}
	return object{
		"candidates":    []any{object{"content": object{"role": "model", "parts": []any{part}}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	}
}
