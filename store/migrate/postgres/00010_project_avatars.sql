-- +goose Up
ALTER TABLE projects ADD COLUMN avatar text;

-- +goose Down
ALTER TABLE projects DROP COLUMN avatar;
