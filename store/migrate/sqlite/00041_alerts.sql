-- +goose Up
-- An address that takes alerts in. Its key is shown again, so it is kept sealed, and compared by its digest.
CREATE TABLE alert_integrations (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  type text NOT NULL,
  name text NOT NULL,
  active boolean NOT NULL,
  identifier text NOT NULL,
  digest blob NOT NULL,
  sealed blob NOT NULL,
  sample text,
  mapping text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX alert_integrations_identifier ON alert_integrations (project_id, identifier);
CREATE INDEX alert_integrations_project_id ON alert_integrations (project_id, id);

CREATE TABLE alert_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  create_incident boolean NOT NULL,
  close_incident boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);

CREATE TABLE alerts (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  format text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  severity text NOT NULL,
  status text NOT NULL,
  service text NOT NULL,
  monitoring_tool text NOT NULL,
  environment text NOT NULL,
  hosts text NOT NULL,
  fingerprint text,
  events integer NOT NULL,
  payload text NOT NULL,
  started_at datetime NOT NULL,
  ended_at datetime,
  wants_incident boolean NOT NULL,
  issue_id integer REFERENCES issues (id) ON DELETE SET NULL,
  told_status text NOT NULL,
  told_events integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX alerts_iid ON alerts (project_id, iid);
-- Of the alerts with one fingerprint at most one is not resolved: what comes meanwhile is counted with it.
CREATE UNIQUE INDEX alerts_open_fingerprint ON alerts (project_id, fingerprint) WHERE status <> 'resolved';
CREATE INDEX alerts_resolved_fingerprint ON alerts (project_id, fingerprint, id) WHERE status = 'resolved';
CREATE INDEX alerts_started_at ON alerts (project_id, started_at, id);
CREATE INDEX alerts_status ON alerts (project_id, status, started_at, id);
CREATE INDEX alerts_issue_id ON alerts (issue_id) WHERE issue_id IS NOT NULL;

CREATE TABLE alert_assignees (
  alert_id integer NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (alert_id, user_id)
);
CREATE INDEX alert_assignees_user_id ON alert_assignees (user_id, alert_id);

-- +goose Down
DROP TABLE alert_assignees;
DROP TABLE alerts;
DROP TABLE alert_settings;
DROP TABLE alert_integrations;
