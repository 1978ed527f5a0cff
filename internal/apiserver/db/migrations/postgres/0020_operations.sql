-- +goose Up
ALTER TABLE api_keys ADD COLUMN used_at BIGINT; -- to the minute or so
ALTER TABLE workspaces ADD COLUMN max_sessions BIGINT NOT NULL DEFAULT 1000000;

-- +goose Down
ALTER TABLE workspaces DROP COLUMN max_sessions;
ALTER TABLE api_keys DROP COLUMN used_at;
