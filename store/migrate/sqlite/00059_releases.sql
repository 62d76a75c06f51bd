-- +goose Up
-- A release describes a tag. It stays when the tag is deleted by a push, so it has the commit of its own.
CREATE TABLE releases (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tag text NOT NULL,
  sha text NOT NULL,
  name text,
  description text,
  author_id integer REFERENCES users (id) ON DELETE SET NULL,
  released_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  UNIQUE (project_id, tag)
);
CREATE INDEX releases_released_at ON releases (project_id, released_at, id);
CREATE INDEX releases_created_at ON releases (project_id, created_at, id);
CREATE INDEX releases_author_id ON releases (author_id) WHERE author_id IS NOT NULL;

-- The files that a release links to.
CREATE TABLE release_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  release_id integer NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  filepath text,
  link_type text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  UNIQUE (release_id, name),
  UNIQUE (release_id, url)
);
CREATE UNIQUE INDEX release_links_filepath ON release_links (release_id, filepath) WHERE filepath IS NOT NULL;

CREATE TABLE release_milestones (
  release_id integer NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  milestone_id integer NOT NULL REFERENCES milestones (id) ON DELETE CASCADE,
  PRIMARY KEY (release_id, milestone_id)
);
CREATE INDEX release_milestones_milestone_id ON release_milestones (milestone_id);

-- +goose Down
DROP TABLE release_milestones;
DROP TABLE release_links;
DROP TABLE releases;
