-- +goose Up
-- Changes of the labels, the state, the milestone and the weight of an issue or a merge request. Each row has exactly
-- one of issue_id and merge_request_id.
CREATE TABLE resource_events (
  id integer PRIMARY KEY AUTOINCREMENT,
  kind text NOT NULL,
  issue_id integer REFERENCES issues (id) ON DELETE CASCADE,
  merge_request_id integer REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  action text NOT NULL,
  label_id integer REFERENCES labels (id) ON DELETE SET NULL,
  milestone_id integer REFERENCES milestones (id) ON DELETE SET NULL,
  weight integer,
  created_at datetime NOT NULL
);
CREATE INDEX resource_events_issue_id ON resource_events (issue_id, kind, id) WHERE issue_id IS NOT NULL;
CREATE INDEX resource_events_merge_request_id ON resource_events (merge_request_id, kind, id)
  WHERE merge_request_id IS NOT NULL;
CREATE INDEX resource_events_user_id ON resource_events (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX resource_events_label_id ON resource_events (label_id) WHERE label_id IS NOT NULL;
CREATE INDEX resource_events_milestone_id ON resource_events (milestone_id) WHERE milestone_id IS NOT NULL;

-- +goose Down
DROP TABLE resource_events;
