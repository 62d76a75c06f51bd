-- +goose Up
-- The files that jobs keep. Their bytes are in the store of files, under their key.
CREATE TABLE job_artifacts (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  job_id integer NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  file_type text NOT NULL,
  file_format text NOT NULL,
  filename text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  key text NOT NULL,
  created_at datetime NOT NULL,
  expire_at datetime
);
CREATE UNIQUE INDEX job_artifacts_type ON job_artifacts (job_id, file_type);
CREATE INDEX job_artifacts_project ON job_artifacts (project_id, id);
CREATE INDEX job_artifacts_expire_at ON job_artifacts (expire_at, id) WHERE expire_at IS NOT NULL;

-- Files that are to be removed from the store of files once they are due. One that is being written is listed with a time far
-- ahead, and taken off the list by the transaction that keeps it, so that a killed server leaves nothing for ever.
CREATE TABLE blob_removals (
  key text PRIMARY KEY,
  due_at datetime NOT NULL
);
CREATE INDEX blob_removals_due_at ON blob_removals (due_at);

-- However rows go, with their project or pipeline or alone, their files follow.
-- +goose StatementBegin
CREATE TRIGGER job_artifacts_gone AFTER DELETE ON job_artifacts BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER jobs_gone AFTER DELETE ON jobs WHEN old.started_at IS NOT NULL AND NOT old.bridge BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES ('logs/' || old.id, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER jobs_gone;
DROP TRIGGER job_artifacts_gone;
DROP TABLE blob_removals;
DROP TABLE job_artifacts;
