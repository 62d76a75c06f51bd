-- +goose Up
CREATE TABLE access_requests (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX access_requests_source ON access_requests (source_type, source_id, user_id);
CREATE INDEX access_requests_user_id ON access_requests (user_id);
CREATE INDEX group_links_expires_at ON group_links (expires_at) WHERE expires_at IS NOT NULL;

-- +goose Down
DROP INDEX group_links_expires_at;
DROP TABLE access_requests;
