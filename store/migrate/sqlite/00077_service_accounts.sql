-- +goose Up
-- The users that are service accounts, with the group or project that they belong to; source_type is empty and source_id 0 for
-- those of the instance.
CREATE TABLE service_accounts (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX service_accounts_source ON service_accounts (source_type, source_id);
-- Texts that administrators attach to groups.
CREATE TABLE group_custom_attributes (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX group_custom_attributes_key ON group_custom_attributes (group_id, key);
CREATE INDEX group_custom_attributes_value ON group_custom_attributes (key, value);

-- +goose Down
DROP TABLE group_custom_attributes;
DROP TABLE service_accounts;
