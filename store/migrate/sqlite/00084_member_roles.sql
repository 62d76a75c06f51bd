-- +goose Up
-- Roles of the instance or of a top-level group: a role with further permissions, which are a JSON list of names.
CREATE TABLE member_roles (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  base_access_level integer NOT NULL,
  permissions text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX member_roles_instance_name ON member_roles (lower(name)) WHERE group_id IS NULL;
CREATE UNIQUE INDEX member_roles_group_name ON member_roles (group_id, lower(name)) WHERE group_id IS NOT NULL;
ALTER TABLE members ADD COLUMN member_role_id integer REFERENCES member_roles (id) ON DELETE SET NULL;
CREATE INDEX members_member_role ON members (member_role_id) WHERE member_role_id IS NOT NULL;

-- +goose Down
DROP INDEX members_member_role;
ALTER TABLE members DROP COLUMN member_role_id;
DROP TABLE member_roles;
