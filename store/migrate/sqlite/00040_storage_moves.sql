-- +goose Up
CREATE TABLE project_storage_moves (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  state text NOT NULL,
  source_storage text NOT NULL,
  destination_storage text NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX project_storage_moves_project_id ON project_storage_moves (project_id, id);
CREATE INDEX project_storage_moves_open ON project_storage_moves (id) WHERE state IN ('scheduled', 'started', 'replicated');

-- +goose Down
DROP TABLE project_storage_moves;
