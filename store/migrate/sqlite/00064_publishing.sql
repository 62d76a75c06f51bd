-- +goose Up
-- The sizes of the packages and uploads of a project, kept by the database itself: however rows come and go, alone or with
-- their package or project, the sums follow in the same transaction.
ALTER TABLE package_files ADD COLUMN project_id integer NOT NULL DEFAULT 0;
UPDATE package_files SET project_id = (SELECT project_id FROM packages WHERE packages.id = package_files.package_id);
ALTER TABLE projects ADD COLUMN packages_size integer NOT NULL DEFAULT 0;
UPDATE projects SET packages_size = (SELECT sum(size) FROM package_files WHERE project_id = projects.id)
  WHERE id IN (SELECT project_id FROM package_files);
ALTER TABLE projects ADD COLUMN uploads_size integer NOT NULL DEFAULT 0;
UPDATE projects SET uploads_size = (SELECT sum(size) FROM uploads WHERE project_id = projects.id)
  WHERE id IN (SELECT project_id FROM uploads WHERE project_id IS NOT NULL);
-- +goose StatementBegin
CREATE TRIGGER packages_size_more AFTER INSERT ON package_files BEGIN
  UPDATE projects SET packages_size = packages_size + new.size WHERE id = new.project_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER packages_size_less AFTER DELETE ON package_files BEGIN
  UPDATE projects SET packages_size = packages_size - old.size WHERE id = old.project_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER uploads_size_more AFTER INSERT ON uploads WHEN new.project_id IS NOT NULL BEGIN
  UPDATE projects SET uploads_size = uploads_size + new.size WHERE id = new.project_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER uploads_size_less AFTER DELETE ON uploads WHEN old.project_id IS NOT NULL BEGIN
  UPDATE projects SET uploads_size = uploads_size - old.size WHERE id = old.project_id;
END;
-- +goose StatementEnd

-- Who can read the packages of a project: nobody, members, everybody who can see the project, or everybody.
ALTER TABLE projects ADD COLUMN package_registry_access_level text NOT NULL DEFAULT 'enabled';
UPDATE projects SET package_registry_access_level = 'disabled' WHERE NOT packages_enabled;
ALTER TABLE projects DROP COLUMN packages_enabled;

-- The deploy keys that may push to protected branches. A key that is taken from the project loses this right, too.
CREATE TABLE protected_branch_deploy_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  protected_branch_id integer NOT NULL REFERENCES protected_branches (id) ON DELETE CASCADE,
  deploy_key_id integer NOT NULL,
  project_id integer NOT NULL,
  FOREIGN KEY (deploy_key_id, project_id) REFERENCES deploy_key_projects (deploy_key_id, project_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX protected_branch_deploy_keys_key ON protected_branch_deploy_keys (protected_branch_id, deploy_key_id);
CREATE INDEX protected_branch_deploy_keys_project ON protected_branch_deploy_keys (deploy_key_id, project_id);

-- Whether projects of a group may publish a file again that a package already has. The expression names packages for which
-- the opposite holds.
ALTER TABLE namespaces ADD COLUMN maven_duplicates_allowed boolean NOT NULL DEFAULT true;
ALTER TABLE namespaces ADD COLUMN maven_duplicate_exception_regex text NOT NULL DEFAULT '';
ALTER TABLE namespaces ADD COLUMN generic_duplicates_allowed boolean NOT NULL DEFAULT true;
ALTER TABLE namespaces ADD COLUMN generic_duplicate_exception_regex text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE namespaces DROP COLUMN generic_duplicate_exception_regex;
ALTER TABLE namespaces DROP COLUMN generic_duplicates_allowed;
ALTER TABLE namespaces DROP COLUMN maven_duplicate_exception_regex;
ALTER TABLE namespaces DROP COLUMN maven_duplicates_allowed;
DROP TABLE protected_branch_deploy_keys;
ALTER TABLE projects ADD COLUMN packages_enabled boolean NOT NULL DEFAULT true;
UPDATE projects SET packages_enabled = (package_registry_access_level <> 'disabled');
ALTER TABLE projects DROP COLUMN package_registry_access_level;
DROP TRIGGER uploads_size_less;
DROP TRIGGER uploads_size_more;
DROP TRIGGER packages_size_less;
DROP TRIGGER packages_size_more;
ALTER TABLE projects DROP COLUMN uploads_size;
ALTER TABLE projects DROP COLUMN packages_size;
ALTER TABLE package_files DROP COLUMN project_id;
