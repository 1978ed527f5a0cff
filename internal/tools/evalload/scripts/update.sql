\set i random(0, :memories - 1)
\set s :i / :per_store
\set n random(0, 9000000000000000000)
BEGIN;
SELECT set_config('app.workspace', :workspace, true), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
SELECT id, name, description, metadata, created_at, updated_at, archived_at FROM memory_stores WHERE workspace = :workspace AND id = 'memstore_' || lpad((:s)::text, 22, '0') FOR SHARE;
SELECT m.id, m.store, m.path, m.version, m.sha256, m.size, m.created_at, m.updated_at FROM memories m WHERE m.workspace = :workspace AND m.store = 'memstore_' || lpad((:s)::text, 22, '0') AND m.id = 'mem_' || lpad((:i)::text, 22, '0') FOR NO KEY UPDATE;
INSERT INTO contents (workspace, sha256, content) VALUES (:workspace, 'bench' || lpad((:n)::text, 59, '0'), 'changed ' || :i || repeat('x', 1000)) ON CONFLICT DO NOTHING;
UPDATE memories SET path = path, version = 'memver_' || lpad((:n)::text, 22, '0'), sha256 = 'bench' || lpad((:n)::text, 59, '0'), size = 1020, updated_at = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint WHERE workspace = :workspace AND store = 'memstore_' || lpad((:s)::text, 22, '0') AND id = 'mem_' || lpad((:i)::text, 22, '0');
INSERT INTO memory_versions (workspace, store, id, memory, operation, path, sha256, size, actor_type, actor, created_at) VALUES (:workspace, 'memstore_' || lpad((:s)::text, 22, '0'), 'memver_' || lpad((:n)::text, 22, '0'), 'mem_' || lpad((:i)::text, 22, '0'), 'modified', '/notes/x.md', 'bench' || lpad((:n)::text, 59, '0'), 1020, 'api_actor', 'apikey_x', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
COMMIT;
