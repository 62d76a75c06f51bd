-- +goose Up
-- A project's version also changes with what is shown of where it lies and of whose that is.
-- +goose StatementBegin
CREATE FUNCTION renew_projects_of_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE projects SET version = 0 WHERE namespace_id = NEW.id;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION renew_projects_of_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE projects SET version = 0 WHERE namespace_id IN (OLD.namespace_id, NEW.namespace_id);
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER project_version_place AFTER UPDATE OF kind, name, path, full_path, parent_id, avatar, default_branch_protection ON namespaces FOR EACH ROW
  WHEN ((OLD.kind, OLD.name, OLD.path, OLD.full_path, OLD.parent_id, OLD.avatar, OLD.default_branch_protection)
    IS DISTINCT FROM (NEW.kind, NEW.name, NEW.path, NEW.full_path, NEW.parent_id, NEW.avatar, NEW.default_branch_protection))
  EXECUTE FUNCTION renew_projects_of_place();
CREATE TRIGGER project_version_owner AFTER UPDATE OF namespace_id, username, name, state, locked_at, avatar ON users FOR EACH ROW
  WHEN ((OLD.namespace_id, OLD.username, OLD.name, OLD.state, OLD.locked_at, OLD.avatar)
    IS DISTINCT FROM (NEW.namespace_id, NEW.username, NEW.name, NEW.state, NEW.locked_at, NEW.avatar))
  EXECUTE FUNCTION renew_projects_of_owner();
CREATE TRIGGER project_version_new_owner AFTER INSERT OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION renew_projects_of_owner();

-- +goose Down
DROP TRIGGER project_version_new_owner ON users;
DROP TRIGGER project_version_owner ON users;
DROP TRIGGER project_version_place ON namespaces;
DROP FUNCTION renew_projects_of_owner;
DROP FUNCTION renew_projects_of_place;
