-- +goose Up
ALTER TABLE namespaces ADD COLUMN full_path text NOT NULL DEFAULT '';
ALTER TABLE namespaces ADD COLUMN full_name text NOT NULL DEFAULT '';
ALTER TABLE namespaces ADD COLUMN description text NOT NULL DEFAULT '';
ALTER TABLE namespaces ADD COLUMN visibility integer NOT NULL DEFAULT 20;
ALTER TABLE namespaces ADD COLUMN share_with_group_lock boolean NOT NULL DEFAULT false;
ALTER TABLE namespaces ADD COLUMN require_two_factor_authentication boolean NOT NULL DEFAULT false;
ALTER TABLE namespaces ADD COLUMN two_factor_grace_period integer NOT NULL DEFAULT 48;
ALTER TABLE namespaces ADD COLUMN project_creation_level text NOT NULL DEFAULT 'developer';
ALTER TABLE namespaces ADD COLUMN subgroup_creation_level text NOT NULL DEFAULT 'maintainer';
ALTER TABLE namespaces ADD COLUMN auto_devops_enabled boolean;
ALTER TABLE namespaces ADD COLUMN mentions_disabled boolean;
ALTER TABLE namespaces ADD COLUMN emails_disabled boolean NOT NULL DEFAULT false;
ALTER TABLE namespaces ADD COLUMN lfs_enabled boolean NOT NULL DEFAULT true;
ALTER TABLE namespaces ADD COLUMN default_branch_protection integer NOT NULL DEFAULT 2;
ALTER TABLE namespaces ADD COLUMN request_access_enabled boolean NOT NULL DEFAULT true;
ALTER TABLE namespaces ADD COLUMN shared_runners_setting text NOT NULL DEFAULT 'enabled';
ALTER TABLE namespaces ADD COLUMN prevent_sharing_outside_hierarchy boolean NOT NULL DEFAULT false;
UPDATE namespaces SET full_path = path, full_name = name;
DROP INDEX namespaces_path;
CREATE UNIQUE INDEX namespaces_full_path ON namespaces (lower(full_path));
CREATE INDEX namespaces_name ON namespaces (name, id);
CREATE INDEX namespaces_parent_id ON namespaces (parent_id);

-- Every namespace with itself and each that it lies in: who may do what, and what lies where, is one join.
CREATE TABLE namespace_ancestors (
  descendant_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  ancestor_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  depth integer NOT NULL,
  PRIMARY KEY (descendant_id, ancestor_id)
);
CREATE INDEX namespace_ancestors_ancestor_id ON namespace_ancestors (ancestor_id, descendant_id);
INSERT INTO namespace_ancestors (descendant_id, ancestor_id, depth) SELECT id, id, 0 FROM namespaces;

CREATE TABLE members (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  access_level integer NOT NULL,
  expires_at date,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX members_source ON members (source_type, source_id, user_id);
CREATE INDEX members_user_id ON members (user_id, source_type, source_id);
CREATE INDEX members_expires_at ON members (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE group_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  shared_with_group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  access_level integer NOT NULL,
  expires_at date,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX group_links_groups ON group_links (group_id, shared_with_group_id);
CREATE INDEX group_links_shared_with_group_id ON group_links (shared_with_group_id);

-- +goose Down
DROP TABLE group_links;
DROP TABLE members;
DROP TABLE namespace_ancestors;
DROP INDEX namespaces_parent_id;
DROP INDEX namespaces_name;
DROP INDEX namespaces_full_path;
CREATE UNIQUE INDEX namespaces_path ON namespaces (coalesce(parent_id, 0), lower(path));
ALTER TABLE namespaces DROP COLUMN full_path;
ALTER TABLE namespaces DROP COLUMN full_name;
ALTER TABLE namespaces DROP COLUMN description;
ALTER TABLE namespaces DROP COLUMN visibility;
ALTER TABLE namespaces DROP COLUMN share_with_group_lock;
ALTER TABLE namespaces DROP COLUMN require_two_factor_authentication;
ALTER TABLE namespaces DROP COLUMN two_factor_grace_period;
ALTER TABLE namespaces DROP COLUMN project_creation_level;
ALTER TABLE namespaces DROP COLUMN subgroup_creation_level;
ALTER TABLE namespaces DROP COLUMN auto_devops_enabled;
ALTER TABLE namespaces DROP COLUMN mentions_disabled;
ALTER TABLE namespaces DROP COLUMN emails_disabled;
ALTER TABLE namespaces DROP COLUMN lfs_enabled;
ALTER TABLE namespaces DROP COLUMN default_branch_protection;
ALTER TABLE namespaces DROP COLUMN request_access_enabled;
ALTER TABLE namespaces DROP COLUMN shared_runners_setting;
ALTER TABLE namespaces DROP COLUMN prevent_sharing_outside_hierarchy;
