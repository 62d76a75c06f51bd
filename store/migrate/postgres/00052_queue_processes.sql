-- +goose Up
-- Processes that work the job queue. Each renews its row while it lives; jobs of a process that does not are taken up by others.
CREATE TABLE queue_processes (
  id text PRIMARY KEY,
  seen_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE queue_processes;
