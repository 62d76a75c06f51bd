-- +goose Up
-- The settings that administrators change through the API: one row for each kind (application, appearance, plan_limits).
-- content is a JSON object with the members that were set; all others have their defaults. Every change raises version, by
-- which other processes notice it.
CREATE TABLE instance_settings (
  kind text PRIMARY KEY,
  content text NOT NULL,
  version integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
-- Messages of administrators to everybody, or to people with some roles. target_access_levels are numbers with commas.
CREATE TABLE broadcast_messages (
  id integer PRIMARY KEY AUTOINCREMENT,
  message text NOT NULL,
  starts_at datetime NOT NULL,
  ends_at datetime NOT NULL,
  color text,
  font text,
  theme text NOT NULL,
  target_access_levels text NOT NULL,
  target_path text,
  broadcast_type text NOT NULL,
  dismissable boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX broadcast_messages_ends_at ON broadcast_messages (ends_at);

-- +goose Down
DROP TABLE broadcast_messages;
DROP TABLE instance_settings;
