-- +goose Up
-- What a person sees of their own sessions, and how long a browser is remembered.
ALTER TABLE sessions ADD COLUMN ip text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN user_agent text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN remembered boolean NOT NULL DEFAULT false;
ALTER TABLE sessions ADD COLUMN last_used_at datetime;

ALTER TABLE users ADD COLUMN failed_attempts integer NOT NULL DEFAULT 0;

-- What a link in a mail opens: only the digest of its token is kept. One table for all kinds of link.
DROP INDEX emails_confirmation_digest;
ALTER TABLE emails DROP COLUMN confirmation_digest;
ALTER TABLE emails DROP COLUMN confirmation_expires_at;
CREATE TABLE mailed_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose text NOT NULL,
  email text NOT NULL,
  digest blob NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL
);
CREATE UNIQUE INDEX mailed_tokens_digest ON mailed_tokens (digest);
CREATE INDEX mailed_tokens_user_id ON mailed_tokens (user_id);
CREATE INDEX mailed_tokens_expires_at ON mailed_tokens (expires_at);

-- +goose Down
DROP TABLE mailed_tokens;
ALTER TABLE emails ADD COLUMN confirmation_digest blob;
ALTER TABLE emails ADD COLUMN confirmation_expires_at datetime;
CREATE UNIQUE INDEX emails_confirmation_digest ON emails (confirmation_digest);
ALTER TABLE users DROP COLUMN failed_attempts;
ALTER TABLE sessions DROP COLUMN last_used_at;
ALTER TABLE sessions DROP COLUMN remembered;
ALTER TABLE sessions DROP COLUMN user_agent;
ALTER TABLE sessions DROP COLUMN ip;
