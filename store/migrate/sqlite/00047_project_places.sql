-- +goose Up
-- A project's version also changes with what is shown of where it lies and of whose that is.
-- +goose StatementBegin
CREATE TRIGGER project_version_place AFTER UPDATE OF kind, name, path, full_path, parent_id, avatar, default_branch_protection ON namespaces
WHEN (OLD.kind, OLD.name, OLD.path, OLD.full_path, OLD.parent_id, OLD.avatar, OLD.default_branch_protection)
  IS NOT (NEW.kind, NEW.name, NEW.path, NEW.full_path, NEW.parent_id, NEW.avatar, NEW.default_branch_protection) BEGIN
  UPDATE projects SET version = random() WHERE namespace_id = NEW.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_version_owner AFTER UPDATE OF namespace_id, username, name, state, locked_at, avatar ON users
WHEN (OLD.namespace_id, OLD.username, OLD.name, OLD.state, OLD.locked_at, OLD.avatar)
  IS NOT (NEW.namespace_id, NEW.username, NEW.name, NEW.state, NEW.locked_at, NEW.avatar) BEGIN
  UPDATE projects SET version = random() WHERE namespace_id IN (OLD.namespace_id, NEW.namespace_id);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_version_new_owner AFTER INSERT ON users WHEN NEW.namespace_id IS NOT NULL BEGIN
  UPDATE projects SET version = random() WHERE namespace_id = NEW.namespace_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER project_version_no_owner AFTER DELETE ON users WHEN OLD.namespace_id IS NOT NULL BEGIN
  UPDATE projects SET version = random() WHERE namespace_id = OLD.namespace_id;
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER project_version_no_owner;
DROP TRIGGER project_version_new_owner;
DROP TRIGGER project_version_owner;
DROP TRIGGER project_version_place;
