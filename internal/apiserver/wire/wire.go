// Package wire is the vocabulary of the memory API: what stands in requests and
// responses, what is allowed there, and the errors. It follows Anthropic's Managed
// Agents API as its OpenAPI files in the Go SDKs v1.84.0 and v2.15.0 have it; what
// those leave open is said at the place. Nothing here reads or writes anything.
package wire

import (
	"encoding/json"
	"time"
)

// Time is a moment as the API writes it: RFC 3339, UTC, microseconds at most, as
// both databases keep them.
type Time struct{ time.Time }

// At makes a Time of a moment.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Microsecond)} }

// Nullable is At of a moment that may not have come: nil for the zero time.
func Nullable(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	at := At(t)
	return &at
}

// MarshalJSON writes the time with as many decimals as it has.
func (t Time) MarshalJSON() ([]byte, error) {
	return t.UTC().AppendFormat([]byte{'"'}, `2006-01-02T15:04:05.999999Z07:00"`), nil
}

// MemoryStore is a store.
type MemoryStore struct {
	Type        string            `json:"type" enum:"memory_store"`
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Metadata    map[string]string `json:"metadata"` // never nil
	CreatedAt   Time              `json:"created_at"`
	UpdatedAt   Time              `json:"updated_at"`
	ArchivedAt  *Time             `json:"archived_at"`
}

// Memory is a memory. Content is nil in the basic view.
type Memory struct {
	Type      string  `json:"type" enum:"memory"`
	ID        string  `json:"id"`
	Store     string  `json:"memory_store_id"`
	Path      string  `json:"path"`
	Content   *string `json:"content"`
	Size      int     `json:"content_size_bytes"` // of UTF-8
	SHA256    string  `json:"content_sha256"`     // of the bytes, in lowercase hex
	Version   string  `json:"memory_version_id"`
	CreatedAt Time    `json:"created_at"`
	UpdatedAt Time    `json:"updated_at"`
}

// MemoryPrefix stands in a list for all that lies below a folder.
type MemoryPrefix struct {
	Type string `json:"type" enum:"memory_prefix"`
	Path string `json:"path"` // with a slash at its end
}

// Listed is an item of a list of memories: exactly one of the two is set.
type Listed struct {
	Memory *Memory
	Prefix *MemoryPrefix
}

// The operations of a version.
const (
	Created  = "created"
	Modified = "modified"
	Deleted  = "deleted"
)

// MemoryVersion is what a memory was. Of a deleted one Content, Size and SHA256 are
// nil, of a redacted one Path as well.
type MemoryVersion struct {
	Type       string  `json:"type" enum:"memory_version"`
	ID         string  `json:"id"`
	Store      string  `json:"memory_store_id"`
	Memory     string  `json:"memory_id"`
	Path       *string `json:"path"`
	Operation  string  `json:"operation" enum:"created,modified,deleted"`
	Content    *string `json:"content"`
	Size       *int    `json:"content_size_bytes"`
	SHA256     *string `json:"content_sha256"`
	CreatedBy  Actor   `json:"created_by"`
	CreatedAt  Time    `json:"created_at"`
	RedactedAt *Time   `json:"redacted_at"`
	RedactedBy *Actor  `json:"redacted_by,omitempty"` // not nullable in the schema: left out until then
}

// The kinds of actors.
const (
	SessionActor        = "session_actor"
	APIActor            = "api_actor"
	UserActor           = "user_actor"
	ServiceAccountActor = "service_account_actor"
)

// Actor is who wrote: just the one id that belongs to its type is set.
type Actor struct {
	Type           string `json:"type" enum:"session_actor,api_actor,user_actor,service_account_actor"`
	Session        string `json:"session_id,omitempty"`
	APIKey         string `json:"api_key_id,omitempty"`
	User           string `json:"user_id,omitempty"`
	ServiceAccount string `json:"service_account_id,omitempty"`
}

// Gone is the answer to a deletion.
type Gone struct {
	Type string `json:"type"` // memory_store_deleted, memory_deleted, session_deleted
	ID   string `json:"id"`
}

// Page is a page of a list; Next is nil on the last one.
type Page[T any] struct {
	Data []T     `json:"data"` // never nil
	Next *string `json:"next_page"`
}

// The states of a dream; Completed, Failed and Canceled are final.
const (
	Pending   = "pending"
	Running   = "running"
	Completed = "completed"
	Failed    = "failed"
	Canceled  = "canceled"
)

// The output behaviors of a dream.
const (
	CreateNew      = "create_new"
	UpdateExisting = "update_existing"
)

// The error types of a dream; the list is open.
const (
	DreamTimeout            = "timeout"
	DreamInternal           = "internal_error"
	DreamStoreLimit         = "memory_store_org_limit_exceeded"
	DreamStoreTooLarge      = "input_memory_store_too_large"
	DreamStoreUnavailable   = "input_memory_store_unavailable"
	DreamSessionUnavailable = "input_session_unavailable"
)

// Dream is a consolidation as a job.
type Dream struct {
	Type           string         `json:"type" enum:"dream"`
	ID             string         `json:"id"`
	Status         string         `json:"status" enum:"pending,running,completed,failed,canceled"`
	Inputs         []DreamInput   `json:"inputs"`
	Outputs        []DreamOutput  `json:"outputs"` // never nil; one once the output store exists
	Model          DreamModel     `json:"model"`
	Instructions   *string        `json:"instructions"`
	OutputBehavior OutputBehavior `json:"output_behavior"`
	Session        *string        `json:"session_id"`
	CreatedAt      Time           `json:"created_at"`
	EndedAt        *Time          `json:"ended_at"`
	ArchivedAt     *Time          `json:"archived_at"`
	Error          *DreamError    `json:"error"`
	Usage          DreamUsage     `json:"usage"`
}

// DreamInput is a memory store or a set of sessions, the ids sorted.
type DreamInput struct {
	Type     string   `json:"type" enum:"memory_store,sessions"`
	Store    string   `json:"memory_store_id,omitempty"`
	Sessions []string `json:"session_ids,omitempty"`
}

// DreamOutput is a store that a dream wrote.
type DreamOutput struct {
	Type  string `json:"type" enum:"memory_store"`
	Store string `json:"memory_store_id"`
}

// DreamModel is always an object in responses.
type DreamModel struct {
	ID    string `json:"id"`
	Speed string `json:"speed"` // standard
}

// OutputBehavior says where a dream writes.
type OutputBehavior struct {
	Type  string `json:"type" enum:"create_new,update_existing"`
	Store string `json:"memory_store_id,omitempty"` // of update_existing: the input store
}

// DreamError is why a dream failed.
type DreamError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// DreamUsage counts tokens.
type DreamUsage struct {
	Input         int `json:"input_tokens"`
	Output        int `json:"output_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
}

// MarshalJSON writes the one that is set.
func (l Listed) MarshalJSON() ([]byte, error) {
	if l.Prefix != nil {
		return json.Marshal(l.Prefix)
	}
	return json.Marshal(l.Memory)
}
