-- +goose Up
-- Which issues a merge request names in its title and description, and which of them it closes when it is merged.
CREATE TABLE merge_request_issues (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  closes boolean NOT NULL,
  PRIMARY KEY (merge_request_id, issue_id)
);
CREATE INDEX merge_request_issues_issue_id ON merge_request_issues (issue_id, merge_request_id);

-- How many issues of a project are open: those that everybody sees, and the confidential ones.
ALTER TABLE projects ADD COLUMN open_issues_count integer NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN open_confidential_issues_count integer NOT NULL DEFAULT 0;

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

-- +goose Down
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
