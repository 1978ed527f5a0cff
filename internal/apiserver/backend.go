// Package apiserver serves memory stores and dreams over HTTP, as the official SDKs
// speak it. Its handlers check a request and ask a Backend; package db is one over
// SQLite and PostgreSQL, package mount is a local folder behind one, and package
// jobs carries dreams out.
package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"dormouse/internal/apiserver/wire"
)

// ErrKey is that a key is unknown or was revoked.
var ErrKey = errors.New("this key is unknown or was revoked")

// Who asks: a workspace, and the actor that versions are written under. Everything a
// Backend does is within the workspace; what lies in another one is not found.
type Who struct {
	Workspace string // wrkspc_…
	Actor     wire.Actor
}

// Backend keeps what the API serves. Methods return a *wire.Error for what a client
// did wrong, with the status it gets; any other error is the server's own. Inputs
// were checked by package wire before: paths, sizes, counts of metadata.
type Backend interface {
	Stores
	Memories
	Sessions
	Dreams
}

// Stores are the memory stores.
type Stores interface {
	CreateStore(ctx context.Context, who Who, in NewStore) (*wire.MemoryStore, error)
	Store(ctx context.Context, who Who, id string) (*wire.MemoryStore, error)
	// UpdateStore changes what is set. An archived store is refused.
	UpdateStore(ctx context.Context, who Who, id string, p StorePatch) (*wire.MemoryStore, error)
	ListStores(ctx context.Context, who Who, q StoreQuery) ([]wire.MemoryStore, Cursor, error) // newest first
	// ArchiveStore is one way; a second time changes nothing.
	ArchiveStore(ctx context.Context, who Who, id string) (*wire.MemoryStore, error)
	DeleteStore(ctx context.Context, who Who, id string) error // with memories and versions
}

// NewStore is a store to be made.
type NewStore struct {
	Name, Description string
	Metadata          map[string]string
}

// StorePatch is a change of a store; nil leaves a field. Of Metadata a nil value
// deletes the key, a string sets it, and the result may have 16 pairs.
type StorePatch struct {
	Name, Description *string
	Metadata          map[string]*string
}

// Cursor is where a list goes on: opaque to clients, "" at its end. What it says is
// the backend's; the handlers wrap it as page_….
type Cursor string

// Span bounds creation times, both ends included; they are whole microseconds. Zero
// times bound nothing.
type Span struct{ After, Before time.Time }

// StoreQuery asks for a page of stores. Limit is 1 to 100 here and below.
type StoreQuery struct {
	Limit           int
	Page            Cursor
	IncludeArchived bool
	Created         Span
}

// Memories are the memories of a store and their versions.
type Memories interface {
	CreateMemory(ctx context.Context, who Who, store, path, content string) (*wire.Memory, error)
	// Memory returns content only if full; so do the others below.
	Memory(ctx context.Context, who Who, store, id string, full bool) (*wire.Memory, error)
	// UpdateMemory: archived is 400, unknown 404; all equal to what is there already is
	// fine whatever the precondition says, and writes no version; then the
	// precondition, then the path, then a version.
	UpdateMemory(ctx context.Context, who Who, store, id string, p MemoryPatch) (*wire.Memory, error)
	// DeleteMemory works on archived stores too. expected is a SHA-256, nil for any.
	DeleteMemory(ctx context.Context, who Who, store, id string, expected *string) error
	ListMemories(ctx context.Context, who Who, store string, q MemoryQuery) ([]wire.Listed, Cursor, error) // by bytes of the path

	Version(ctx context.Context, who Who, store, id string, full bool) (*wire.MemoryVersion, error)
	ListVersions(ctx context.Context, who Who, store string, q VersionQuery) ([]wire.MemoryVersion, Cursor, error) // newest first, then id
	// RedactVersion takes path and content out. The head of a live memory is refused;
	// a second time changes nothing.
	RedactVersion(ctx context.Context, who Who, store, id string) (*wire.MemoryVersion, error)
}

// MemoryPatch is a change of a memory; nil leaves a field.
type MemoryPatch struct {
	Content, Path *string
	Expected      *string // SHA-256 of the present content
	Full          bool    // return the content
}

// MemoryQuery asks for a page of memories. Prefix ends in a slash, or is "". Depth 1
// rolls up what lies in folders; 0 is everything.
type MemoryQuery struct {
	Limit  int
	Page   Cursor
	Prefix string
	Depth  int
	Full   bool
}

