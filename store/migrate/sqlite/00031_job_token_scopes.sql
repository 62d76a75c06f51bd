-- +goose Up
-- Whether a project keeps a list of whose jobs it lets in, and the list: projects, and groups with all that lies in them.
CREATE TABLE job_token_scopes (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  inbound_enabled boolean NOT NULL
);
CREATE TABLE job_token_projects (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  allowed_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, allowed_id)
);
CREATE INDEX job_token_projects_allowed_id ON job_token_projects (allowed_id);
CREATE TABLE job_token_groups (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, group_id)
);
CREATE INDEX job_token_groups_group_id ON job_token_groups (group_id);

-- +goose Down
DROP TABLE job_token_groups;
DROP TABLE job_token_projects;
DROP TABLE job_token_scopes;
