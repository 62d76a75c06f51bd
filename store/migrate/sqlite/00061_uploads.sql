-- +goose Up
-- The files that users attach to texts. Their bytes are in the store of files, under their key. Whoever knows the secret
-- can find the file.
CREATE TABLE uploads (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  secret text NOT NULL,
  filename text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  key text NOT NULL,
  uploaded_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE UNIQUE INDEX uploads_secret ON uploads (secret);
CREATE INDEX uploads_project_id ON uploads (project_id, created_at, id) WHERE project_id IS NOT NULL;
CREATE INDEX uploads_group_id ON uploads (group_id, created_at, id) WHERE group_id IS NOT NULL;
CREATE INDEX uploads_uploaded_by_id ON uploads (uploaded_by_id) WHERE uploaded_by_id IS NOT NULL;

-- However rows go, with their project or group or alone, their files follow.
-- +goose StatementBegin
CREATE TRIGGER uploads_gone AFTER DELETE ON uploads BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER uploads_gone;
DROP TABLE uploads;
