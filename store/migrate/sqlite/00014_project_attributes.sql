-- +goose Up
-- How far the copying of a repository into the project is: none, scheduled, started, finished or failed.
ALTER TABLE projects ADD COLUMN import_status text NOT NULL DEFAULT 'none';

CREATE TABLE project_custom_attributes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX project_custom_attributes_project_id ON project_custom_attributes (project_id, key);
CREATE INDEX project_custom_attributes_key ON project_custom_attributes (key, project_id);

-- +goose Down
DROP TABLE project_custom_attributes;
ALTER TABLE projects DROP COLUMN import_status;
