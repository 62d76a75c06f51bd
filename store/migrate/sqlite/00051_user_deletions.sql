-- +goose Up
-- Users who are about to be deleted: nothing is written for them any more.
CREATE TABLE user_deletions (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL
);

-- +goose Down
DROP TABLE user_deletions;
