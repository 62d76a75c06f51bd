-- +goose Up
-- Environments to which only some users deploy. One of a project has the name of the environment; one of a group has the
-- tier of the environments, in all projects of the group.
CREATE TABLE protected_environments (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  required_approval_count integer NOT NULL DEFAULT 0,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX protected_environments_project ON protected_environments (project_id, name) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX protected_environments_group ON protected_environments (group_id, name) WHERE group_id IS NOT NULL;

-- The users who may deploy (kind deploy) or whose approvals a deployment needs (kind approval): one user, the members of a
-- group, or a role in the project.
CREATE TABLE protected_environment_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  protected_environment_id integer NOT NULL REFERENCES protected_environments (id) ON DELETE CASCADE,
  kind text NOT NULL,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  access_level integer,
  group_inheritance_type integer NOT NULL DEFAULT 0,
  required_approvals integer NOT NULL DEFAULT 0,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX protected_environment_rules_of ON protected_environment_rules (protected_environment_id);
CREATE INDEX protected_environment_rules_user ON protected_environment_rules (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX protected_environment_rules_group ON protected_environment_rules (group_id) WHERE group_id IS NOT NULL;

-- The approvals and rejections of deployments. With a rule, an approval counts only for that rule.
CREATE TABLE deployment_approvals (
  id integer PRIMARY KEY AUTOINCREMENT,
  deployment_id integer NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  rule_id integer REFERENCES protected_environment_rules (id) ON DELETE SET NULL,
  status text NOT NULL,
  comment text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX deployment_approvals_deployment_user ON deployment_approvals (deployment_id, user_id);
CREATE INDEX deployment_approvals_user ON deployment_approvals (user_id);
CREATE INDEX deployment_approvals_rule ON deployment_approvals (rule_id) WHERE rule_id IS NOT NULL;

-- +goose Down
DROP TABLE deployment_approvals;
DROP TABLE protected_environment_rules;
DROP TABLE protected_environments;
