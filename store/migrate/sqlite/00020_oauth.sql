-- +goose Up
-- Programs that act for users. Owned by a user, by a group, or by the instance (neither).
CREATE TABLE oauth_applications (
  id integer PRIMARY KEY AUTOINCREMENT,
  uid text NOT NULL,
  name text NOT NULL,
  secret_digest blob NOT NULL,
  redirect_uri text NOT NULL,
  scopes text NOT NULL,
  confidential boolean NOT NULL,
  trusted boolean NOT NULL,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  namespace_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX oauth_applications_uid ON oauth_applications (uid);
CREATE INDEX oauth_applications_user_id ON oauth_applications (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_applications_namespace_id ON oauth_applications (namespace_id) WHERE namespace_id IS NOT NULL;

-- What a user has allowed an application, and the code that the application gets for it.
CREATE TABLE oauth_grants (
  id integer PRIMARY KEY AUTOINCREMENT,
  application_id integer NOT NULL REFERENCES oauth_applications (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  redirect_uri text NOT NULL,
  scopes text NOT NULL,
  code_challenge text NOT NULL,
  nonce text NOT NULL,
  ticket blob,
  signed_in_at datetime NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL,
  used_at datetime
);
CREATE UNIQUE INDEX oauth_grants_digest ON oauth_grants (digest);
CREATE UNIQUE INDEX oauth_grants_ticket ON oauth_grants (ticket) WHERE ticket IS NOT NULL;
CREATE INDEX oauth_grants_application_id ON oauth_grants (application_id);
CREATE INDEX oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at);

-- An access token with the refresh token that belongs to it. A password gives one without grant and refresh token.
CREATE TABLE oauth_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  application_id integer REFERENCES oauth_applications (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  grant_id integer REFERENCES oauth_grants (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  refresh_digest blob,
  scopes text NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL,
  revoked_at datetime,
  refreshed_at datetime
);
CREATE UNIQUE INDEX oauth_tokens_digest ON oauth_tokens (digest);
CREATE UNIQUE INDEX oauth_tokens_refresh_digest ON oauth_tokens (refresh_digest) WHERE refresh_digest IS NOT NULL;
CREATE INDEX oauth_tokens_grant_id ON oauth_tokens (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_tokens_application_id ON oauth_tokens (application_id) WHERE application_id IS NOT NULL;
CREATE INDEX oauth_tokens_user_id ON oauth_tokens (user_id, application_id);
CREATE INDEX oauth_tokens_expires_at ON oauth_tokens (expires_at);

-- The keys that sign ID tokens. The private half is sealed with the instance's secret key.
CREATE TABLE oauth_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  kid text NOT NULL,
  public blob NOT NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX oauth_keys_kid ON oauth_keys (kid);

-- The explorer of the API signs in by the same door as others. Its redirect URI is under the instance's own URL.
INSERT INTO oauth_applications (uid, name, secret_digest, redirect_uri, scopes, confidential, trusted, created_at, updated_at)
VALUES ('c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4', 'API explorer', x'', '',
  'api read_api read_user openid profile email', false, false, '2026-11-15 00:00:00+00:00', '2026-11-15 00:00:00+00:00');

-- +goose Down
DROP TABLE oauth_keys;
DROP TABLE oauth_tokens;
DROP TABLE oauth_grants;
DROP TABLE oauth_applications;
