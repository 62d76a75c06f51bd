-- +goose Up
CREATE TABLE user_statuses (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  emoji text NOT NULL,
  availability text NOT NULL,
  message text,
  clear_status_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX user_statuses_user_id ON user_statuses (user_id);
CREATE INDEX user_statuses_clear_status_at ON user_statuses (clear_status_at) WHERE clear_status_at IS NOT NULL;

CREATE TABLE user_follows (
  id integer PRIMARY KEY AUTOINCREMENT,
  follower_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  followee_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX user_follows_pair ON user_follows (follower_id, followee_id);
CREATE INDEX user_follows_follower_id ON user_follows (follower_id, id);
CREATE INDEX user_follows_followee_id ON user_follows (followee_id, id);

CREATE TABLE emails (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email text NOT NULL,
  confirmed_at datetime,
  confirmation_digest blob,
  confirmation_expires_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX emails_email ON emails (lower(email));
CREATE UNIQUE INDEX emails_confirmation_digest ON emails (confirmation_digest);
CREATE INDEX emails_user_id ON emails (user_id, id);

CREATE TABLE user_preferences (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  view_diffs_file_by_file boolean NOT NULL DEFAULT false,
  show_whitespace_in_diffs boolean NOT NULL DEFAULT true,
  pass_user_identities_to_ci_jwt boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX user_preferences_user_id ON user_preferences (user_id);

CREATE TABLE keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  key text NOT NULL,
  fingerprint_sha256 text NOT NULL,
  fingerprint_md5 text NOT NULL,
  usage_type text NOT NULL DEFAULT 'auth_and_signing',
  expires_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX keys_fingerprint_sha256 ON keys (fingerprint_sha256);
CREATE INDEX keys_fingerprint_md5 ON keys (fingerprint_md5);
CREATE INDEX keys_user_id ON keys (user_id, id);

CREATE TABLE gpg_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  fingerprint text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX gpg_keys_fingerprint ON gpg_keys (fingerprint);
CREATE INDEX gpg_keys_user_id ON gpg_keys (user_id, id);

-- +goose Down
DROP TABLE gpg_keys;
DROP TABLE keys;
DROP TABLE user_preferences;
DROP TABLE emails;
DROP TABLE user_follows;
DROP TABLE user_statuses;
