-- +goose Up
ALTER TABLE users ADD COLUMN password_expires_at datetime;
ALTER TABLE users ADD COLUMN current_sign_in_ip text;
ALTER TABLE users ADD COLUMN last_sign_in_ip text;
ALTER TABLE users ADD COLUMN sign_in_count integer NOT NULL DEFAULT 0;
CREATE INDEX users_by_name ON users (name, id);
CREATE INDEX users_by_username ON users (username, id);
CREATE INDEX users_created_at ON users (created_at, id);
CREATE INDEX users_updated_at ON users (updated_at, id);
CREATE INDEX users_created_by_id ON users (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX users_public_email ON users (lower(public_email)) WHERE public_email IS NOT NULL;
-- For search by the beginning of a name; lower(username) has its unique index.
CREATE INDEX users_name_prefix ON users (lower(name));

-- For search by part of a name.
CREATE VIRTUAL TABLE user_search USING fts5 (name, username, content = 'users', content_rowid = 'id', tokenize = 'trigram');
INSERT INTO user_search (user_search) VALUES ('rebuild');
-- +goose StatementBegin
CREATE TRIGGER user_search_insert AFTER INSERT ON users BEGIN
  INSERT INTO user_search (rowid, name, username) VALUES (new.id, new.name, new.username);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER user_search_delete AFTER DELETE ON users BEGIN
  INSERT INTO user_search (user_search, rowid, name, username) VALUES ('delete', old.id, old.name, old.username);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER user_search_update AFTER UPDATE OF id, name, username ON users BEGIN
  INSERT INTO user_search (user_search, rowid, name, username) VALUES ('delete', old.id, old.name, old.username);
  INSERT INTO user_search (rowid, name, username) VALUES (new.id, new.name, new.username);
END;
-- +goose StatementEnd

CREATE TABLE identities (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider text NOT NULL,
  extern_uid text NOT NULL,
  saml_provider_id integer,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX identities_extern_uid ON identities (lower(extern_uid), provider);
CREATE UNIQUE INDEX identities_user_id ON identities (user_id, provider);

CREATE TABLE user_custom_attributes (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX user_custom_attributes_user_id ON user_custom_attributes (user_id, key);
CREATE INDEX user_custom_attributes_key ON user_custom_attributes (key, user_id);

CREATE INDEX users_last_activity_on ON users (last_activity_on, id) WHERE last_activity_on IS NOT NULL;

CREATE TABLE two_factors (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  otp_secret text NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX two_factors_user_id ON two_factors (user_id);

CREATE TABLE recovery_codes (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest blob NOT NULL
);
CREATE UNIQUE INDEX recovery_codes_user_id ON recovery_codes (user_id, digest);

-- +goose Down
DROP TABLE recovery_codes;
DROP TABLE two_factors;
DROP INDEX users_last_activity_on;
DROP TABLE user_custom_attributes;
DROP TABLE identities;
DROP TRIGGER user_search_update;
DROP TRIGGER user_search_delete;
DROP TRIGGER user_search_insert;
DROP TABLE user_search;
DROP INDEX users_name_prefix;
DROP INDEX users_public_email;
DROP INDEX users_created_by_id;
DROP INDEX users_updated_at;
DROP INDEX users_created_at;
DROP INDEX users_by_username;
DROP INDEX users_by_name;
ALTER TABLE users DROP COLUMN sign_in_count;
ALTER TABLE users DROP COLUMN last_sign_in_ip;
ALTER TABLE users DROP COLUMN current_sign_in_ip;
ALTER TABLE users DROP COLUMN password_expires_at;
