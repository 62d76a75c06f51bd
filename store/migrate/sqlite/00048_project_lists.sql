-- +goose Up
-- The version of a namespace's list of projects changes with what is in it, and never comes again: a list that was read once need
-- not be read anew. PostgreSQL has no such table: those who make projects in one namespace would wait for each other.
CREATE TABLE project_lists (
  namespace_id integer PRIMARY KEY,
  version integer NOT NULL
);
INSERT INTO project_lists (namespace_id, version) SELECT namespace_id, random() FROM projects GROUP BY namespace_id;
-- +goose StatementBegin
CREATE TRIGGER project_list_insert AFTER INSERT ON projects BEGIN
  INSERT INTO project_lists (namespace_id, version) VALUES (NEW.namespace_id, random()) ON CONFLICT (namespace_id) DO UPDATE SET version = excluded.version;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_list_delete AFTER DELETE ON projects BEGIN
  UPDATE project_lists SET version = random() WHERE namespace_id = OLD.namespace_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_list_update AFTER UPDATE OF namespace_id, created_at ON projects
WHEN (OLD.namespace_id, OLD.created_at) IS NOT (NEW.namespace_id, NEW.created_at) BEGIN
  UPDATE project_lists SET version = random() WHERE namespace_id = OLD.namespace_id;
  INSERT INTO project_lists (namespace_id, version) VALUES (NEW.namespace_id, random()) ON CONFLICT (namespace_id) DO UPDATE SET version = excluded.version;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_list_end AFTER DELETE ON namespaces BEGIN
  DELETE FROM project_lists WHERE namespace_id = OLD.id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER project_list_end;
DROP TRIGGER project_list_update;
DROP TRIGGER project_list_delete;
DROP TRIGGER project_list_insert;
DROP TABLE project_lists;
