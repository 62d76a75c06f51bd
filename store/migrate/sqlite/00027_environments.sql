-- +goose Up
-- Where jobs deploy to.
CREATE TABLE environments (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  slug text NOT NULL,
  tier text NOT NULL,
  state text NOT NULL,
  external_url text,
  description text,
  auto_stop_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX environments_name ON environments (project_id, name);
CREATE INDEX environments_auto_stop_at ON environments (auto_stop_at) WHERE state = 'available' AND auto_stop_at IS NOT NULL;

-- What was deployed where, by which job.
CREATE TABLE deployments (
  id integer PRIMARY KEY AUTOINCREMENT,
  iid integer NOT NULL,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment_id integer NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  job_id integer NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  status text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  finished_at datetime
);
CREATE UNIQUE INDEX deployments_iid ON deployments (project_id, iid);
CREATE UNIQUE INDEX deployments_job_id ON deployments (job_id);
CREATE INDEX deployments_environment ON deployments (environment_id, status, id);
CREATE INDEX deployments_status ON deployments (project_id, status, id);

-- +goose Down
DROP TABLE deployments;
DROP TABLE environments;
