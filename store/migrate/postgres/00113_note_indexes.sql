-- +goose Up
-- Find who has written about an issue or merge request, and whether a thread is open there, without reading all notes.
CREATE INDEX notes_authors ON notes (noteable_type, noteable_id, author_id) WHERE noteable_id IS NOT NULL AND NOT system;
CREATE INDEX notes_unresolved ON notes (noteable_type, noteable_id) WHERE resolvable AND resolved_at IS NULL;

-- +goose Down
DROP INDEX notes_unresolved;
DROP INDEX notes_authors;
