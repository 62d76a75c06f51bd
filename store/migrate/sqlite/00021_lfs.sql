-- +goose Up
ALTER TABLE projects ADD COLUMN lfs_objects_size integer NOT NULL DEFAULT 0;

-- Large files, each kept once, by the SHA-256 of its content.
CREATE TABLE lfs_objects (
  oid text PRIMARY KEY,
  size integer NOT NULL,
  storage text NOT NULL,
  created_at datetime NOT NULL
);

-- Which project has which. A file that no project has is removed by a job.
CREATE TABLE lfs_project_objects (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  oid text NOT NULL REFERENCES lfs_objects (oid),
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, oid)
);
CREATE INDEX lfs_project_objects_oid ON lfs_project_objects (oid);

-- Who works on which file.
CREATE TABLE lfs_locks (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  path text NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX lfs_locks_path ON lfs_locks (project_id, path);
CREATE INDEX lfs_locks_user_id ON lfs_locks (user_id);

-- +goose Down
DROP TABLE lfs_locks;
DROP TABLE lfs_project_objects;
DROP TABLE lfs_objects;
ALTER TABLE projects DROP COLUMN lfs_objects_size;
