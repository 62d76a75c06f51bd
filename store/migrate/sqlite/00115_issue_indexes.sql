-- +goose Up
-- The issues and merge requests of a project in one state, or by one author, in the order of the usual list. The new indexes
-- serve everything for which the old ones were read.
CREATE INDEX issues_state_created_at ON issues (project_id, state, created_at, id);
DROP INDEX issues_state;
CREATE INDEX issues_author_created_at ON issues (author_id, project_id, created_at, id);
DROP INDEX issues_author_id;
CREATE INDEX merge_requests_state_created_at ON merge_requests (project_id, state, created_at, id);
DROP INDEX merge_requests_state;
CREATE INDEX merge_requests_author_created_at ON merge_requests (author_id, project_id, created_at, id);
DROP INDEX merge_requests_author_id;
-- Lists by due date put issues without one last, so they cannot use this index; filters use issues_due_date.
DROP INDEX issues_project_due_date;
-- Issues without a place in the manual order need no entry here.
DROP INDEX issues_relative_position;
CREATE INDEX issues_relative_position ON issues (project_id, relative_position, id) WHERE relative_position IS NOT NULL;

-- +goose Down
DROP INDEX issues_relative_position;
CREATE INDEX issues_relative_position ON issues (project_id, relative_position, id);
CREATE INDEX issues_project_due_date ON issues (project_id, due_date, id);
CREATE INDEX merge_requests_author_id ON merge_requests (author_id, id);
DROP INDEX merge_requests_author_created_at;
CREATE INDEX merge_requests_state ON merge_requests (project_id, state, id);
DROP INDEX merge_requests_state_created_at;
CREATE INDEX issues_author_id ON issues (author_id, id);
DROP INDEX issues_author_created_at;
CREATE INDEX issues_state ON issues (project_id, state, id);
DROP INDEX issues_state_created_at;
