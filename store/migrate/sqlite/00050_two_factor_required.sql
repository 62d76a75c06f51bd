-- +goose Up
-- Since when a group requires a second factor: its grace period counts from then. For groups that do already it begins now.
ALTER TABLE namespaces ADD COLUMN two_factor_required_at datetime;
UPDATE namespaces SET two_factor_required_at = strftime('%Y-%m-%d %H:%M:%f+00:00', 'now') WHERE require_two_factor_authentication = true;
CREATE INDEX namespaces_two_factor_required ON namespaces (id) WHERE require_two_factor_authentication = true;

-- +goose Down
DROP INDEX namespaces_two_factor_required;
ALTER TABLE namespaces DROP COLUMN two_factor_required_at;
