-- +goose Up
-- One version of a package. A Maven package without a version holds the list of the versions of its artifact.
CREATE TABLE packages (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  package_type text NOT NULL,
  name text NOT NULL,
  -- The name by which clients find the package: for PyPI the normalized name, for other types the name itself.
  search_name text NOT NULL,
  version text,
  status text NOT NULL,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  -- What the type of the package stores beside its files, as JSON.
  metadata text NOT NULL DEFAULT '{}',
  last_downloaded_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX packages_version ON packages (project_id, package_type, name, coalesce(version, ''));
CREATE INDEX packages_search_name ON packages (package_type, search_name, project_id);
CREATE INDEX packages_project ON packages (project_id, created_at, id);
CREATE INDEX packages_creator ON packages (creator_id) WHERE creator_id IS NOT NULL;

-- The files of packages. Their bytes are in the store of files, under their key.
CREATE TABLE package_files (
  id integer PRIMARY KEY AUTOINCREMENT,
  package_id integer NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  file_name text NOT NULL,
  size integer NOT NULL,
  file_md5 text NOT NULL,
  file_sha1 text NOT NULL,
  file_sha256 text NOT NULL,
  key text NOT NULL,
  -- The pipeline whose job uploaded the file.
  pipeline_id integer REFERENCES pipelines (id) ON DELETE SET NULL,
  -- What the type of the package stores for each file, as JSON.
  metadata text NOT NULL DEFAULT '{}',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX package_files_name ON package_files (package_id, file_name, id);
CREATE INDEX package_files_sha256 ON package_files (file_sha256);
CREATE INDEX package_files_pipeline ON package_files (pipeline_id) WHERE pipeline_id IS NOT NULL;

-- The pipelines whose jobs published a package.
CREATE TABLE package_pipelines (
  package_id integer NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  PRIMARY KEY (package_id, pipeline_id)
);
CREATE INDEX package_pipelines_pipeline ON package_pipelines (pipeline_id);

-- The dist-tags of npm packages: each names one version.
CREATE TABLE package_tags (
  id integer PRIMARY KEY AUTOINCREMENT,
  package_id integer NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX package_tags_name ON package_tags (package_id, name);

CREATE TABLE package_protection_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  package_name_pattern text NOT NULL,
  package_type text NOT NULL,
  minimum_access_level_for_push text,
  minimum_access_level_for_delete text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX package_protection_rules_pattern
  ON package_protection_rules (project_id, package_type, package_name_pattern);

-- However rows go, with their project or package or alone, their files follow.
-- +goose StatementBegin
CREATE TRIGGER package_files_gone AFTER DELETE ON package_files BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER package_files_gone;
DROP TABLE package_protection_rules;
DROP TABLE package_tags;
DROP TABLE package_pipelines;
DROP TABLE package_files;
DROP TABLE packages;
