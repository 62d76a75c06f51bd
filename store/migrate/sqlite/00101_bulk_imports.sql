-- +goose Up
-- Imports of groups and projects from other instances. sealed is the access token for the other instance; null after the end.
CREATE TABLE bulk_imports (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source_url text NOT NULL,
  sealed blob,
  status text NOT NULL,
  has_failures boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX bulk_imports_user_id ON bulk_imports (user_id, id);
CREATE INDEX bulk_imports_sealed ON bulk_imports (created_at) WHERE sealed IS NOT NULL;

-- Groups and projects of imports. stage and page say what is copied next; attempts counts the requests for it that failed.
CREATE TABLE bulk_import_entities (
  id integer PRIMARY KEY AUTOINCREMENT,
  bulk_import_id integer NOT NULL REFERENCES bulk_imports (id) ON DELETE CASCADE,
  parent_id integer REFERENCES bulk_import_entities (id) ON DELETE CASCADE,
  entity_type text NOT NULL,
  source_full_path text NOT NULL,
  destination_slug text NOT NULL,
  destination_namespace text NOT NULL,
  migrate_projects boolean NOT NULL,
  migrate_memberships boolean NOT NULL,
  status text NOT NULL,
  namespace_id integer REFERENCES namespaces (id) ON DELETE SET NULL,
  project_id integer REFERENCES projects (id) ON DELETE SET NULL,
  stage text NOT NULL,
  page integer NOT NULL,
  attempts integer NOT NULL,
  stats text NOT NULL,
  has_failures boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX bulk_import_entities_bulk_import_id ON bulk_import_entities (bulk_import_id, id);
CREATE INDEX bulk_import_entities_parent_id ON bulk_import_entities (parent_id);
CREATE INDEX bulk_import_entities_namespace_id ON bulk_import_entities (namespace_id);
CREATE INDEX bulk_import_entities_project_id ON bulk_import_entities (project_id);

-- What could not be copied.
CREATE TABLE bulk_import_failures (
  id integer PRIMARY KEY AUTOINCREMENT,
  entity_id integer NOT NULL REFERENCES bulk_import_entities (id) ON DELETE CASCADE,
  relation text NOT NULL,
  exception_class text NOT NULL,
  exception_message text NOT NULL,
  source_url text,
  source_title text,
  created_at datetime NOT NULL
);
CREATE INDEX bulk_import_failures_entity_id ON bulk_import_failures (entity_id, id);

-- +goose Down
DROP TABLE bulk_import_failures;
DROP TABLE bulk_import_entities;
DROP TABLE bulk_imports;
