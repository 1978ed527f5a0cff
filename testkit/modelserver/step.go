package modelserver

import (
	"encoding/json"
	"net/http"
)

// Step is one answer of the model, or of what stands for it.
type Step struct {
	Text  string
	JSON  any // marshalled, it is the text after Text
	Calls []Call
	Usage *Usage // nil: 10 tokens in, 5 out
	Full  bool   // the answer ends because it may not be longer

	Fault      Fault
	RetryAfter string // the header, with a refusal
	Location   string // of Redirect
}

// Call is a tool call.
type Call struct {
	ID    string // "": one is made up
	Name  string
	Input string // JSON as it goes out, also where it is none
}

// Usage in tokens. Input does not count what came from the cache or went there.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }

// Fault is a way to fail.
type Fault int

// The faults. Those with a status carry an error body of the wire form, which
// echoes the key it was asked with.
const (
	None         Fault = iota
	Unauthorized       // 401
	Forbidden          // 403
	BadRequest         // 400
	NotFound           // 404: no such model
	TooMany            // 429, with RetryAfter
	Overloaded         // 529
	Broken             // 500
	Hang               // no answer ever
	HangMidway         // half an answer, and no more ever
	Cut                // half an answer, and the connection drops
	Truncated          // half an answer, ended as if it were whole
	NotJSON            // a page of HTML with status 200, the key in it
	Huge               // 32 MiB
	Redirect           // 307 to Location
)

// Faults lists all faults by a name that reads in a test.
func Faults() map[string]Fault {
	return map[string]Fault{
		"401": Unauthorized, "403": Forbidden, "400": BadRequest, "404": NotFound,
		"429": TooMany, "529": Overloaded, "500": Broken, "hang": Hang, "hang midway": HangMidway,
		"cut": Cut, "truncated": Truncated, "not JSON": NotJSON, "huge": Huge, "redirect": Redirect,
	}
}

const statusOverloaded = 529 // Anthropic's own

func (f Fault) status() int {
	switch f {
	case Unauthorized:
		return http.StatusUnauthorized
	case Forbidden:
		return http.StatusForbidden
	case BadRequest:
		return http.StatusBadRequest
	case NotFound:
		return http.StatusNotFound
	case TooMany:
		return http.StatusTooManyRequests
	case Overloaded:
		return statusOverloaded
	case Broken:
		return http.StatusInternalServerError
	}
	return 0
}

// kind is the error's type in Anthropic's form.
func (f Fault) kind() string {
	switch f {
	case Unauthorized:
		return "authentication_error"
	case Forbidden:
		return "permission_error"
	case NotFound:
		return "not_found_error"
	case TooMany:
		return "rate_limit_error"
	case Overloaded:
		return "overloaded_error"
	case Broken:
		return "api_error"
	}
	return "invalid_request_error"
}

// refusal is an error body.
func refusal(form Form, kind, message string) object {
	switch form {
	case Anthropic:
		return object{"type": "error", "error": object{"type": kind, "message": message}, "request_id": "req_0001"}
	case OpenAI:
		return object{"error": object{"message": message, "type": kind, "param": nil, "code": nil}}
	}
	return object{"error": message}
}

// text is all text of the step.
func (s Step) text() string {
	if s.JSON == nil {
		return s.Text
	}
	b, err := json.Marshal(s.JSON)
	if err != nil {
		return s.Text + "unmarshalled: " + err.Error()
	}
	return s.Text + string(b)
}

func (s Step) usage() Usage {
	if s.Usage != nil {
		return *s.Usage
	}
	return Usage{Input: 10, Output: 5}
}

// Prose is a JSON answer with talk and a fence around it.
func Prose(v any) Step {
	b, _ := json.MarshalIndent(v, "", "  ")
	return Step{Text: "Sure! Here is what {you} asked for:\n\n```json\n" + string(b) + "\n```\n\nLet me know if [anything] is missing."}
}

// CutJSON is a JSON answer that stops in the middle, though the model says that
// it is done.
func CutJSON(v any) Step {
	b, _ := json.Marshal(v)
	return Step{Text: string(b[:len(b)/2])}
}
