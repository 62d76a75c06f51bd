-- +goose Up
-- A token that was rotated: what it replaces, and the first token of its family (none for a first one).
ALTER TABLE personal_access_tokens ADD COLUMN previous_id integer REFERENCES personal_access_tokens (id) ON DELETE SET NULL;
ALTER TABLE personal_access_tokens ADD COLUMN family_id integer;
CREATE UNIQUE INDEX personal_access_tokens_previous_id ON personal_access_tokens (previous_id);
CREATE INDEX personal_access_tokens_family_id ON personal_access_tokens (family_id);

-- +goose Down
DROP INDEX personal_access_tokens_family_id;
DROP INDEX personal_access_tokens_previous_id;
ALTER TABLE personal_access_tokens DROP COLUMN family_id;
ALTER TABLE personal_access_tokens DROP COLUMN previous_id;
