-- +goose Up
CREATE TABLE sessions (
    workspace     TEXT NOT NULL,
    id            TEXT COLLATE "C" NOT NULL,
    status        TEXT NOT NULL,
    agent         TEXT NOT NULL,
    agent_version INTEGER NOT NULL,
    environment   TEXT NOT NULL,
    body          TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    archived_at   BIGINT,
    events        BIGINT NOT NULL DEFAULT 0, -- the number of the last one
    PRIMARY KEY (workspace, id)
);
CREATE INDEX sessions_newest ON sessions (workspace, created_at DESC, id DESC);

CREATE TABLE session_stores (
    workspace TEXT NOT NULL,
    session   TEXT COLLATE "C" NOT NULL,
    store     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, session, store),
    FOREIGN KEY (workspace, session) REFERENCES sessions (workspace, id) ON DELETE CASCADE
);
CREATE INDEX session_stores_store ON session_stores (workspace, store);

CREATE TABLE session_events (
    workspace    TEXT NOT NULL,
    session      TEXT COLLATE "C" NOT NULL,
    seq          BIGINT NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    type         TEXT NOT NULL,
    processed_at BIGINT NOT NULL,
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
    id          TEXT COLLATE "C" NOT NULL,
    version     INTEGER NOT NULL,
    name        TEXT NOT NULL,
    body        TEXT NOT NULL,
    newest      BOOLEAN NOT NULL,
    created_at  BIGINT NOT NULL,
    archived_at BIGINT,
    PRIMARY KEY (workspace, kind, id, version)
);
CREATE INDEX objects_newest ON objects (workspace, kind, newest, created_at DESC, id DESC);

ALTER TABLE sessions       ENABLE ROW LEVEL SECURITY;
ALTER TABLE sessions       FORCE ROW LEVEL SECURITY;
ALTER TABLE session_stores ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_stores FORCE ROW LEVEL SECURITY;
ALTER TABLE session_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE session_events FORCE ROW LEVEL SECURITY;
ALTER TABLE objects        ENABLE ROW LEVEL SECURITY;
ALTER TABLE objects        FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON sessions       USING (workspace = current_setting('app.workspace', true));
CREATE POLICY own ON session_stores USING (workspace = current_setting('app.workspace', true));
CREATE POLICY own ON session_events USING (workspace = current_setting('app.workspace', true));
CREATE POLICY own ON objects        USING (workspace = current_setting('app.workspace', true));

-- +goose Down
DROP TABLE objects;
DROP TABLE session_events;
DROP TABLE session_stores;
DROP TABLE sessions;
