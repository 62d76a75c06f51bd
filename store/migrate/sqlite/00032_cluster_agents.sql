-- +goose Up
-- Programs in clusters that act for projects.
CREATE TABLE cluster_agents (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX cluster_agents_name ON cluster_agents (project_id, name);
CREATE INDEX cluster_agents_user_id ON cluster_agents (user_id) WHERE user_id IS NOT NULL;

-- +goose Down
DROP TABLE cluster_agents;
