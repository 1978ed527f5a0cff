-- +goose Up
CREATE TABLE dreams (
    workspace    TEXT NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    status       TEXT NOT NULL,
    store        TEXT NOT NULL,
    sessions     TEXT NOT NULL, -- a JSON list
    model        TEXT NOT NULL,
    instructions TEXT,
    in_place     BOOLEAN NOT NULL,
    output       TEXT,
    session      TEXT,
    error_type   TEXT,
    error        TEXT,
    tokens_in    BIGINT NOT NULL DEFAULT 0,
    tokens_out   BIGINT NOT NULL DEFAULT 0,
    tokens_made  BIGINT NOT NULL DEFAULT 0,
    tokens_read  BIGINT NOT NULL DEFAULT 0,
    created_at   BIGINT NOT NULL,
    ended_at     BIGINT,
    archived_at  BIGINT,
    PRIMARY KEY (workspace, id)
);
CREATE INDEX dreams_newest ON dreams (workspace, created_at DESC, id DESC);

-- What a dream has done already, so that whoever takes it over goes on from there.
CREATE TABLE dream_steps (
    workspace TEXT NOT NULL,
    dream     TEXT COLLATE "C" NOT NULL,
    step      TEXT NOT NULL,
    body      TEXT NOT NULL,
    PRIMARY KEY (workspace, dream, step),
    FOREIGN KEY (workspace, dream) REFERENCES dreams (workspace, id) ON DELETE CASCADE
);

-- Answers of models, by the hash of the question: what was paid for is not asked again.
CREATE TABLE model_answers (
    workspace  TEXT NOT NULL,
    question   TEXT NOT NULL,
    answer     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (workspace, question)
);

-- Who works on a dream. Ids and times alone, so it is not held by row security: each
-- server looks there for work of all workspaces.
CREATE TABLE dream_runs (
    workspace TEXT NOT NULL,
    dream     TEXT NOT NULL,
    target    TEXT, -- the store of a dream that writes in place
    owner     TEXT NOT NULL DEFAULT '',
    fence     BIGINT NOT NULL DEFAULT 0,
    until     BIGINT NOT NULL, -- the lease, by the database's clock
    canceled  BOOLEAN NOT NULL DEFAULT false,
    done      BOOLEAN NOT NULL DEFAULT false,
    PRIMARY KEY (workspace, dream)
);
CREATE UNIQUE INDEX dream_runs_target ON dream_runs (workspace, target) WHERE target IS NOT NULL AND NOT done;
CREATE INDEX dream_runs_open ON dream_runs (until) WHERE NOT done;

ALTER TABLE dreams        ENABLE ROW LEVEL SECURITY;
ALTER TABLE dreams        FORCE ROW LEVEL SECURITY;
ALTER TABLE dream_steps   ENABLE ROW LEVEL SECURITY;
ALTER TABLE dream_steps   FORCE ROW LEVEL SECURITY;
ALTER TABLE model_answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_answers FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON dreams        USING (workspace = current_setting('app.workspace', true));
CREATE POLICY own ON dream_steps   USING (workspace = current_setting('app.workspace', true));
CREATE POLICY own ON model_answers USING (workspace = current_setting('app.workspace', true));

-- +goose Down
DROP TABLE dream_runs;
DROP TABLE model_answers;
DROP TABLE dream_steps;
DROP TABLE dreams;
