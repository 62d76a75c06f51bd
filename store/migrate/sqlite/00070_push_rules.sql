-- +goose Up
-- Times in which a project does not want deployments. Pipelines that are created in such a time get CI_DEPLOY_FREEZE.
CREATE TABLE freeze_periods (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  freeze_start text NOT NULL,
  freeze_end text NOT NULL,
  cron_timezone text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX freeze_periods_project ON freeze_periods (project_id, created_at, id);
ALTER TABLE pipelines ADD COLUMN deploy_freeze boolean NOT NULL DEFAULT false;

-- What pushed commits, branches and files must look like. A project has at most one row. The row of a group is copied
-- into projects that are created in the group.
CREATE TABLE push_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  commit_message_regex text NOT NULL DEFAULT '',
  commit_message_negative_regex text NOT NULL DEFAULT '',
  branch_name_regex text NOT NULL DEFAULT '',
  author_email_regex text NOT NULL DEFAULT '',
  file_name_regex text NOT NULL DEFAULT '',
  max_file_size integer NOT NULL DEFAULT 0,
  deny_delete_tag boolean NOT NULL DEFAULT false,
  member_check boolean NOT NULL DEFAULT false,
  prevent_secrets boolean NOT NULL DEFAULT false,
  commit_committer_check boolean,
  commit_committer_name_check boolean NOT NULL DEFAULT false,
  reject_unsigned_commits boolean,
  reject_non_dco_commits boolean,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX push_rules_project ON push_rules (project_id) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX push_rules_group ON push_rules (group_id) WHERE group_id IS NOT NULL;

-- +goose Down
DROP TABLE push_rules;
ALTER TABLE pipelines DROP COLUMN deploy_freeze;
DROP TABLE freeze_periods;
