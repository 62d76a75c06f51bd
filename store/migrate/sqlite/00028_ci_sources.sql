-- +goose Up
-- The variables of projects and groups. One key may be there once for each scope of environments.
CREATE TABLE project_variables (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  protected boolean NOT NULL,
  masked boolean NOT NULL,
  raw boolean NOT NULL,
  hidden boolean NOT NULL,
  environment_scope text NOT NULL,
  description text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX project_variables_key ON project_variables (project_id, key, environment_scope);

CREATE TABLE group_variables (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  protected boolean NOT NULL,
  masked boolean NOT NULL,
  raw boolean NOT NULL,
  hidden boolean NOT NULL,
  environment_scope text NOT NULL,
  description text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX group_variables_key ON group_variables (group_id, key, environment_scope);

-- Pipelines that are started by the clock. Those whose time has come are found by next_run_at.
CREATE TABLE pipeline_schedules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  owner_id integer REFERENCES users (id) ON DELETE CASCADE,
  description text NOT NULL,
  ref text NOT NULL,
  cron text NOT NULL,
  cron_timezone text NOT NULL,
  next_run_at datetime,
  active boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX pipeline_schedules_project ON pipeline_schedules (project_id, id);
CREATE INDEX pipeline_schedules_owner_id ON pipeline_schedules (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX pipeline_schedules_due ON pipeline_schedules (next_run_at) WHERE active;

CREATE TABLE pipeline_schedule_variables (
  schedule_id integer NOT NULL REFERENCES pipeline_schedules (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  raw boolean NOT NULL,
  PRIMARY KEY (schedule_id, key)
);

-- Tokens that start pipelines for their owners. They are kept hashed; hint is how they begin.
CREATE TABLE pipeline_triggers (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  owner_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  description text NOT NULL,
  digest blob NOT NULL,
  hint text NOT NULL,
  last_used_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX pipeline_triggers_digest ON pipeline_triggers (digest);
CREATE INDEX pipeline_triggers_project ON pipeline_triggers (project_id, id);
CREATE INDEX pipeline_triggers_owner_id ON pipeline_triggers (owner_id);

-- What a pipeline was made for, if it must not be made twice for that: a push, a time of a schedule, a bridge.
ALTER TABLE pipelines ADD COLUMN origin text;
ALTER TABLE pipelines ADD COLUMN schedule_id integer REFERENCES pipeline_schedules (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX pipelines_origin ON pipelines (origin) WHERE origin IS NOT NULL;
CREATE INDEX pipelines_schedule_id ON pipelines (schedule_id, id) WHERE schedule_id IS NOT NULL;
CREATE INDEX pipelines_updated ON pipelines (project_id, updated_at, id) WHERE NOT child;

-- +goose Down
DROP INDEX pipelines_updated;
DROP INDEX pipelines_schedule_id;
DROP INDEX pipelines_origin;
ALTER TABLE pipelines DROP COLUMN schedule_id;
ALTER TABLE pipelines DROP COLUMN origin;
DROP TABLE pipeline_triggers;
DROP TABLE pipeline_schedule_variables;
DROP TABLE pipeline_schedules;
DROP TABLE group_variables;
DROP TABLE project_variables;
