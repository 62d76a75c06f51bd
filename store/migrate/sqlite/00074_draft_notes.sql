-- +goose Up
-- Notes of a review that only their author sees until they are published.
CREATE TABLE draft_notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  note text NOT NULL,
  commit_id text,
  discussion_id text,
  resolve_discussion boolean NOT NULL,
  position text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX draft_notes_merge_request_id ON draft_notes (merge_request_id, author_id, id);
CREATE INDEX draft_notes_author_id ON draft_notes (author_id);

-- +goose Down
DROP TABLE draft_notes;
