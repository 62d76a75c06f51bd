-- +goose Up
-- This number is SQLite's.
SELECT 1;

-- +goose Down
SELECT 1;
