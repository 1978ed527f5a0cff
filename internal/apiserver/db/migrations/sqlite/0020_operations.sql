-- +goose Up
ALTER TABLE api_keys ADD COLUMN used_at INTEGER; -- to the minute or so
ALTER TABLE workspaces ADD COLUMN max_sessions INTEGER NOT NULL DEFAULT 1000000;

-- +goose Down
ALTER TABLE workspaces DROP COLUMN max_sessions;
ALTER TABLE api_keys DROP COLUMN used_at;
