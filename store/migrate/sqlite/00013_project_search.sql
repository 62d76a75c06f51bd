-- +goose Up
-- For search by part of a name or path.
CREATE VIRTUAL TABLE project_search USING fts5 (name, path, content = 'projects', content_rowid = 'id', tokenize = 'trigram');
INSERT INTO project_search (project_search) VALUES ('rebuild');
-- +goose StatementBegin
CREATE TRIGGER project_search_insert AFTER INSERT ON projects BEGIN
  INSERT INTO project_search (rowid, name, path) VALUES (new.id, new.name, new.path);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_search_delete AFTER DELETE ON projects BEGIN
  INSERT INTO project_search (project_search, rowid, name, path) VALUES ('delete', old.id, old.name, old.path);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_search_update AFTER UPDATE OF id, name, path ON projects BEGIN
  INSERT INTO project_search (project_search, rowid, name, path) VALUES ('delete', old.id, old.name, old.path);
  INSERT INTO project_search (rowid, name, path) VALUES (new.id, new.name, new.path);
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER project_search_update;
DROP TRIGGER project_search_delete;
DROP TRIGGER project_search_insert;
DROP TABLE project_search;
