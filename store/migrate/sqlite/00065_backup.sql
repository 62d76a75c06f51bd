-- +goose Up
-- Until this time, files are not removed, because a backup copies them.
ALTER TABLE instance ADD COLUMN removals_held_until datetime;

-- +goose Down
ALTER TABLE instance DROP COLUMN removals_held_until;