// VersionQuery asks for a page of versions; "" filters nothing.
type VersionQuery struct {
	Limit                                       int
	Page                                        Cursor
	Memory, Session, APIKey, ServiceAccount, Op string
	Created                                     Span
	Full                                        bool
}

// Sessions are sessions and their events, agents and environments: as much as memory
// and dreams need. Objects are kept as the JSON that is served, beside the few fields
// that are asked for.
type Sessions interface {
	CreateSession(ctx context.Context, who Who, in Session, events []Event) (*Session, error)
	Session(ctx context.Context, who Who, id string) (*Session, error)
	// UpdateSession calls change with the session as it is, and keeps what it makes of it.
	UpdateSession(ctx context.Context, who Who, id string, change func(*Session) error) (*Session, error)
	ListSessions(ctx context.Context, who Who, q SessionQuery) (page []Session, next, prev Cursor, err error)
	DeleteSession(ctx context.Context, who Who, id string) error
	// AddEvents appends, in the order given; ids that are there already are left alone.
	AddEvents(ctx context.Context, who Who, session string, events []Event) ([]Event, error)
	ListEvents(ctx context.Context, who Who, session string, q EventQuery) ([]Event, Cursor, error)

	// PutObject keeps an agent or an environment, or a version of one.
	PutObject(ctx context.Context, who Who, o Object) error
	Object(ctx context.Context, who Who, kind, id string, version int) (*Object, error) // version 0: the newest
	ListObjects(ctx context.Context, who Who, q ObjectQuery) ([]Object, Cursor, error)
	DeleteObject(ctx context.Context, who Who, kind, id string) error
}

// Session is a session. Stores are those attached to it, at most 8; Body is all
// else that is served of it, as a JSON object.
type Session struct {
	ID, Status, Agent, Environment string
	AgentVersion                   int
	Stores                         []string
	Body                           json.RawMessage
	CreatedAt, UpdatedAt           time.Time
	ArchivedAt                     time.Time // zero: not
	Events                         int64     // Seq of the last one
}

// SessionQuery asks for a page of sessions.
type SessionQuery struct {
	Limit           int
	Page            Cursor
	Ascending       bool
	IncludeArchived bool
	Agent, Store    string
	AgentVersion    int // 0: any
	Statuses        []string
	Created         Span
}

// Event is an event of a session: Body is the whole JSON object as it is served,
// with id and processed_at. Seq orders the events of a session, and is the database's.
type Event struct {
	ID, Type    string
	Seq         int64
	ProcessedAt time.Time
	Body        json.RawMessage
}

// EventQuery asks for a page of events by their time, or InOrder for those that came
// after one, which a stream asks again and again.
type EventQuery struct {
	Limit      int
	Page       Cursor
	InOrder    bool
	After      int64 // Seq, of InOrder
	Descending bool
	Types      []string
	Created    Span
}

// Object is an agent or an environment, in one of its versions.
type Object struct {
	Kind                  string // "agent", "environment"
	ID, Name              string
	Version               int
	Body                  json.RawMessage
	CreatedAt, ArchivedAt time.Time
}

// ObjectQuery asks for a page of the newest versions, or with ID of all of one object.
type ObjectQuery struct {
	Kind, ID        string
	Limit           int
	Page            Cursor
	IncludeArchived bool
}

// Dreams are dreams as clients see them; package jobs moves them on.
type Dreams interface {
	// CreateDream checks that the inputs are there (else 404), that the store is not
	// archived, and that no other dream writes into it (wire.Held), and puts the job
	// into the queue in the same transaction.
	CreateDream(ctx context.Context, who Who, in NewDream) (*wire.Dream, error)
	Dream(ctx context.Context, who Who, id string) (*wire.Dream, error)
	ListDreams(ctx context.Context, who Who, q DreamQuery) ([]wire.Dream, Cursor, error) // newest first
	CancelDream(ctx context.Context, who Who, id string) (*wire.Dream, error)
	ArchiveDream(ctx context.Context, who Who, id string) (*wire.Dream, error)
}

// NewDream is a dream to be made. Sessions are sorted and unique.
type NewDream struct {
	Store        string
	Sessions     []string
	Model        string
	Instructions *string
	Update       bool // update_existing
}

// DreamQuery asks for a page of dreams.
type DreamQuery struct {
	Limit           int
	Page            Cursor
	IncludeArchived bool
	Statuses        []string
	Created         Span
}
