-- +goose Up
-- Times are microseconds since 1970, UTC. Each primary key begins with the workspace.

CREATE TABLE workspaces (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    max_stores INTEGER NOT NULL DEFAULT 1000,
    max_memories INTEGER NOT NULL DEFAULT 2000000,
    max_events INTEGER NOT NULL DEFAULT 10000000,
    max_dreams INTEGER NOT NULL DEFAULT 4
);

CREATE TABLE api_keys (
    id         TEXT PRIMARY KEY,
    workspace  TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL UNIQUE, -- SHA-256 of the key, in hex
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
);

CREATE TABLE memory_stores (
    workspace   TEXT NOT NULL,
    id          TEXT NOT NULL,
    name        TEXT NOT NULL,
    description TEXT NOT NULL,
    metadata    TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    archived_at INTEGER,
    memories    INTEGER NOT NULL DEFAULT 0,
    hidden      INTEGER NOT NULL DEFAULT 0, -- a dream has not filled it yet
    PRIMARY KEY (workspace, id)
);
CREATE INDEX memory_stores_newest ON memory_stores (workspace, created_at DESC, id DESC);

-- A content stands here once, however many versions have it.
CREATE TABLE contents (
    workspace TEXT NOT NULL,
    sha256    TEXT NOT NULL,
    content   TEXT NOT NULL,
    PRIMARY KEY (workspace, sha256)
);

CREATE TABLE memories (
    workspace  TEXT NOT NULL,
    store      TEXT NOT NULL,
    id         TEXT NOT NULL,
    path       TEXT NOT NULL,
    version    TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    size       INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, store, id),
    FOREIGN KEY (workspace, store) REFERENCES memory_stores (workspace, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX memories_path ON memories (workspace, store, path);

CREATE TABLE memory_versions (
    workspace       TEXT NOT NULL,
    store           TEXT NOT NULL,
    id              TEXT NOT NULL,
    memory          TEXT NOT NULL,
    operation       TEXT NOT NULL,
    path            TEXT,
    sha256          TEXT,
    size            INTEGER,
    actor_type      TEXT NOT NULL,
    actor           TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    redacted_at     INTEGER,
    redacted_type   TEXT,
    redacted_by     TEXT,
    PRIMARY KEY (workspace, store, id),
    -- Whoever removes a content that somebody begins to use waits, and is refused.
    FOREIGN KEY (workspace, sha256) REFERENCES contents (workspace, sha256),
    FOREIGN KEY (workspace, store) REFERENCES memory_stores (workspace, id) ON DELETE CASCADE
);
CREATE INDEX memory_versions_newest ON memory_versions (workspace, store, created_at DESC, id DESC);
CREATE INDEX memory_versions_memory ON memory_versions (workspace, store, memory, created_at DESC, id DESC);
CREATE INDEX memory_versions_content ON memory_versions (workspace, sha256);

-- +goose Down
DROP TABLE memory_versions;
DROP TABLE memories;
DROP TABLE contents;
DROP TABLE memory_stores;
DROP TABLE api_keys;
DROP TABLE workspaces;
