-- +goose Up
-- Who made an impersonation token: what is done with it is done by them.
ALTER TABLE personal_access_tokens ADD COLUMN created_by_id bigint REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX personal_access_tokens_created_by_id ON personal_access_tokens (created_by_id) WHERE created_by_id IS NOT NULL;

-- +goose Down
DROP INDEX personal_access_tokens_created_by_id;
ALTER TABLE personal_access_tokens DROP COLUMN created_by_id;
