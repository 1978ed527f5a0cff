\set s random(0, :stores - 1)
BEGIN READ ONLY;
SELECT set_config('app.workspace', :workspace, true), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
SELECT id, name, description, metadata, created_at, updated_at, archived_at FROM memory_stores WHERE workspace = :workspace AND id = 'memstore_' || lpad((:s)::text, 22, '0');
SELECT m.id, m.store, m.path, m.version, m.sha256, m.size, m.created_at, m.updated_at FROM memories m WHERE m.workspace = :workspace AND m.store = 'memstore_' || lpad((:s)::text, 22, '0') AND m.path > '' ORDER BY m.path LIMIT 101;
COMMIT;
