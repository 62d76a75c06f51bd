-- +goose Up
-- How merge requests of a project are approved. A project without a row has the defaults.
CREATE TABLE project_approval_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  reset_approvals_on_push boolean NOT NULL DEFAULT true,
  disable_overriding boolean NOT NULL DEFAULT false,
  author_approval boolean NOT NULL DEFAULT false,
  disable_committers_approval boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);

-- How many approvals a merge request needs, and of which users. A rule without a merge request is one of the project. A
-- merge request whose rules were changed has rules of its own, which were copied from those of the project.
CREATE TABLE approval_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  merge_request_id integer REFERENCES merge_requests (id) ON DELETE CASCADE,
  source_rule_id integer REFERENCES approval_rules (id) ON DELETE SET NULL,
  name text NOT NULL,
  rule_type text NOT NULL,
  approvals_required integer NOT NULL,
  applies_to_all_protected_branches boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX approval_rules_project_name ON approval_rules (project_id, lower(name)) WHERE merge_request_id IS NULL;
CREATE UNIQUE INDEX approval_rules_project_any ON approval_rules (project_id)
  WHERE merge_request_id IS NULL AND rule_type = 'any_approver';
CREATE UNIQUE INDEX approval_rules_merge_request_name ON approval_rules (merge_request_id, lower(name))
  WHERE merge_request_id IS NOT NULL;
CREATE UNIQUE INDEX approval_rules_merge_request_any ON approval_rules (merge_request_id)
  WHERE merge_request_id IS NOT NULL AND rule_type = 'any_approver';
CREATE INDEX approval_rules_source ON approval_rules (source_rule_id) WHERE source_rule_id IS NOT NULL;

CREATE TABLE approval_rule_users (
  rule_id integer NOT NULL REFERENCES approval_rules (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, user_id)
);
CREATE INDEX approval_rule_users_user ON approval_rule_users (user_id);

CREATE TABLE approval_rule_groups (
  rule_id integer NOT NULL REFERENCES approval_rules (id) ON DELETE CASCADE,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, group_id)
);
CREATE INDEX approval_rule_groups_group ON approval_rule_groups (group_id);

CREATE TABLE approval_rule_branches (
  rule_id integer NOT NULL REFERENCES approval_rules (id) ON DELETE CASCADE,
  protected_branch_id integer NOT NULL REFERENCES protected_branches (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, protected_branch_id)
);
CREATE INDEX approval_rule_branches_branch ON approval_rule_branches (protected_branch_id);

-- The users who have written or committed commits of a merge request.
CREATE TABLE merge_request_committers (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE INDEX merge_request_committers_user ON merge_request_committers (user_id);
ALTER TABLE merge_requests ADD COLUMN approval_rules_overwritten boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE merge_requests DROP COLUMN approval_rules_overwritten;
DROP TABLE merge_request_committers;
DROP TABLE approval_rule_branches;
DROP TABLE approval_rule_groups;
DROP TABLE approval_rule_users;
DROP TABLE approval_rules;
DROP TABLE project_approval_settings;
