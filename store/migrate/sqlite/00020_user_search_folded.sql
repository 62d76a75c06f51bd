-- +goose Up
-- SQLite has its table user_search already; this number is PostgreSQL's.
SELECT 1;

-- +goose Down
SELECT 1;
