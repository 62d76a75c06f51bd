-- +goose Up
-- A project's version changes with every change of its row, and never comes again: what was read once need not be read anew.
ALTER TABLE projects ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
UPDATE projects SET version = random();
-- +goose StatementBegin
CREATE TRIGGER project_version_insert AFTER INSERT ON projects BEGIN
  UPDATE projects SET version = random() WHERE id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_version_update AFTER UPDATE ON projects WHEN NEW.version = OLD.version BEGIN
  UPDATE projects SET version = random() WHERE id = NEW.id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER project_version_update;
DROP TRIGGER project_version_insert;
ALTER TABLE projects DROP COLUMN version;
