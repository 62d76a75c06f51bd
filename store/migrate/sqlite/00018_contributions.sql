-- +goose Up
-- How many lines each author has added to and removed from the default branch, up to a commit.
CREATE TABLE contribution_heads (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  head_id text NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE contributions (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  email text NOT NULL,
  name text NOT NULL,
  additions integer NOT NULL,
  deletions integer NOT NULL,
  PRIMARY KEY (project_id, email, name)
);

-- +goose Down
DROP TABLE contributions;
DROP TABLE contribution_heads;
