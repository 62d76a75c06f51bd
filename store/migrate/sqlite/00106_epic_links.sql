-- +goose Up
-- Links between epics. If the type is blocks, the source blocks the target.
CREATE TABLE epic_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  target_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  link_type text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX epic_links_source_id ON epic_links (source_id, target_id);
CREATE INDEX epic_links_target_id ON epic_links (target_id);

-- +goose Down
DROP TABLE epic_links;
