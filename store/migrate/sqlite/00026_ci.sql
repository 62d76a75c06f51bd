-- +goose Up
-- Numbers that count within a project, such as those of its pipelines.
CREATE TABLE project_counters (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (project_id, name)
);

-- A pipeline is the jobs that one event of a project brings. Its commit never changes, so it is kept beside it, and a list
-- of jobs needs no repository.
CREATE TABLE pipelines (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  ref text NOT NULL,
  tag boolean NOT NULL,
  protected boolean NOT NULL,
  sha text NOT NULL,
  before_sha text NOT NULL,
  commit_data text NOT NULL,
  source text NOT NULL,
  status text NOT NULL,
  name text,
  yaml_errors text,
  failure_reason text,
  stages text NOT NULL,
  on_new_commit text NOT NULL,
  on_job_failure text NOT NULL,
  upstream_job_id integer,
  child boolean NOT NULL,
  depth integer NOT NULL,
  duration integer,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  started_at datetime,
  finished_at datetime
);
CREATE UNIQUE INDEX pipelines_iid ON pipelines (project_id, iid);
CREATE INDEX pipelines_project ON pipelines (project_id, id) WHERE NOT child;
CREATE INDEX pipelines_status ON pipelines (project_id, status, id);
CREATE INDEX pipelines_ref ON pipelines (project_id, ref, id);
CREATE INDEX pipelines_sha ON pipelines (project_id, sha, id);
CREATE INDEX pipelines_user_id ON pipelines (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX pipelines_upstream ON pipelines (upstream_job_id) WHERE upstream_job_id IS NOT NULL;

-- What was given to a pipeline when it was made.
CREATE TABLE pipeline_variables (
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  raw boolean NOT NULL,
  PRIMARY KEY (pipeline_id, key)
);

-- Who runs jobs. Tokens are kept hashed.
CREATE TABLE runners (
  id integer PRIMARY KEY AUTOINCREMENT,
  runner_type text NOT NULL,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  digest text NOT NULL,
  token_expires_at datetime,
  description text,
  paused boolean NOT NULL,
  locked boolean NOT NULL,
  run_untagged boolean NOT NULL,
  access_level text NOT NULL,
  maximum_timeout integer,
  maintenance_note text,
  tags text NOT NULL,
  name text,
  version text,
  revision text,
  platform text,
  architecture text,
  ip_address text,
  contacted_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX runners_digest ON runners (digest);
CREATE INDEX runners_type ON runners (runner_type, id);
CREATE INDEX runners_group_id ON runners (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX runners_creator_id ON runners (creator_id) WHERE creator_id IS NOT NULL;

-- The projects of a project runner; the first one owns it.
CREATE TABLE runner_projects (
  runner_id integer NOT NULL REFERENCES runners (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (runner_id, project_id)
);
CREATE INDEX runner_projects_project_id ON runner_projects (project_id, runner_id);

-- The machines that use the token of one runner.
CREATE TABLE runner_managers (
  id integer PRIMARY KEY AUTOINCREMENT,
  runner_id integer NOT NULL REFERENCES runners (id) ON DELETE CASCADE,
  system_id text NOT NULL,
  version text,
  revision text,
  platform text,
  architecture text,
  ip_address text,
  contacted_at datetime,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX runner_managers_system_id ON runner_managers (runner_id, system_id);

-- Tokens that register runners in the old way: of the instance, a group or a project.
CREATE TABLE registration_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  digest text NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX registration_tokens_digest ON registration_tokens (digest);
CREATE UNIQUE INDEX registration_tokens_owner ON registration_tokens (coalesce(group_id, 0), coalesce(project_id, 0));
CREATE INDEX registration_tokens_project_id ON registration_tokens (project_id) WHERE project_id IS NOT NULL;

-- A job, or a bridge, which no runner takes: it starts another pipeline. When a job is tried again, the old row stays as
-- retried, and a new one takes its place. needs are names as JSON, or null for a job that waits for the stages before it.
CREATE TABLE jobs (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  bridge boolean NOT NULL,
  name text NOT NULL,
  stage text NOT NULL,
  stage_index integer NOT NULL,
  status text NOT NULL,
  run_when text NOT NULL,
  allow_failure boolean NOT NULL,
  needs text,
  ref text NOT NULL,
  tag boolean NOT NULL,
  protected boolean NOT NULL,
  tags text NOT NULL,
  interruptible boolean NOT NULL,
  resource_group text,
  environment text,
  environment_action text,
  environment_url text,
  start_in integer NOT NULL,
  timeout integer NOT NULL,
  retried boolean NOT NULL DEFAULT false,
  attempt integer NOT NULL DEFAULT 0,
  runner_id integer REFERENCES runners (id) ON DELETE SET NULL,
  runner_manager_id integer REFERENCES runner_managers (id) ON DELETE SET NULL,
  digest text,
  failure_reason text,
  exit_code integer,
  coverage double precision,
  debug boolean NOT NULL DEFAULT false,
  downstream_id integer,
  log_size integer NOT NULL DEFAULT 0,
  log_sum integer NOT NULL DEFAULT 0,
  artifacts_expire_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  queued_at datetime,
  scheduled_at datetime,
  started_at datetime,
  contacted_at datetime,
  deadline_at datetime,
  finished_at datetime,
  erased_at datetime
);
CREATE INDEX jobs_project ON jobs (project_id, id) WHERE NOT bridge;
CREATE INDEX jobs_project_status ON jobs (project_id, status, id) WHERE NOT bridge;
CREATE INDEX jobs_pipeline ON jobs (pipeline_id, id);
CREATE UNIQUE INDEX jobs_newest ON jobs (pipeline_id, name) WHERE NOT retried;
CREATE UNIQUE INDEX jobs_digest ON jobs (digest) WHERE digest IS NOT NULL;
CREATE INDEX jobs_user_id ON jobs (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX jobs_runner_id ON jobs (runner_id, id) WHERE runner_id IS NOT NULL;
CREATE INDEX jobs_runner_manager_id ON jobs (runner_manager_id) WHERE runner_manager_id IS NOT NULL;
CREATE INDEX jobs_open ON jobs (status, id) WHERE status IN ('pending', 'running', 'canceling', 'scheduled', 'waiting_for_resource');
CREATE INDEX jobs_resource_group ON jobs (project_id, resource_group) WHERE resource_group IS NOT NULL;

-- Everything that a job was told by the CI file, as JSON. Jobs that take the place of others share it.
CREATE TABLE job_specs (
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  name text NOT NULL,
  spec text NOT NULL,
  PRIMARY KEY (pipeline_id, name)
);

-- What was given to a job by who played it.
CREATE TABLE job_variables (
  job_id integer NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (job_id, key)
);

-- The jobs that a runner may take, with what decides who may; tags are JSON in the order of the alphabet.
CREATE TABLE pending_jobs (
  job_id integer PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tags text NOT NULL,
  protected boolean NOT NULL
);
CREATE INDEX pending_jobs_project ON pending_jobs (project_id, tags, protected, job_id);

-- In which order the jobs of a resource group get it.
CREATE TABLE resource_groups (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key text NOT NULL,
  process_mode text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX resource_groups_key ON resource_groups (project_id, key);

-- +goose Down
DROP TABLE resource_groups;
DROP TABLE pending_jobs;
DROP TABLE job_variables;
DROP TABLE job_specs;
DROP TABLE jobs;
DROP TABLE registration_tokens;
DROP TABLE runner_managers;
DROP TABLE runner_projects;
DROP TABLE runners;
DROP TABLE pipeline_variables;
DROP TABLE pipelines;
DROP TABLE project_counters;
