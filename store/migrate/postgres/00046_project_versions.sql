-- +goose Up
-- A project's version changes with every change of its row, and never comes again: what was read once need not be read anew.
CREATE SEQUENCE project_versions;
ALTER TABLE projects ADD COLUMN version bigint NOT NULL DEFAULT nextval('project_versions');
-- +goose StatementBegin
CREATE FUNCTION next_project_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := nextval('project_versions');
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER project_version BEFORE UPDATE ON projects FOR EACH ROW EXECUTE FUNCTION next_project_version();

-- +goose Down
DROP TRIGGER project_version ON projects;
DROP FUNCTION next_project_version;
ALTER TABLE projects DROP COLUMN version;
DROP SEQUENCE project_versions;
