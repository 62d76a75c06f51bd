-- +goose Up
-- The explorer of the API uses the session or a personal access token, so it is no OAuth application any more.
DELETE FROM oauth_tokens WHERE application_id IN (SELECT id FROM oauth_applications WHERE uid = 'c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4');
DELETE FROM oauth_grants WHERE application_id IN (SELECT id FROM oauth_applications WHERE uid = 'c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4');
DELETE FROM oauth_applications WHERE uid = 'c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4';

-- +goose Down
INSERT INTO oauth_applications (uid, name, secret_digest, redirect_uri, scopes, confidential, trusted, created_at, updated_at)
VALUES ('c5ffb0ba1ac4c3ff4e0f9d2a8b8e6f4d5f7a1e3c9b2d4860e1f3a5b7c9d0e2f4', 'API explorer', '', '',
  'api read_api read_user openid profile email', false, false, '2026-11-15 00:00:00+00:00', '2026-11-15 00:00:00+00:00');
