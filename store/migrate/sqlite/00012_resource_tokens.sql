-- +goose Up
-- The bot users that access tokens of groups and projects act as, and whose they are.
CREATE TABLE bots (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX bots_source ON bots (source_type, source_id);

CREATE TABLE deploy_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  name text NOT NULL,
  username text,
  digest blob NOT NULL,
  scopes text NOT NULL,
  revoked boolean NOT NULL DEFAULT false,
  expires_at datetime,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX deploy_tokens_digest ON deploy_tokens (digest);
CREATE INDEX deploy_tokens_source ON deploy_tokens (source_type, source_id, id);
CREATE INDEX deploy_tokens_creator_id ON deploy_tokens (creator_id) WHERE creator_id IS NOT NULL;

-- +goose Down
DROP TABLE deploy_tokens;
DROP TABLE bots;
