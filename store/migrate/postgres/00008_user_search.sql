-- +goose Up
-- For search by part of a name: the names alone, so that looking along them reads little. SQLite has a table of trigrams
-- with this name.
CREATE TABLE user_search (
  id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  names text NOT NULL -- the name and the username, lowered, each behind a line feed
);
INSERT INTO user_search (id, names) SELECT id, E'\n' || lower(name) || E'\n' || lower(username) FROM users ORDER BY id;

-- +goose StatementBegin
CREATE FUNCTION user_search_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_search (id, names) VALUES (new.id, E'\n' || lower(new.name) || E'\n' || lower(new.username))
    ON CONFLICT (id) DO UPDATE SET names = excluded.names;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER user_search_insert AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION user_search_keep();
CREATE TRIGGER user_search_update AFTER UPDATE OF name, username ON users FOR EACH ROW
  WHEN (old.name <> new.name OR old.username <> new.username) EXECUTE FUNCTION user_search_keep();

DROP INDEX IF EXISTS users_name_part;
DROP INDEX IF EXISTS users_username_part;
-- Where the extension cannot be had, the same queries read the whole table of names.
-- +goose StatementBegin
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX user_search_part ON user_search USING gin (names gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): search by part of a name has no index', SQLERRM;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER user_search_update ON users;
DROP TRIGGER user_search_insert ON users;
DROP FUNCTION user_search_keep();
DROP TABLE user_search;
-- +goose StatementBegin
DO $$
BEGIN
  CREATE INDEX users_name_part ON users USING gin (lower(name) gin_trgm_ops) WITH (fastupdate = off);
  CREATE INDEX users_username_part ON users USING gin (lower(username) gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): search by part of a name has no index', SQLERRM;
END
$$;
-- +goose StatementEnd
