-- +goose Up
-- SSH keys that give access to the repositories of some projects. A public key can be enabled in every project.
CREATE TABLE deploy_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  title text NOT NULL,
  key text NOT NULL,
  fingerprint_sha256 text NOT NULL,
  fingerprint_md5 text NOT NULL,
  public boolean NOT NULL,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  expires_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX deploy_keys_fingerprint_sha256 ON deploy_keys (fingerprint_sha256);
CREATE INDEX deploy_keys_creator_id ON deploy_keys (creator_id) WHERE creator_id IS NOT NULL;

CREATE TABLE deploy_key_projects (
  deploy_key_id integer NOT NULL REFERENCES deploy_keys (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  can_push boolean NOT NULL,
  PRIMARY KEY (deploy_key_id, project_id)
);
CREATE INDEX deploy_key_projects_project_id ON deploy_key_projects (project_id, deploy_key_id);

-- +goose Down
DROP TABLE deploy_key_projects;
DROP TABLE deploy_keys;
