-- +goose Up
-- Users who are about to be deleted: nothing is written for them any more.
CREATE TABLE user_deletions (
  user_id bigint PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE user_deletions;
