-- +goose Up
-- How many lines each author has added to and removed from the default branch, up to a commit.
CREATE TABLE contribution_heads (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  head_id text NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE TABLE contributions (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  email text NOT NULL,
  name text NOT NULL,
  additions bigint NOT NULL,
  deletions bigint NOT NULL,
  PRIMARY KEY (project_id, email, name)
);

-- +goose Down
DROP TABLE contributions;
DROP TABLE contribution_heads;
