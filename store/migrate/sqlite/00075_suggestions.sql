-- +goose Up
-- Changes of lines that notes on diffs suggest. commit_id is the commit that applies a suggestion: it is set before the
-- branch moves, and applied when the push ends.
CREATE TABLE suggestions (
  id integer PRIMARY KEY AUTOINCREMENT,
  note_id integer NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
  path text NOT NULL,
  from_line integer NOT NULL,
  to_line integer NOT NULL,
  from_content text NOT NULL,
  to_content text NOT NULL,
  applied boolean NOT NULL,
  commit_id text,
  created_at datetime NOT NULL
);
CREATE INDEX suggestions_note_id ON suggestions (note_id, id);
CREATE INDEX suggestions_commit_id ON suggestions (commit_id) WHERE commit_id IS NOT NULL;

-- +goose Down
DROP TABLE suggestions;
