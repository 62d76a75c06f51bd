-- +goose Up
-- Trigrams do not cross what is no letter or digit, so those of "r sch" would be found in every name that holds "sch".
-- Here such characters of ASCII are digits, and a term is found by all of its trigrams.
ALTER TABLE user_search ADD COLUMN folded text NOT NULL
  GENERATED ALWAYS AS (translate(names, ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '000000000000000000000000000000000')) STORED;
DROP INDEX IF EXISTS user_search_part;
-- +goose StatementBegin
DO $$
BEGIN
  CREATE INDEX user_search_part ON user_search USING gin (folded gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): search by part of a name has no index', SQLERRM;
END
$$;
-- +goose StatementEnd

-- +goose Down
DROP INDEX IF EXISTS user_search_part;
ALTER TABLE user_search DROP COLUMN folded;
-- +goose StatementBegin
DO $$
BEGIN
  CREATE INDEX user_search_part ON user_search USING gin (names gin_trgm_ops) WITH (fastupdate = off);
EXCEPTION
  WHEN undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): search by part of a name has no index', SQLERRM;
END
$$;
-- +goose StatementEnd
