-- +goose Up
-- Jobs get numbers in the order in which they begin to wait, so that other processes see that there are new ones. SQLite has no
-- other process.
ALTER TABLE pending_jobs ADD COLUMN mark integer NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE pending_jobs DROP COLUMN mark;
