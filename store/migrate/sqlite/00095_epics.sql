-- +goose Up
-- Epics of groups. An issue belongs to at most one epic.
CREATE TABLE epics (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  parent_id integer REFERENCES epics (id) ON DELETE SET NULL,
  relative_position integer NOT NULL,
  title text NOT NULL,
  description text,
  state text NOT NULL,
  confidential boolean NOT NULL,
  color text NOT NULL,
  start_date_is_fixed boolean NOT NULL,
  start_date_fixed date,
  due_date_is_fixed boolean NOT NULL,
  due_date_fixed date,
  user_notes_count integer NOT NULL,
  upvotes integer NOT NULL,
  downvotes integer NOT NULL,
  closed_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  closed_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX epics_group_id_iid ON epics (group_id, iid);
CREATE INDEX epics_author_id ON epics (author_id);
CREATE INDEX epics_parent_id ON epics (parent_id, relative_position) WHERE parent_id IS NOT NULL;
CREATE INDEX epics_closed_by_id ON epics (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE TABLE epic_labels (
  epic_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (epic_id, label_id)
);
CREATE INDEX epic_labels_label_id ON epic_labels (label_id);
CREATE TABLE epic_issues (
  id integer PRIMARY KEY AUTOINCREMENT,
  epic_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  relative_position integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX epic_issues_issue_id ON epic_issues (issue_id);
CREATE INDEX epic_issues_epic_id ON epic_issues (epic_id, relative_position);
ALTER TABLE resource_events ADD COLUMN epic_id integer REFERENCES epics (id) ON DELETE CASCADE;
CREATE INDEX resource_events_epic_id ON resource_events (epic_id, kind, id) WHERE epic_id IS NOT NULL;

-- +goose Down
DROP INDEX resource_events_epic_id;
ALTER TABLE resource_events DROP COLUMN epic_id;
DROP TABLE epic_issues;
DROP TABLE epic_labels;
DROP TABLE epics;
