-- +goose Up
-- The head of the target branch as last heard of, and how many commits of it the source branch lacks. What merge_status says is
-- said of the pair head_sha and target_sha.
ALTER TABLE merge_requests ADD COLUMN target_sha text NOT NULL DEFAULT '';
ALTER TABLE merge_requests ADD COLUMN diverged bigint NOT NULL DEFAULT 0;

-- Merges that are about to be made, by the commit that the target branch is to become: whoever ends the push of that commit
-- finds out here what it was. data has the rest, as JSON.
CREATE TABLE merge_attempts (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  sha text NOT NULL,
  merge_request_id bigint NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  data text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, sha)
);
CREATE INDEX merge_attempts_merge_request_id ON merge_attempts (merge_request_id);

-- The commits that a merge request brings, and those that merging it has made.
CREATE TABLE merge_request_commits (
  project_id bigint NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  sha text NOT NULL,
  merge_request_id bigint NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, sha, merge_request_id)
);
CREATE INDEX merge_request_commits_merge_request_id ON merge_request_commits (merge_request_id);

ALTER TABLE pipelines ADD COLUMN merge_request_id bigint REFERENCES merge_requests (id) ON DELETE SET NULL;
CREATE INDEX pipelines_merge_request_id ON pipelines (merge_request_id, id) WHERE merge_request_id IS NOT NULL;

-- +goose Down
DROP INDEX pipelines_merge_request_id;
ALTER TABLE pipelines DROP COLUMN merge_request_id;
DROP TABLE merge_request_commits;
DROP TABLE merge_attempts;
ALTER TABLE merge_requests DROP COLUMN diverged;
ALTER TABLE merge_requests DROP COLUMN target_sha;
