package modelserver

import (
	"encoding/json"
	"fmt"
	"io"
)

// created is the time in all answers: a fixed one, so that two runs are alike.
const created = 1790000000

// One event of a stream carries pieceSize runes of a text, and of a long one as
// many as make maxPieces.
const (
	pieceSize = 9
	maxPieces = 500
)

func pieces(s string) []string {
	var out []string
	runes := []rune(s)
	for size := max(pieceSize, len(runes)/maxPieces); len(runes) > 0; {
		n := min(size, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

func (c Call) id(req Request, i int) string {
	if c.ID != "" {
		return c.ID
	}
	return fmt.Sprintf("call_%04d_%d", req.N, i)
}

// rawInput is what goes out where the form wants a JSON value: broken input is a
// string there, or the whole answer would be none.
func (c Call) rawInput() json.RawMessage {
	if json.Valid([]byte(c.Input)) {
		return json.RawMessage(c.Input)
	}
	b, _ := json.Marshal(c.Input)
	return b
}

func whole(w io.Writer, req Request, s Step) {
	var v object
	switch req.Form {
	case Anthropic:
		v = anthropicMessage(req, s, true)
	case OpenAI:
		v = openaiMessage(req, s)
	case Ollama:
		v = ollamaMessage(req, s, s.text(), true)
	}
	_ = json.NewEncoder(w).Encode(v)
}

func stream(w io.Writer, req Request, s Step) {
	switch req.Form {
	case Anthropic:
		anthropicStream(w, req, s)
	case OpenAI:
		openaiStream(w, req, s)
	case Ollama:
		ollamaStream(w, req, s)
	}
}

func anthropicStop(s Step) string {
	switch {
	case s.Full:
		return "max_tokens"
	case len(s.Calls) > 0:
		return "tool_use"
	}
	return "end_turn"
}

func anthropicMessage(req Request, s Step, full bool) object {
	u := s.usage()
	m := object{
		"id": fmt.Sprintf("msg_%04d", req.N), "type": "message", "role": "assistant", "model": req.Model,
		"content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": object{
			"input_tokens": u.Input, "output_tokens": 1,
			"cache_read_input_tokens": u.CacheRead, "cache_creation_input_tokens": u.CacheWrite,
		},
	}
	if !full {
		return m
	}
	blocks := []any{}
	if text := s.text(); text != "" || len(s.Calls) == 0 {
		blocks = append(blocks, object{"type": "text", "text": text})
	}
	for i, c := range s.Calls {
		blocks = append(blocks, object{"type": "tool_use", "id": c.id(req, i), "name": c.Name, "input": c.rawInput()})
	}
	m["content"], m["stop_reason"] = blocks, anthropicStop(s)
	m["usage"].(object)["output_tokens"] = u.Output
	return m
}

func anthropicStream(w io.Writer, req Request, s Step) {
	event := func(name string, data object) {
		data["type"] = name
		b, _ := json.Marshal(data)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
	}
	index := -1
	block := func(start object, kind, field, text string) {
		index++
		event("content_block_start", object{"index": index, "content_block": start})
		for _, p := range pieces(text) {
			event("content_block_delta", object{"index": index, "delta": object{"type": kind, field: p}})
		}
		event("content_block_stop", object{"index": index})
	}
	event("message_start", object{"message": anthropicMessage(req, s, false)})
	if text := s.text(); text != "" || len(s.Calls) == 0 {
		block(object{"type": "text", "text": ""}, "text_delta", "text", text)
	}
	event("ping", object{})
	for i, c := range s.Calls {
		block(object{"type": "tool_use", "id": c.id(req, i), "name": c.Name, "input": object{}}, "input_json_delta", "partial_json", c.Input)
	}
	event("message_delta", object{
		"delta": object{"stop_reason": anthropicStop(s), "stop_sequence": nil},
		"usage": object{"output_tokens": s.usage().Output},
	})
	event("message_stop", object{})
}

func openaiStop(s Step) string {
	switch {
	case s.Full:
		return "length"
	case len(s.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func openaiUsage(s Step) object {
	u := s.usage()
	in := u.Input + u.CacheRead // OpenAI counts the cached part in
	return object{
		"prompt_tokens": in, "completion_tokens": u.Output, "total_tokens": in + u.Output,
		"prompt_tokens_details": object{"cached_tokens": u.CacheRead},
	}
}

func openaiMessage(req Request, s Step) object {
	m := object{"role": "assistant", "content": s.text(), "refusal": nil}
	var calls []any
	for i, c := range s.Calls {
		calls = append(calls, object{"id": c.id(req, i), "type": "function", "function": object{"name": c.Name, "arguments": c.Input}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	return object{
		"id": fmt.Sprintf("chatcmpl-%04d", req.N), "object": "chat.completion", "created": created, "model": req.Model,
		"choices": []any{object{"index": 0, "message": m, "logprobs": nil, "finish_reason": openaiStop(s)}},
		"usage":   openaiUsage(s),
	}
}

func openaiStream(w io.Writer, req Request, s Step) {
	send := func(choices []any, usage any) {
		b, _ := json.Marshal(object{
			"id": fmt.Sprintf("chatcmpl-%04d", req.N), "object": "chat.completion.chunk", "created": created, "model": req.Model,
			"choices": choices, "usage": usage,
		})
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
	chunk := func(delta object, stop any) {
		send([]any{object{"index": 0, "delta": delta, "finish_reason": stop}}, nil)
	}
	chunk(object{"role": "assistant", "content": ""}, nil)
	for _, p := range pieces(s.text()) {
		chunk(object{"content": p}, nil)
	}
	for i, c := range s.Calls {
		chunk(object{"tool_calls": []any{object{"index": i, "id": c.id(req, i), "type": "function", "function": object{"name": c.Name, "arguments": ""}}}}, nil)
		for _, p := range pieces(c.Input) {
			chunk(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": p}}}}, nil)
		}
	}
	chunk(object{}, openaiStop(s))
	if req.streamUsage {
		send([]any{}, openaiUsage(s))
	}
	io.WriteString(w, "data: [DONE]\n\n") //nolint:errcheck // a buffer
}

func ollamaMessage(req Request, s Step, text string, done bool) object {
	m := object{"role": "assistant", "content": text}
	v := object{"model": req.Model, "created_at": "2026-09-21T14:13:20Z", "message": m, "done": done}
	if !done {
		return v
	}
	var calls []any
	for _, c := range s.Calls {
		calls = append(calls, object{"function": object{"name": c.Name, "arguments": c.rawInput()}})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	u := s.usage()
	v["done_reason"] = "stop"
	if s.Full {
		v["done_reason"] = "length"
	}
	v["prompt_eval_count"], v["eval_count"] = u.Input+u.CacheRead, u.Output
	v["total_duration"], v["load_duration"] = 1000, 10
	return v
}

func ollamaStream(w io.Writer, req Request, s Step) {
	send := func(v object) {
		b, _ := json.Marshal(v)
		fmt.Fprintf(w, "%s\n", b)
	}
	for _, p := range pieces(s.text()) {
		send(ollamaMessage(req, s, p, false))
	}
	send(ollamaMessage(req, s, "", true))
}
