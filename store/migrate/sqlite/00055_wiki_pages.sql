-- +goose Up
-- What activity events tell of wiki pages: a page keeps its number when it is renamed, and the row stays when the page is deleted.
CREATE TABLE wiki_pages (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  slug text NOT NULL,
  title text NOT NULL,
  format text NOT NULL,
  UNIQUE (project_id, slug)
);

-- +goose Down
DROP TABLE wiki_pages;
