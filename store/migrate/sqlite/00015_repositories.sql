-- +goose Up
ALTER TABLE projects ADD COLUMN empty_repo boolean NOT NULL DEFAULT true;
ALTER TABLE projects ADD COLUMN repository_read_only boolean NOT NULL DEFAULT false;
ALTER TABLE projects ADD COLUMN repository_size integer NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN commit_count integer NOT NULL DEFAULT 0;

-- Who may push to and merge into branches: a name, or a pattern with *.
CREATE TABLE protected_branches (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  push_access_level integer NOT NULL,
  merge_access_level integer NOT NULL,
  unprotect_access_level integer NOT NULL,
  allow_force_push boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX protected_branches_name ON protected_branches (project_id, name);

CREATE TABLE protected_tags (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  create_access_level integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX protected_tags_name ON protected_tags (project_id, name);

-- What a push is about to change: written before the refs are, and gone once the event is there. What a killed server has
-- left here is looked up in the repository.
CREATE TABLE pushes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  ref text NOT NULL,
  old_id text NOT NULL,
  new_id text NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX pushes_project_id ON pushes (project_id);
CREATE INDEX pushes_created_at ON pushes (created_at);

CREATE TABLE events (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  action text NOT NULL,
  target_type text,
  target_id integer,
  commit_count integer,
  push_action text,
  ref_type text,
  commit_from text,
  commit_to text,
  ref text,
  commit_title text,
  ref_count integer,
  created_at datetime NOT NULL
);
CREATE INDEX events_project_id ON events (project_id, id);
CREATE INDEX events_author_id ON events (author_id, id);
CREATE INDEX events_created_at ON events (created_at);

-- +goose Down
DROP TABLE events;
DROP TABLE pushes;
DROP TABLE protected_tags;
DROP TABLE protected_branches;
ALTER TABLE projects DROP COLUMN commit_count;
ALTER TABLE projects DROP COLUMN repository_size;
ALTER TABLE projects DROP COLUMN repository_read_only;
ALTER TABLE projects DROP COLUMN empty_repo;
