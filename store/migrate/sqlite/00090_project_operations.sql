-- +goose Up
-- How often clients cloned or fetched the repository of a project over HTTP, by day in UTC.
CREATE TABLE project_fetches (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  date date NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (project_id, date)
);
CREATE INDEX project_fetches_date ON project_fetches (date);
-- Pictures that users attach to alerts. The file is an upload of the project.
CREATE TABLE alert_metric_images (
  id integer PRIMARY KEY AUTOINCREMENT,
  alert_id integer NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  upload_id integer NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  url text,
  url_text text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX alert_metric_images_alert_id ON alert_metric_images (alert_id, id);
CREATE INDEX alert_metric_images_upload_id ON alert_metric_images (upload_id);
-- Older commits that reviewers of a merge request should know, as git stores them.
CREATE TABLE context_commits (
  id integer PRIMARY KEY AUTOINCREMENT,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  sha text NOT NULL,
  content text NOT NULL,
  committed_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX context_commits_sha ON context_commits (merge_request_id, sha);
CREATE INDEX context_commits_committed_at ON context_commits (merge_request_id, committed_at, id);
-- The settings of Pages sites that differ from the defaults.
CREATE TABLE pages_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  unique_domain boolean NOT NULL,
  primary_domain_id integer REFERENCES pages_domains (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX pages_settings_primary_domain_id ON pages_settings (primary_domain_id) WHERE primary_domain_id IS NOT NULL;

-- +goose Down
DROP TABLE pages_settings;
DROP TABLE context_commits;
DROP TABLE alert_metric_images;
DROP TABLE project_fetches;
