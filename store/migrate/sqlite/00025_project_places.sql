-- +goose Up
-- The projects of a group by when they were made, and all of them with what says who sees them, without reading their rows.
CREATE INDEX projects_namespace_id ON projects (namespace_id, created_at, id);
DROP INDEX projects_created_at;
CREATE INDEX projects_created_at ON projects (created_at, id, visibility, namespace_id);

-- +goose Down
DROP INDEX projects_created_at;
CREATE INDEX projects_created_at ON projects (created_at, id);
DROP INDEX projects_namespace_id;
