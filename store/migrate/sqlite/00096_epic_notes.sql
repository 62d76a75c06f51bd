-- +goose Up
-- Comments and system notes on epics. Those on other things are in notes, where each has a project.
CREATE TABLE epic_notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  epic_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  discussion_id text NOT NULL,
  note_type text,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  body text NOT NULL,
  system boolean NOT NULL,
  action text,
  internal boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX epic_notes_epic_id ON epic_notes (epic_id, created_at, id);
CREATE INDEX epic_notes_discussion_id ON epic_notes (discussion_id);
CREATE INDEX epic_notes_author_id ON epic_notes (author_id);

-- +goose Down
DROP TABLE epic_notes;
