-- +goose Up
-- Codes that bring a signed-in user from the service to a site that is not for everybody. Each is good once, for a minute, at one host
-- and for the browser that has asked: state is the digest of what that browser keeps.
CREATE TABLE site_grants (
  digest bytea PRIMARY KEY,
  state bytea NOT NULL,
  host text NOT NULL,
  target text NOT NULL,
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  session_id bigint NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX site_grants_expires_at ON site_grants (expires_at);
CREATE INDEX site_grants_project_id ON site_grants (project_id);
CREATE INDEX site_grants_user_id ON site_grants (user_id);
CREATE INDEX site_grants_session_id ON site_grants (session_id);

-- +goose Down
DROP TABLE site_grants;
