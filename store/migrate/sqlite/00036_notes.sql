-- +goose Up
-- What people say about commits is kept with all other notes. A place in a diff is JSON.
INSERT INTO notes (project_id, noteable_type, commit_id, discussion_id, note_type, author_id, body, system, internal, position, resolvable, created_at, updated_at)
SELECT project_id, 'Commit', commit_id, lower(hex(randomblob(20))), CASE WHEN path IS NULL THEN NULL ELSE 'DiffNote' END, author_id, note, false, false,
  CASE WHEN path IS NULL THEN NULL ELSE json_object('base_sha', NULL, 'start_sha', NULL, 'head_sha', commit_id, 'old_path', path, 'new_path', path,
    'position_type', 'text', 'old_line', CASE WHEN line_type = 'old' THEN line END, 'new_line', CASE WHEN line_type = 'old' THEN NULL ELSE line END) END,
  false, created_at, created_at
FROM commit_notes ORDER BY id;
DROP TABLE commit_notes;
CREATE INDEX notes_created_at ON notes (noteable_type, noteable_id, created_at, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notes_updated_at ON notes (noteable_type, noteable_id, updated_at, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notes_threads ON notes (noteable_type, noteable_id, discussion_id, id) WHERE noteable_id IS NOT NULL;

-- +goose Down
DROP INDEX notes_threads;
DROP INDEX notes_updated_at;
DROP INDEX notes_created_at;
CREATE TABLE commit_notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  commit_id text NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  note text NOT NULL,
  path text,
  line integer,
  line_type text,
  created_at datetime NOT NULL
);
CREATE INDEX commit_notes_commit_id ON commit_notes (project_id, commit_id, id);
CREATE INDEX commit_notes_author_id ON commit_notes (author_id);
INSERT INTO commit_notes (project_id, commit_id, author_id, note, path, line, line_type, created_at)
SELECT project_id, commit_id, author_id, body, json_extract(position, '$.new_path'), coalesce(json_extract(position, '$.new_line'), json_extract(position, '$.old_line')),
  CASE WHEN position IS NULL THEN NULL WHEN json_extract(position, '$.new_line') IS NULL THEN 'old' ELSE 'new' END, created_at
FROM notes WHERE noteable_type = 'Commit' ORDER BY id;
DELETE FROM notes WHERE noteable_type = 'Commit';
