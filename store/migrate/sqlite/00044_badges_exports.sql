-- +goose Up
-- Pictures with links that projects and groups show.
CREATE TABLE badges (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text,
  link_url text NOT NULL,
  image_url text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE INDEX badges_project_id ON badges (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX badges_group_id ON badges (group_id, id) WHERE group_id IS NOT NULL;

-- The export of a group: one, the newest. Its bytes are in the store of files, once it has a key.
CREATE TABLE group_exports (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  filename text NOT NULL,
  key text,
  size integer NOT NULL,
  sha256 text NOT NULL,
  error text,
  expires_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX group_exports_group_id ON group_exports (group_id);
CREATE INDEX group_exports_user_id ON group_exports (user_id);
CREATE INDEX group_exports_expires_at ON group_exports (expires_at);
CREATE INDEX group_exports_open ON group_exports (id) WHERE state IN ('scheduled', 'started');

-- The import that a group came from. The archive is kept until it is unpacked.
CREATE TABLE group_imports (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  key text,
  size integer NOT NULL,
  records integer NOT NULL,
  imported integer NOT NULL,
  skipped_members integer NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX group_imports_group_id ON group_imports (group_id);
CREATE INDEX group_imports_user_id ON group_imports (user_id);
CREATE INDEX group_imports_open ON group_imports (id) WHERE state IN ('scheduled', 'started');

-- However rows go, their files follow.
-- +goose StatementBegin
CREATE TRIGGER group_exports_gone AFTER DELETE ON group_exports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER group_imports_gone AFTER DELETE ON group_imports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER group_imports_gone;
DROP TRIGGER group_exports_gone;
DROP TABLE group_imports;
DROP TABLE group_exports;
DROP TABLE badges;
