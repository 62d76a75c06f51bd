-- +goose Up
-- Repositories on other servers that branches and tags of a project are pushed to. url is shown and has no credentials;
-- sealed is the whole URL. changed_at is the time of the last push to the project that the mirror does not have; failures
-- counts the updates that failed since the last success, and no update is queued before next_at.
CREATE TABLE remote_mirrors (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  url text NOT NULL,
  sealed blob NOT NULL,
  enabled boolean NOT NULL,
  only_protected_branches boolean NOT NULL,
  keep_divergent_refs boolean NOT NULL,
  mirror_branch_regex text,
  update_status text NOT NULL,
  last_update_at datetime,
  last_update_started_at datetime,
  last_successful_update_at datetime,
  last_error text,
  failures bigint NOT NULL,
  next_at datetime,
  changed_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX remote_mirrors_project_id ON remote_mirrors (project_id, id);
CREATE INDEX remote_mirrors_changed_at ON remote_mirrors (changed_at) WHERE changed_at IS NOT NULL;

-- Repositories on other servers that projects pull branches and tags from. next_at is the time of the next pull; null
-- after too many failures.
CREATE TABLE pull_mirrors (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL UNIQUE REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  url text NOT NULL,
  sealed blob NOT NULL,
  enabled boolean NOT NULL,
  mirror_trigger_builds boolean NOT NULL,
  only_mirror_protected_branches boolean NOT NULL,
  mirror_overwrites_diverged_branches boolean NOT NULL,
  mirror_branch_regex text,
  update_status text NOT NULL,
  last_update_at datetime,
  last_update_started_at datetime,
  last_successful_update_at datetime,
  last_error text,
  failures integer NOT NULL,
  next_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX pull_mirrors_user_id ON pull_mirrors (user_id);
CREATE INDEX pull_mirrors_next_at ON pull_mirrors (next_at) WHERE next_at IS NOT NULL;

-- +goose Down
DROP TABLE pull_mirrors;
DROP TABLE remote_mirrors;
