-- +goose Up
-- Which issues a merge request names in its title and description, and which of them it closes when it is merged.
CREATE TABLE merge_request_issues (
  merge_request_id bigint NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  issue_id bigint NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  closes boolean NOT NULL,
  PRIMARY KEY (merge_request_id, issue_id)
);
CREATE INDEX merge_request_issues_issue_id ON merge_request_issues (issue_id, merge_request_id);

-- How many issues of a project are open: those that everybody sees, and the confidential ones.
ALTER TABLE projects ADD COLUMN open_issues_count bigint NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN open_confidential_issues_count bigint NOT NULL DEFAULT 0;

-- The due date that people were told of last.
ALTER TABLE issues ADD COLUMN due_told date;

CREATE INDEX labels_name ON labels (name);
CREATE INDEX milestones_title ON milestones (title);
CREATE INDEX milestones_due_date ON milestones (due_date) WHERE due_date IS NOT NULL;
CREATE INDEX issues_updated_at ON issues (updated_at, id);
CREATE INDEX issues_title ON issues (project_id, title, id);
CREATE INDEX issues_upvotes ON issues (project_id, upvotes, id);
CREATE INDEX issues_relative_position ON issues (project_id, relative_position, id);
CREATE INDEX issues_project_due_date ON issues (project_id, due_date, id);
CREATE INDEX merge_requests_updated_at ON merge_requests (updated_at, id);
CREATE INDEX merge_requests_title ON merge_requests (project_id, title, id);

-- Where the extension can be had, parts of texts are found by an index.
-- +goose StatementBegin
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX issues_title_part ON issues USING gin (lower(title) gin_trgm_ops) WITH (fastupdate = off);
  CREATE INDEX issues_description_part ON issues USING gin (lower(description) gin_trgm_ops);
  CREATE INDEX merge_requests_title_part ON merge_requests USING gin (lower(title) gin_trgm_ops) WITH (fastupdate = off);
  CREATE INDEX merge_requests_description_part ON merge_requests USING gin (lower(description) gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available (%): search by part of a text has no index', SQLERRM;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP INDEX IF EXISTS merge_requests_description_part;
DROP INDEX IF EXISTS merge_requests_title_part;
DROP INDEX IF EXISTS issues_description_part;
DROP INDEX IF EXISTS issues_title_part;
DROP INDEX merge_requests_title;
DROP INDEX merge_requests_updated_at;
DROP INDEX issues_project_due_date;
DROP INDEX issues_relative_position;
DROP INDEX issues_upvotes;
DROP INDEX issues_title;
DROP INDEX issues_updated_at;
DROP INDEX milestones_due_date;
DROP INDEX milestones_title;
DROP INDEX labels_name;
ALTER TABLE issues DROP COLUMN due_told;
ALTER TABLE projects DROP COLUMN open_confidential_issues_count;
ALTER TABLE projects DROP COLUMN open_issues_count;
DROP TABLE merge_request_issues;
