-- +goose Up
-- Repositories beside those of projects. The head is the commit that their one branch is at: it changes together with what tells
-- of the change, and the branch on disk follows.
CREATE TABLE project_wikis (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  head text NOT NULL,
  updated_at datetime NOT NULL
);

CREATE TABLE group_wikis (
  group_id integer PRIMARY KEY REFERENCES namespaces (id) ON DELETE CASCADE,
  repository_storage text NOT NULL,
  repository_read_only boolean NOT NULL DEFAULT false,
  head text NOT NULL DEFAULT '',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX group_wikis_repository_storage ON group_wikis (repository_storage, group_id);

CREATE TABLE snippets (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  description text,
  visibility integer NOT NULL,
  files text NOT NULL,
  repository_storage text NOT NULL,
  repository_read_only boolean NOT NULL DEFAULT false,
  head text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  ip_address text NOT NULL DEFAULT '',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX snippets_project_id ON snippets (project_id, id);
CREATE INDEX snippets_author_id ON snippets (author_id, id);
CREATE INDEX snippets_visibility ON snippets (visibility, id);
CREATE INDEX snippets_repository_storage ON snippets (repository_storage, id);
CREATE INDEX snippets_created_at ON snippets (created_at);

-- However rows go, with their author, project or group or alone, their repositories follow.
CREATE TABLE deleted_side_repositories (
  kind text NOT NULL,
  owner_id integer NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (kind, owner_id)
);
CREATE INDEX deleted_side_repositories_created_at ON deleted_side_repositories (created_at);
-- +goose StatementBegin
CREATE TRIGGER snippets_gone AFTER DELETE ON snippets BEGIN
  INSERT OR REPLACE INTO deleted_side_repositories (kind, owner_id, created_at) VALUES ('snippet', old.id, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'));
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER group_wikis_gone AFTER DELETE ON group_wikis BEGIN
  INSERT OR REPLACE INTO deleted_side_repositories (kind, owner_id, created_at) VALUES ('group_wiki', old.group_id, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'));
END;
-- +goose StatementEnd

-- The moves of all kinds look alike.
ALTER TABLE project_storage_moves RENAME COLUMN project_id TO owner_id;
CREATE TABLE snippet_storage_moves (
  id integer PRIMARY KEY AUTOINCREMENT,
  owner_id integer NOT NULL REFERENCES snippets (id) ON DELETE CASCADE,
  state text NOT NULL,
  source_storage text NOT NULL,
  destination_storage text NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX snippet_storage_moves_owner_id ON snippet_storage_moves (owner_id, id);
CREATE INDEX snippet_storage_moves_open ON snippet_storage_moves (id) WHERE state IN ('scheduled', 'started', 'replicated');
CREATE TABLE group_storage_moves (
  id integer PRIMARY KEY AUTOINCREMENT,
  owner_id integer NOT NULL REFERENCES group_wikis (group_id) ON DELETE CASCADE,
  state text NOT NULL,
  source_storage text NOT NULL,
  destination_storage text NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX group_storage_moves_owner_id ON group_storage_moves (owner_id, id);
CREATE INDEX group_storage_moves_open ON group_storage_moves (id) WHERE state IN ('scheduled', 'started', 'replicated');

-- +goose Down
DROP TABLE group_storage_moves;
DROP TABLE snippet_storage_moves;
ALTER TABLE project_storage_moves RENAME COLUMN owner_id TO project_id;
DROP TRIGGER group_wikis_gone;
DROP TRIGGER snippets_gone;
DROP TABLE deleted_side_repositories;
DROP TABLE snippets;
DROP TABLE group_wikis;
DROP TABLE project_wikis;
