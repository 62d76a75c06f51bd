-- +goose Up
-- Where a project was imported from, without credentials, and why that failed.
ALTER TABLE projects ADD COLUMN import_type text;
ALTER TABLE projects ADD COLUMN import_url text;
ALTER TABLE projects ADD COLUMN import_error text;

-- Imports that have not ended yet. sealed is the URL with its credentials; the row is removed at the end.
CREATE TABLE project_imports (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  user_id bigint REFERENCES users (id) ON DELETE SET NULL,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX project_imports_user_id ON project_imports (user_id);

-- +goose Down
DROP TABLE project_imports;
ALTER TABLE projects DROP COLUMN import_error;
ALTER TABLE projects DROP COLUMN import_url;
ALTER TABLE projects DROP COLUMN import_type;
