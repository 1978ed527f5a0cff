package wire

import "net/http"

// The types of errors.
const (
	InvalidRequest     = "invalid_request_error"
	Authentication     = "authentication_error"
	Permission         = "permission_error"
	NotFound           = "not_found_error"
	Timeout            = "timeout_error"
	PathConflict       = "memory_path_conflict_error"
	PreconditionFailed = "memory_precondition_failed_error"
	Conflict           = "conflict_error"
	RateLimit          = "rate_limit_error"
	API                = "api_error"
	Overloaded         = "overloaded_error"
)

// Error is an error as a client gets it. Its message never holds content of a
// memory, nor a key.
type Error struct {
	Status  int    `json:"-"` // of HTTP
	Type    string `json:"type"`
	Message string `json:"message"`
	// Of a PathConflict; the id is "" where it is not known: the client tries again.
	ConflictingPath   *string `json:"conflicting_path,omitempty"`
	ConflictingMemory *string `json:"conflicting_memory_id,omitempty"`
	// Again is what x-should-retry says; nil: nothing, and the SDKs try 408, 409, 429
	// and 5xx twice more.
	Again *bool `json:"-"`
	// RetryAfter is in seconds; 0: not said.
	RetryAfter int `json:"-"`
}

// Error says what is wrong.
func (e *Error) Error() string { return e.Message }

// Envelope is the body of an error response.
type Envelope struct {
	Type      string  `json:"type" enum:"error"`
	Error     *Error  `json:"error"`
	RequestID *string `json:"request_id"`
}

// Invalid refuses a request that can't be carried out as it stands.
func Invalid(message string) *Error {
	return &Error{Status: http.StatusBadRequest, Type: InvalidRequest, Message: message}
}

// Missing hides whether an id is somebody else's or nobody's.
func Missing(what string) *Error {
	return &Error{Status: http.StatusNotFound, Type: NotFound, Message: what + " was not found"}
}

// Taken refuses a path that another memory has, or that lies above or below one.
func Taken(path, memory string) *Error {
	e := &Error{
		Status: http.StatusConflict, Type: PathConflict,
		Message:         "another memory has this path, or one above or below it",
		ConflictingPath: &path, ConflictingMemory: &memory,
	}
	if memory != "" {
		e.Again = new(false)
	}
	return e
}

// Stale refuses a change of what is no longer as the client saw it. What it is now
// is not told.
func Stale() *Error {
	return &Error{
		Status: http.StatusConflict, Type: PreconditionFailed,
		Message: "the content is not what the precondition says", Again: new(false),
	}
}

// Held refuses a second dream that would write into a store.
func Held(store string) *Error {
	return &Error{
		Status: http.StatusConflict, Type: Conflict,
		Message: "another dream writes into " + store + " and has not stopped yet", Again: new(false),
	}
}
