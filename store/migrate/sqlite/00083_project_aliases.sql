-- +goose Up
-- Short names by which git clients find projects, besides their paths.
CREATE TABLE project_aliases (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX project_aliases_name ON project_aliases (name);
CREATE INDEX project_aliases_project ON project_aliases (project_id);

-- +goose Down
DROP TABLE project_aliases;
