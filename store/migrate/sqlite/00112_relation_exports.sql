-- +goose Up
-- The export of the relations of a group or project: one, the newest.
CREATE TABLE relation_exports (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  batched boolean NOT NULL,
  state text NOT NULL,
  error text,
  expires_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((group_id IS NULL) <> (project_id IS NULL))
);
CREATE UNIQUE INDEX relation_exports_group_id ON relation_exports (group_id);
CREATE UNIQUE INDEX relation_exports_project_id ON relation_exports (project_id);
CREATE INDEX relation_exports_user_id ON relation_exports (user_id);
CREATE INDEX relation_exports_expires_at ON relation_exports (expires_at);
CREATE INDEX relation_exports_open ON relation_exports (id) WHERE state IN ('scheduled', 'started');

-- The files of the relations that are written. Their bytes are in the store of files.
CREATE TABLE relation_export_files (
  id integer PRIMARY KEY AUTOINCREMENT,
  export_id integer NOT NULL REFERENCES relation_exports (id) ON DELETE CASCADE,
  relation text NOT NULL,
  batch_number integer NOT NULL,
  records integer NOT NULL,
  key text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX relation_export_files_batch ON relation_export_files (export_id, relation, batch_number);

-- However rows go, their files follow.
-- +goose StatementBegin
CREATE TRIGGER relation_export_files_gone AFTER DELETE ON relation_export_files BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER relation_export_files_gone;
DROP TABLE relation_export_files;
DROP TABLE relation_exports;
