-- +goose Up
-- Topics of projects. project_topics has the lower-case names of the topics that each project has.
CREATE TABLE topics (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  lower_name text NOT NULL,
  title text NOT NULL,
  description text,
  avatar text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX topics_lower_name ON topics (lower_name);
INSERT INTO topics (name, lower_name, title, created_at, updated_at)
SELECT DISTINCT name, name, name, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'), strftime('%Y-%m-%d %H:%M:%f+00:00', 'now')
FROM project_topics ORDER BY name;

-- +goose Down
DROP TABLE topics;
