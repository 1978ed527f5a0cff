-- +goose Up
CREATE TABLE sessions (
    workspace     TEXT NOT NULL,
    id            TEXT NOT NULL,
    status        TEXT NOT NULL,
    agent         TEXT NOT NULL,
    agent_version INTEGER NOT NULL,
    environment   TEXT NOT NULL,
    body          TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    archived_at   INTEGER,
    events        INTEGER NOT NULL DEFAULT 0, -- the number of the last one
    PRIMARY KEY (workspace, id)
);
CREATE INDEX sessions_newest ON sessions (workspace, created_at DESC, id DESC);

CREATE TABLE session_stores (
    workspace TEXT NOT NULL,
    session   TEXT NOT NULL,
    store     TEXT NOT NULL,
    PRIMARY KEY (workspace, session, store),
    FOREIGN KEY (workspace, session) REFERENCES sessions (workspace, id) ON DELETE CASCADE
);
CREATE INDEX session_stores_store ON session_stores (workspace, store);

CREATE TABLE session_events (
    workspace    TEXT NOT NULL,
    session      TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    id           TEXT NOT NULL,
    type         TEXT NOT NULL,
    processed_at INTEGER NOT NULL,
    body         TEXT NOT NULL,
    PRIMARY KEY (workspace, session, seq),
    FOREIGN KEY (workspace, session) REFERENCES sessions (workspace, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX session_events_id ON session_events (workspace, session, id);
CREATE INDEX session_events_time ON session_events (workspace, session, processed_at, seq);

-- Agents and environments, every version.
CREATE TABLE objects (
    workspace   TEXT NOT NULL,
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    version     INTEGER NOT NULL,
    name        TEXT NOT NULL,
    body        TEXT NOT NULL,
    newest      INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    archived_at INTEGER,
    PRIMARY KEY (workspace, kind, id, version)
);
CREATE INDEX objects_newest ON objects (workspace, kind, newest, created_at DESC, id DESC);

-- +goose Down
DROP TABLE objects;
DROP TABLE session_events;
DROP TABLE session_stores;
DROP TABLE sessions;
