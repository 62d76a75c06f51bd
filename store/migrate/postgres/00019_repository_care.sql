-- +goose Up
-- What one push is about to change has one name, and is ended as one.
ALTER TABLE pushes ADD COLUMN batch text NOT NULL DEFAULT '';
ALTER TABLE pushes ADD COLUMN options text NOT NULL DEFAULT '';
UPDATE pushes SET batch = 'note ' || id;
DROP INDEX pushes_project_id;
DROP INDEX pushes_created_at;
CREATE INDEX pushes_batch ON pushes (project_id, batch);

-- Repositories whose projects are gone: written in the transaction that deletes them, and worked off by a job.
CREATE TABLE deleted_repositories (
  project_id bigint PRIMARY KEY,
  storage text NOT NULL,
  created_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE deleted_repositories;
DROP INDEX pushes_batch;
CREATE INDEX pushes_created_at ON pushes (created_at);
CREATE INDEX pushes_project_id ON pushes (project_id);
ALTER TABLE pushes DROP COLUMN options;
ALTER TABLE pushes DROP COLUMN batch;
