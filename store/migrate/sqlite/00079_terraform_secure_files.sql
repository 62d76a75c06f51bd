-- +goose Up
-- Terraform states of projects, with their locks. A state without a version is only locked.
CREATE TABLE terraform_states (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  lock_id text,
  lock_info text,
  locked_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  locked_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX terraform_states_name ON terraform_states (project_id, name);
CREATE INDEX terraform_states_locked_by_id ON terraform_states (locked_by_id) WHERE locked_by_id IS NOT NULL;

-- Versions of Terraform states, encrypted.
CREATE TABLE terraform_state_versions (
  id integer PRIMARY KEY AUTOINCREMENT,
  state_id integer NOT NULL REFERENCES terraform_states (id) ON DELETE CASCADE,
  serial integer NOT NULL,
  size integer NOT NULL,
  checksum text NOT NULL,
  sealed blob NOT NULL,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX terraform_state_versions_serial ON terraform_state_versions (state_id, serial);
CREATE INDEX terraform_state_versions_state_id ON terraform_state_versions (state_id, id);
CREATE INDEX terraform_state_versions_created_by_id ON terraform_state_versions (created_by_id) WHERE created_by_id IS NOT NULL;

-- Files that jobs need and that must not be in the repository, encrypted. The metadata are JSON.
CREATE TABLE secure_files (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  size integer NOT NULL,
  checksum text NOT NULL,
  metadata text,
  expires_at datetime,
  sealed blob NOT NULL,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX secure_files_name ON secure_files (project_id, name);
CREATE INDEX secure_files_created_by_id ON secure_files (created_by_id) WHERE created_by_id IS NOT NULL;

-- +goose Down
DROP TABLE secure_files;
DROP TABLE terraform_state_versions;
DROP TABLE terraform_states;
