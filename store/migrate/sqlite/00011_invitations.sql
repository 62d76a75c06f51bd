-- +goose Up
-- Addresses that nobody has confirmed yet; who does becomes a member.
CREATE TABLE invitations (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  email text NOT NULL,
  access_level integer NOT NULL,
  expires_at date,
  token_digest blob NOT NULL,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX invitations_source ON invitations (source_type, source_id, lower(email));
CREATE UNIQUE INDEX invitations_token_digest ON invitations (token_digest);
CREATE INDEX invitations_email ON invitations (lower(email));
CREATE INDEX invitations_created_by_id ON invitations (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX invitations_expires_at ON invitations (expires_at) WHERE expires_at IS NOT NULL;

-- +goose Down
DROP TABLE invitations;
