-- +goose Up
-- The export of a project: one, the newest. Its bytes are in the store of files, once it has a key.
CREATE TABLE project_exports (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  description text,
  filename text NOT NULL,
  key text,
  size integer NOT NULL,
  sha256 text NOT NULL,
  error text,
  expires_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX project_exports_project_id ON project_exports (project_id);
CREATE INDEX project_exports_user_id ON project_exports (user_id);
CREATE INDEX project_exports_expires_at ON project_exports (expires_at);
CREATE INDEX project_exports_open ON project_exports (id) WHERE state IN ('scheduled', 'started');

-- Imports of projects from files that have not ended yet. The archive has a key once it is uploaded or downloaded.
CREATE TABLE project_file_imports (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  key text,
  size integer NOT NULL,
  overrides text NOT NULL,
  imported integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX project_file_imports_project_id ON project_file_imports (project_id);
CREATE INDEX project_file_imports_user_id ON project_file_imports (user_id);

-- Records of an archive that could not be imported.
CREATE TABLE project_import_failures (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  relation text NOT NULL,
  line integer NOT NULL,
  message text NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX project_import_failures_project_id ON project_import_failures (project_id, id);

-- However rows go, their files follow.
-- +goose StatementBegin
CREATE TRIGGER project_exports_gone AFTER DELETE ON project_exports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_file_imports_gone AFTER DELETE ON project_file_imports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER project_file_imports_gone;
DROP TRIGGER project_exports_gone;
DROP TABLE project_import_failures;
DROP TABLE project_file_imports;
DROP TABLE project_exports;
