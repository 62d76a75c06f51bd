-- +goose Up
-- Services outside that decide whether merge requests may be merged. The sealed column has the shared secret, or is null.
CREATE TABLE external_status_checks (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  external_url text NOT NULL,
  sealed blob,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX external_status_checks_project_name ON external_status_checks (project_id, lower(name));
CREATE UNIQUE INDEX external_status_checks_project_url ON external_status_checks (project_id, external_url);

CREATE TABLE external_status_check_branches (
  check_id integer NOT NULL REFERENCES external_status_checks (id) ON DELETE CASCADE,
  protected_branch_id integer NOT NULL REFERENCES protected_branches (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, protected_branch_id)
);
CREATE INDEX external_status_check_branches_branch ON external_status_check_branches (protected_branch_id);

-- What a check says about a merge request, for one commit.
CREATE TABLE status_check_responses (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  check_id integer NOT NULL REFERENCES external_status_checks (id) ON DELETE CASCADE,
  sha text NOT NULL,
  status text NOT NULL,
  called_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  PRIMARY KEY (merge_request_id, check_id)
);
CREATE INDEX status_check_responses_check ON status_check_responses (check_id);
ALTER TABLE projects ADD COLUMN only_allow_merge_if_all_status_checks_passed boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE projects DROP COLUMN only_allow_merge_if_all_status_checks_passed;
DROP TABLE status_check_responses;
DROP TABLE external_status_check_branches;
DROP TABLE external_status_checks;
