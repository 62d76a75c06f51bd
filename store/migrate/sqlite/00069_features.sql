-- +goose Up
-- Feature switches of the instance. They are stored for programs that set and read them, and have no effect.
CREATE TABLE features (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  gates text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX features_name ON features (name);

-- +goose Down
DROP TABLE features;
