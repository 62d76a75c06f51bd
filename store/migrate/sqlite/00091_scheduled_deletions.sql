-- +goose Up
-- When a project or group was marked for deletion; null if it is not marked.
ALTER TABLE projects ADD COLUMN marked_for_deletion_at datetime;
ALTER TABLE namespaces ADD COLUMN marked_for_deletion_at datetime;
-- Projects and groups that are deleted later, with what a restoration brings back. by_group_id is set if they are marked because
-- a group above them is.
CREATE TABLE scheduled_deletions (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  by_group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  path text NOT NULL,
  archived boolean NOT NULL,
  delete_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX scheduled_deletions_project_id ON scheduled_deletions (project_id) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX scheduled_deletions_group_id ON scheduled_deletions (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX scheduled_deletions_by_group_id ON scheduled_deletions (by_group_id) WHERE by_group_id IS NOT NULL;
CREATE INDEX scheduled_deletions_user_id ON scheduled_deletions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX scheduled_deletions_delete_at ON scheduled_deletions (delete_at) WHERE by_group_id IS NULL;

-- +goose Down
DROP TABLE scheduled_deletions;
ALTER TABLE namespaces DROP COLUMN marked_for_deletion_at;
ALTER TABLE projects DROP COLUMN marked_for_deletion_at;
