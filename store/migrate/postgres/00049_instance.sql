-- +goose Up
-- The instance itself: its id is in the root of every storage. key_check shows that a secret key is the one that secrets were
-- sealed with. first_token_id and first_password are what the first start made up and nobody has used yet.
CREATE TABLE instance (
  one smallint PRIMARY KEY CHECK (one = 1),
  id text NOT NULL,
  key_check bytea,
  first_token_id bigint REFERENCES personal_access_tokens (id) ON DELETE SET NULL,
  first_password text,
  program text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX instance_first_token_id ON instance (first_token_id) WHERE first_token_id IS NOT NULL;
-- The storages that were marked as this instance's.
CREATE TABLE instance_storages (
  name text PRIMARY KEY,
  created_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE instance_storages;
DROP TABLE instance;
