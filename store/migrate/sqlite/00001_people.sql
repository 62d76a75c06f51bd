-- +goose Up
CREATE TABLE namespaces (
  id integer PRIMARY KEY AUTOINCREMENT,
  kind text NOT NULL,
  name text NOT NULL,
  path text NOT NULL,
  parent_id integer REFERENCES namespaces (id),
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX namespaces_path ON namespaces (coalesce(parent_id, 0), lower(path));

CREATE TABLE users (
  id integer PRIMARY KEY AUTOINCREMENT,
  username text NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'active',
  kind text NOT NULL DEFAULT 'human',
  admin boolean NOT NULL DEFAULT false,
  auditor boolean NOT NULL DEFAULT false,
  external boolean NOT NULL DEFAULT false,
  private_profile boolean NOT NULL DEFAULT false,
  two_factor boolean NOT NULL DEFAULT false,
  can_create_group boolean NOT NULL DEFAULT true,
  projects_limit integer NOT NULL DEFAULT 100000,
  theme_id integer NOT NULL DEFAULT 1,
  color_scheme_id integer NOT NULL DEFAULT 1,
  bio text NOT NULL DEFAULT '',
  location text,
  public_email text,
  commit_email text,
  skype text NOT NULL DEFAULT '',
  linkedin text NOT NULL DEFAULT '',
  twitter text NOT NULL DEFAULT '',
  discord text NOT NULL DEFAULT '',
  website_url text NOT NULL DEFAULT '',
  organization text,
  job_title text NOT NULL DEFAULT '',
  pronouns text,
  time_zone text,
  note text,
  followers integer NOT NULL DEFAULT 0,
  following integer NOT NULL DEFAULT 0,
  namespace_id integer REFERENCES namespaces (id),
  created_by_id integer REFERENCES users (id),
  locked_at datetime,
  confirmed_at datetime,
  last_sign_in_at datetime,
  current_sign_in_at datetime,
  last_activity_on date,
  email_reset_offered_at datetime,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  provisioned_by_group_id integer,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX users_username ON users (lower(username));
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE personal_access_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  digest blob NOT NULL,
  scopes text NOT NULL,
  impersonation boolean NOT NULL DEFAULT false,
  revoked boolean NOT NULL DEFAULT false,
  expires_at date,
  last_used_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX personal_access_tokens_digest ON personal_access_tokens (digest);
CREATE INDEX personal_access_tokens_user_id ON personal_access_tokens (user_id);

CREATE TABLE sessions (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  csrf_digest blob NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL
);
CREATE UNIQUE INDEX sessions_digest ON sessions (digest);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);

CREATE TABLE instance_variables (
  id integer PRIMARY KEY AUTOINCREMENT,
  key text NOT NULL,
  value text NOT NULL,
  description text,
  variable_type text NOT NULL DEFAULT 'env_var',
  protected boolean NOT NULL DEFAULT false,
  masked boolean NOT NULL DEFAULT false,
  raw boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX instance_variables_key ON instance_variables (key);

-- Requests counted by limit and window; written only where several processes share one database.
CREATE TABLE rate_counters (
  key text NOT NULL,
  starts_at datetime NOT NULL,
  ends_at datetime NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (key, starts_at)
);
CREATE INDEX rate_counters_ends_at ON rate_counters (ends_at);

-- +goose Down
DROP TABLE rate_counters;
DROP TABLE instance_variables;
DROP TABLE sessions;
DROP TABLE personal_access_tokens;
DROP TABLE users;
DROP TABLE namespaces;
