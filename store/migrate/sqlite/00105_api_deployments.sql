-- +goose Up
-- Deployments that were created by API. They have no job, so they have their own user, ref and commit.
ALTER TABLE deployments ADD COLUMN user_id integer REFERENCES users (id) ON DELETE SET NULL;
ALTER TABLE deployments ADD COLUMN ref text NOT NULL DEFAULT '';
ALTER TABLE deployments ADD COLUMN sha text NOT NULL DEFAULT '';
ALTER TABLE deployments ADD COLUMN tag boolean NOT NULL DEFAULT false;
ALTER TABLE deployments ADD COLUMN commit_data text NOT NULL DEFAULT '';
-- The job becomes optional. SQLite has no statement for that. Its documentation describes this way for constraints that do
-- not change the stored rows: no row is copied, and programs of the version before can go on.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'job_id integer NOT NULL REFERENCES', 'job_id integer REFERENCES')
  WHERE type = 'table' AND name = 'deployments';
PRAGMA writable_schema = RESET;
CREATE INDEX deployments_user_id ON deployments (user_id) WHERE user_id IS NOT NULL;

-- When a stopped environment is deleted.
ALTER TABLE environments ADD COLUMN auto_delete_at datetime;
CREATE INDEX environments_auto_delete_at ON environments (auto_delete_at) WHERE auto_delete_at IS NOT NULL;

-- The tokens of cluster agents. Revoked tokens stay.
CREATE TABLE cluster_agent_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  agent_id integer NOT NULL REFERENCES cluster_agents (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  description text,
  digest blob NOT NULL,
  revoked boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX cluster_agent_tokens_digest ON cluster_agent_tokens (digest);
CREATE INDEX cluster_agent_tokens_agent ON cluster_agent_tokens (agent_id, revoked, id);
CREATE INDEX cluster_agent_tokens_user_id ON cluster_agent_tokens (user_id) WHERE user_id IS NOT NULL;

-- +goose Down
DROP TABLE cluster_agent_tokens;
DROP INDEX environments_auto_delete_at;
ALTER TABLE environments DROP COLUMN auto_delete_at;
DELETE FROM deployments WHERE job_id IS NULL;
DROP INDEX deployments_user_id;
ALTER TABLE deployments DROP COLUMN commit_data;
ALTER TABLE deployments DROP COLUMN tag;
ALTER TABLE deployments DROP COLUMN sha;
ALTER TABLE deployments DROP COLUMN ref;
ALTER TABLE deployments DROP COLUMN user_id;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'job_id integer REFERENCES', 'job_id integer NOT NULL REFERENCES')
  WHERE type = 'table' AND name = 'deployments';
PRAGMA writable_schema = RESET;
CREATE INDEX deployments_reload ON deployments (id);
DROP INDEX deployments_reload;
