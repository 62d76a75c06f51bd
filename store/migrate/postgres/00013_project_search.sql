-- +goose Up
-- For search by part of a name or path. Where the extension cannot be had, the same queries read the whole table.
-- +goose StatementBegin
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX projects_name_part ON projects USING gin (lower(name) gin_trgm_ops) WITH (fastupdate = off);
  CREATE INDEX projects_path_part ON projects USING gin (lower(path) gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): search by part of a name has no index', SQLERRM;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP INDEX IF EXISTS projects_path_part;
DROP INDEX IF EXISTS projects_name_part;
