-- +goose Up
-- The file in the default branch's root that tells what a project is; kept with each push.
ALTER TABLE projects ADD COLUMN readme_path text;

-- Repositories that have changed since they were measured.
CREATE TABLE repository_changes (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  changed_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE repository_changes;
ALTER TABLE projects DROP COLUMN readme_path;
