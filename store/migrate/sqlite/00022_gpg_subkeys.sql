-- +goose Up
-- Signatures name the key that made them by the half of its fingerprint: a primary key, or one of its subkeys.
ALTER TABLE gpg_keys ADD COLUMN key_id text NOT NULL DEFAULT '';
UPDATE gpg_keys SET key_id = CASE WHEN length(fingerprint) = 40 THEN substr(fingerprint, 25, 16) ELSE substr(fingerprint, 1, 16) END;
CREATE INDEX gpg_keys_key_id ON gpg_keys (key_id);
-- Keys that were added before this are read by a job.
ALTER TABLE gpg_keys ADD COLUMN subkeys_read boolean NOT NULL DEFAULT false;

CREATE TABLE gpg_key_subkeys (
  id integer PRIMARY KEY AUTOINCREMENT,
  gpg_key_id integer NOT NULL REFERENCES gpg_keys (id) ON DELETE CASCADE,
  key_id text NOT NULL,
  fingerprint text NOT NULL
);
CREATE UNIQUE INDEX gpg_key_subkeys_fingerprint ON gpg_key_subkeys (gpg_key_id, fingerprint);
CREATE INDEX gpg_key_subkeys_key_id ON gpg_key_subkeys (key_id);

-- +goose Down
DROP TABLE gpg_key_subkeys;
DROP INDEX gpg_keys_key_id;
ALTER TABLE gpg_keys DROP COLUMN subkeys_read;
ALTER TABLE gpg_keys DROP COLUMN key_id;
