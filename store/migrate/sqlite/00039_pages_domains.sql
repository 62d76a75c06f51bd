-- +goose Up
-- Names under which the sites of projects are found, in lower case. The private key of a certificate is kept sealed. enabled_until is
-- until when the site is served without another proof that the name is the project's own.
CREATE TABLE pages_domains (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  domain text NOT NULL,
  auto_ssl boolean NOT NULL,
  certificate text,
  sealed_key blob,
  certificate_until datetime,
  verification_code text NOT NULL,
  verified_at datetime,
  enabled_until datetime,
  looked_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX pages_domains_domain ON pages_domains (domain);
CREATE INDEX pages_domains_project_id ON pages_domains (project_id, id);
CREATE INDEX pages_domains_looked_at ON pages_domains (looked_at);

-- +goose Down
DROP TABLE pages_domains;
