-- +goose Up
CREATE TABLE error_tracking_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  active boolean NOT NULL,
  integrated boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);

-- What programs send errors with. A key is shown again, so it is kept sealed, and found by its digest.
CREATE TABLE error_tracking_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX error_tracking_keys_digest ON error_tracking_keys (digest);
CREATE INDEX error_tracking_keys_project_id ON error_tracking_keys (project_id, id);

-- An error is the events with one fingerprint.
CREATE TABLE tracked_errors (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  fingerprint text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  culprit text NOT NULL,
  platform text,
  level text NOT NULL,
  status text NOT NULL,
  events_count integer NOT NULL,
  first_seen_at datetime NOT NULL,
  last_seen_at datetime NOT NULL,
  resolved_at datetime
);
CREATE UNIQUE INDEX tracked_errors_fingerprint ON tracked_errors (project_id, fingerprint);
CREATE INDEX tracked_errors_last_seen_at ON tracked_errors (project_id, last_seen_at, id);
CREATE INDEX tracked_errors_first_seen_at ON tracked_errors (project_id, first_seen_at, id);
CREATE INDEX tracked_errors_events_count ON tracked_errors (project_id, events_count, id);
CREATE INDEX tracked_errors_age ON tracked_errors (last_seen_at);

CREATE TABLE tracked_error_events (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  error_id integer NOT NULL REFERENCES tracked_errors (id) ON DELETE CASCADE,
  event_id text NOT NULL,
  level text NOT NULL,
  environment text,
  release text,
  payload text NOT NULL,
  occurred_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX tracked_error_events_event_id ON tracked_error_events (project_id, event_id);
CREATE INDEX tracked_error_events_error_id ON tracked_error_events (error_id, id);
CREATE INDEX tracked_error_events_created_at ON tracked_error_events (created_at);

-- +goose Down
DROP TABLE tracked_error_events;
DROP TABLE tracked_errors;
DROP TABLE error_tracking_keys;
DROP TABLE error_tracking_settings;
