-- +goose Up
-- What people say about a commit, as a whole or about a line.
CREATE TABLE commit_notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  commit_id text NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  note text NOT NULL,
  path text,
  line integer,
  line_type text,
  created_at datetime NOT NULL
);
CREATE INDEX commit_notes_commit_id ON commit_notes (project_id, commit_id, id);
CREATE INDEX commit_notes_author_id ON commit_notes (author_id);

-- What other services report of a commit.
CREATE TABLE commit_statuses (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  commit_id text NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ref text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  target_url text,
  description text,
  coverage double precision,
  created_at datetime NOT NULL,
  started_at datetime,
  finished_at datetime
);
CREATE INDEX commit_statuses_commit_id ON commit_statuses (project_id, commit_id, ref, name, id);
CREATE INDEX commit_statuses_author_id ON commit_statuses (author_id);

-- +goose Down
DROP TABLE commit_statuses;
DROP TABLE commit_notes;
