-- +goose Up
-- What all processes of an instance share besides the storages: the external URL, empty until a process has set one, and
-- the SSH host keys, sealed with the secret key.
ALTER TABLE instance ADD COLUMN url text NOT NULL DEFAULT '';
CREATE TABLE ssh_host_keys (
  name text PRIMARY KEY,
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE ssh_host_keys;
ALTER TABLE instance DROP COLUMN url;
