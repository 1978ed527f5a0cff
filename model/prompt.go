package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A program takes one text and gives one. Turns and tools are told in JSON: marks
// of our own could be forged by the text between them.

type promptTurn struct {
	Role    Role           `json:"role"`
	Text    string         `json:"text,omitempty"`
	Calls   []promptCall   `json:"calls,omitempty"`
	Results []promptResult `json:"results,omitempty"`
}

type promptCall struct {
	ID    string          `json:"id,omitempty"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

type promptResult struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
}

type promptTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"input_schema"`
}

// flatten makes a system prompt and a prompt of a request.
func flatten(r Request) (system, prompt string, err error) {
	system = r.System
	if len(r.Tools) > 0 {
		var tools []promptTool
		for _, t := range r.Tools {
			tools = append(tools, promptTool(t))
		}
		list, err := json.Marshal(tools)
		if err != nil {
			return "", "", err
		}
		system += "\n\nThese tools are there:\n" + string(list) +
			"\nTo use some, answer with one JSON object and nothing else: {\"calls\":[{\"name\":\"…\",\"input\":{…}}]}. Their results come in the next message."
	}
	if len(r.Messages) == 1 && len(r.Messages[0].Results) == 0 {
		return system, r.Messages[0].Text, nil
	}
	var turns []promptTurn
	for _, m := range r.Messages {
		t := promptTurn{Role: m.Role, Text: m.Text}
		for _, c := range m.Calls {
			t.Calls = append(t.Calls, promptCall(c))
		}
		for _, res := range m.Results {
			t.Results = append(t.Results, promptResult(res))
		}
		turns = append(turns, t)
	}
	text, err := json.Marshal(turns)
	if err != nil {
		return "", "", err
	}
	return system, "This is the conversation so far, as JSON. Answer its last message; yours is the next turn of the assistant.\n" + string(text), nil
}

// callsSchema is the form in which a program asks for tools.
const callsSchema = `{"type":"object","required":["calls"],"additionalProperties":false,"properties":{"calls":{
"type":"array","minItems":1,"items":{"type":"object","required":["name","input"],"properties":{"name":{"type":"string"},"input":{"type":"object"}}}}}}`

// unflatten finds the calls in what a program answered. Only tools that were
// offered make a call of it; all else is text.
func unflatten(text string, r Request) ([]Call, error) {
	if len(r.Tools) == 0 || !strings.Contains(text, `"calls"`) {
		return nil, nil
	}
	want, err := parseSchema([]byte(callsSchema))
	if err != nil {
		return nil, err
	}
	value, err := findJSON(text, want)
	if err != nil {
		return nil, nil // a text that only speaks of calls
	}
	var asked struct {
		Calls []promptCall `json:"calls"`
	}
	if err := json.Unmarshal(value, &asked); err != nil {
		return nil, nil
	}
	var calls []Call
	for i, c := range asked.Calls {
		if !slices.ContainsFunc(r.Tools, func(t Tool) bool { return t.Name == c.Name }) {
			return nil, nil
		}
		// Unlike those of other turns: the number of messages so far is in it.
		calls = append(calls, Call{ID: fmt.Sprintf("call-%d-%d", len(r.Messages), i+1), Name: c.Name, Input: c.Input})
	}
	return calls, nil
}
