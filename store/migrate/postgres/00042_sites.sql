-- +goose Up
-- The site that a project publishes: a zip file in the store of files, under its key. It is a copy, so that it stays when the
-- artifact that it was made of, or its job, is gone.
CREATE TABLE pages_deployments (
  project_id bigint PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  job_id bigint NOT NULL,
  root text NOT NULL,
  key text NOT NULL,
  packed_size bigint NOT NULL,
  size bigint NOT NULL,
  file_count bigint NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX pages_deployments_key ON pages_deployments (key);
-- +goose StatementBegin
CREATE FUNCTION pages_deployments_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO blob_removals (key, due_at) SELECT key, '2000-01-01 00:00:00+00' FROM gone
    ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER pages_deployments_gone AFTER DELETE ON pages_deployments REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION pages_deployments_gone();

-- The key that we are known by to the authority of a directory, sealed.
CREATE TABLE acme_accounts (
  directory text PRIMARY KEY,
  sealed_key bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- obtained says that we got the certificate ourselves; others are never replaced. certificate_next_at is when to try next, and until
-- then nobody else tries. The challenge is what the authority asks for at the name, and what it is answered.
ALTER TABLE pages_domains ADD COLUMN obtained boolean NOT NULL DEFAULT false;
ALTER TABLE pages_domains ADD COLUMN certificate_next_at timestamptz;
ALTER TABLE pages_domains ADD COLUMN certificate_tries bigint NOT NULL DEFAULT 0;
ALTER TABLE pages_domains ADD COLUMN certificate_error text;
ALTER TABLE pages_domains ADD COLUMN challenge_token text;
ALTER TABLE pages_domains ADD COLUMN challenge_answer text;
UPDATE pages_domains SET certificate_next_at = '2000-01-01 00:00:00+00' WHERE auto_ssl AND certificate IS NULL;
CREATE INDEX pages_domains_certificate_next_at ON pages_domains (certificate_next_at) WHERE certificate_next_at IS NOT NULL;

-- +goose Down
DROP INDEX pages_domains_certificate_next_at;
ALTER TABLE pages_domains DROP COLUMN challenge_answer;
ALTER TABLE pages_domains DROP COLUMN challenge_token;
ALTER TABLE pages_domains DROP COLUMN certificate_error;
ALTER TABLE pages_domains DROP COLUMN certificate_tries;
ALTER TABLE pages_domains DROP COLUMN certificate_next_at;
ALTER TABLE pages_domains DROP COLUMN obtained;
DROP TABLE acme_accounts;
DROP TABLE pages_deployments;
DROP FUNCTION pages_deployments_gone();
