-- +goose Up
-- The rules of a top-level group for the branches of all its projects. They hold besides the rules of the projects.
CREATE TABLE group_protected_branches (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  push_access_level integer NOT NULL,
  merge_access_level integer NOT NULL,
  unprotect_access_level integer NOT NULL,
  allow_force_push boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX group_protected_branches_name ON group_protected_branches (group_id, name);

-- +goose Down
DROP TABLE group_protected_branches;
