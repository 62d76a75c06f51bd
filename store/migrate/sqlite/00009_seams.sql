-- +goose Up
-- Pictures of users, groups and projects. Their owners know the name of the file alone, so that no list reads the bytes.
CREATE TABLE avatars (
  id integer PRIMARY KEY AUTOINCREMENT,
  kind text NOT NULL,
  owner_id integer NOT NULL,
  file_name text NOT NULL,
  content_type text NOT NULL,
  digest blob NOT NULL,
  data blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX avatars_owner_id ON avatars (owner_id, kind);
ALTER TABLE users ADD COLUMN avatar text;
ALTER TABLE namespaces ADD COLUMN avatar text;
-- Whose namespace it is; without it every group that is deleted has all users read.
CREATE UNIQUE INDEX users_namespace_id ON users (namespace_id);

-- Secrets were stored in clear before; who had a second factor has to set it up anew.
UPDATE users SET two_factor = false WHERE two_factor;
DELETE FROM recovery_codes;
DROP TABLE two_factors;
CREATE TABLE two_factors (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  otp_sealed blob NOT NULL,
  otp_step integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX two_factors_user_id ON two_factors (user_id);

-- Nobody knows the text that this was made of; what confirms an address is made when there is mail to send it.
UPDATE emails SET confirmation_digest = NULL, confirmation_expires_at = NULL;

-- +goose Down
UPDATE users SET two_factor = false WHERE two_factor;
DELETE FROM recovery_codes;
DROP TABLE two_factors;
CREATE TABLE two_factors (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  otp_secret text NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX two_factors_user_id ON two_factors (user_id);
DROP INDEX users_namespace_id;
ALTER TABLE namespaces DROP COLUMN avatar;
ALTER TABLE users DROP COLUMN avatar;
DROP TABLE avatars;
