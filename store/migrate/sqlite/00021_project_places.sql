-- +goose Up
-- The projects of a group by when they were made, without reading their rows.
CREATE INDEX projects_namespace_id ON projects (namespace_id, created_at, id);

-- +goose Down
DROP INDEX projects_namespace_id;
