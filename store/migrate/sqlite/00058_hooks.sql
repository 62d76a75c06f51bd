-- +goose Up
-- Webhooks of projects and groups, and system hooks, which have neither. The secrets are sealed as one document: the
-- token, the signing token, the values of custom headers and of URL variables. events has one bit for each flag.
CREATE TABLE hooks (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  url text NOT NULL,
  name text,
  description text,
  events integer NOT NULL,
  enable_ssl_verification boolean NOT NULL,
  push_events_branch_filter text,
  branch_filter_strategy text NOT NULL,
  custom_webhook_template text,
  sealed blob NOT NULL,
  failures integer NOT NULL,
  disabled_until datetime,
  slow boolean NOT NULL,
  leased_until datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX hooks_project_id ON hooks (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX hooks_group_id ON hooks (group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX hooks_system ON hooks (id) WHERE project_id IS NULL AND group_id IS NULL;

-- What hooks are told. The body is the same for all hooks. That of a push is built when it is delivered, from facts.
CREATE TABLE hook_messages (
  id integer PRIMARY KEY AUTOINCREMENT,
  chain text NOT NULL,
  trigger_name text NOT NULL,
  event text NOT NULL,
  facts text,
  body text,
  created_at datetime NOT NULL
);
CREATE INDEX hook_messages_chain ON hook_messages (chain);
CREATE INDEX hook_messages_created_at ON hook_messages (created_at);

-- A message for one hook: it waits until delivered_at is set, and is a line of the delivery log afterwards.
CREATE TABLE hook_deliveries (
  id integer PRIMARY KEY AUTOINCREMENT,
  hook_id integer NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
  message_id integer NOT NULL REFERENCES hook_messages (id) ON DELETE CASCADE,
  key text NOT NULL,
  url text NOT NULL,
  request_headers text NOT NULL,
  request_body text,
  response_headers text NOT NULL,
  response_body text NOT NULL,
  response_status integer NOT NULL,
  duration real NOT NULL,
  delivered_at datetime
);
CREATE INDEX hook_deliveries_waiting ON hook_deliveries (hook_id, id) WHERE delivered_at IS NULL;
CREATE INDEX hook_deliveries_log ON hook_deliveries (hook_id, delivered_at, id) WHERE delivered_at IS NOT NULL;
CREATE INDEX hook_deliveries_message_id ON hook_deliveries (message_id);

-- +goose Down
DROP TABLE hook_deliveries;
DROP TABLE hook_messages;
DROP TABLE hooks;
