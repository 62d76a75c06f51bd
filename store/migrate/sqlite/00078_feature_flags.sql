-- +goose Up
-- Switches of projects that programs read while they run.
CREATE TABLE feature_flags (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  active boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX feature_flags_name ON feature_flags (project_id, name);

-- Lists of users that strategies can name.
CREATE TABLE feature_flag_user_lists (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  name text NOT NULL,
  user_xids text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX feature_flag_user_lists_iid ON feature_flag_user_lists (project_id, iid);
CREATE UNIQUE INDEX feature_flag_user_lists_name ON feature_flag_user_lists (project_id, name);

-- Rules that decide for whom a flag is on. The parameters are JSON.
CREATE TABLE feature_flag_strategies (
  id integer PRIMARY KEY AUTOINCREMENT,
  feature_flag_id integer NOT NULL REFERENCES feature_flags (id) ON DELETE CASCADE,
  name text NOT NULL,
  parameters text NOT NULL,
  user_list_id integer REFERENCES feature_flag_user_lists (id) ON DELETE CASCADE
);
CREATE INDEX feature_flag_strategies_feature_flag_id ON feature_flag_strategies (feature_flag_id, id);
CREATE INDEX feature_flag_strategies_user_list_id ON feature_flag_strategies (user_list_id) WHERE user_list_id IS NOT NULL;

-- Environments for which a strategy applies.
CREATE TABLE feature_flag_scopes (
  id integer PRIMARY KEY AUTOINCREMENT,
  strategy_id integer NOT NULL REFERENCES feature_flag_strategies (id) ON DELETE CASCADE,
  environment_scope text NOT NULL
);
CREATE INDEX feature_flag_scopes_strategy_id ON feature_flag_scopes (strategy_id, id);

-- The secret with which programs read the flags of a project.
CREATE TABLE feature_flag_clients (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);

-- +goose Down
DROP TABLE feature_flag_clients;
DROP TABLE feature_flag_scopes;
DROP TABLE feature_flag_strategies;
DROP TABLE feature_flag_user_lists;
DROP TABLE feature_flags;
