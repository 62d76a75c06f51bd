-- +goose Up
-- Numbers that count within a group, such as those of its milestones.
CREATE TABLE group_counters (
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (group_id, name)
);

-- A label belongs to a project or to a group, whose projects all have it.
CREATE TABLE labels (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  color text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE UNIQUE INDEX labels_project_id ON labels (project_id, name) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX labels_group_id ON labels (group_id, name) WHERE group_id IS NOT NULL;

-- The rank of a label in a project.
CREATE TABLE label_priorities (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  priority integer NOT NULL,
  PRIMARY KEY (project_id, label_id)
);
CREATE INDEX label_priorities_label_id ON label_priorities (label_id);

CREATE TABLE milestones (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  title text NOT NULL,
  description text,
  state text NOT NULL,
  start_date date,
  due_date date,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE UNIQUE INDEX milestones_project_id ON milestones (project_id, iid) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX milestones_group_id ON milestones (group_id, iid) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX milestones_project_title ON milestones (project_id, title) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX milestones_group_title ON milestones (group_id, title) WHERE group_id IS NOT NULL;

CREATE TABLE issues (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  description text,
  state text NOT NULL,
  issue_type text NOT NULL,
  confidential boolean NOT NULL,
  discussion_locked boolean,
  milestone_id integer REFERENCES milestones (id) ON DELETE SET NULL,
  due_date date,
  severity text NOT NULL,
  moved_to_id integer REFERENCES issues (id) ON DELETE SET NULL,
  duplicated_to_id integer REFERENCES issues (id) ON DELETE SET NULL,
  time_estimate integer NOT NULL DEFAULT 0,
  total_time_spent integer NOT NULL DEFAULT 0,
  user_notes_count integer NOT NULL DEFAULT 0,
  upvotes integer NOT NULL DEFAULT 0,
  downvotes integer NOT NULL DEFAULT 0,
  relative_position integer,
  closed_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  closed_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX issues_iid ON issues (project_id, iid);
CREATE INDEX issues_state ON issues (project_id, state, id);
CREATE INDEX issues_project_created_at ON issues (project_id, created_at, id);
CREATE INDEX issues_project_updated_at ON issues (project_id, updated_at, id);
CREATE INDEX issues_created_at ON issues (created_at, id);
CREATE INDEX issues_author_id ON issues (author_id, id);
CREATE INDEX issues_milestone_id ON issues (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX issues_due_date ON issues (due_date) WHERE due_date IS NOT NULL;
CREATE INDEX issues_closed_by_id ON issues (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE INDEX issues_moved_to_id ON issues (moved_to_id) WHERE moved_to_id IS NOT NULL;
CREATE INDEX issues_duplicated_to_id ON issues (duplicated_to_id) WHERE duplicated_to_id IS NOT NULL;

CREATE TABLE issue_assignees (
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
);
CREATE INDEX issue_assignees_user_id ON issue_assignees (user_id, issue_id);

CREATE TABLE issue_labels (
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
);
CREATE INDEX issue_labels_label_id ON issue_labels (label_id, issue_id);

-- Issues that belong together: relates_to, blocks (the source blocks the target).
CREATE TABLE issue_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  target_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  link_type text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX issue_links_source_id ON issue_links (source_id, target_id);
CREATE INDEX issue_links_target_id ON issue_links (target_id);

-- A merge request belongs to the project that it is to be merged into. head_sha is the newest commit of its source branch,
-- base_sha the merge base, start_sha the head of the target branch when the newest version was made.
CREATE TABLE merge_requests (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source_project_id integer REFERENCES projects (id) ON DELETE SET NULL,
  source_branch text NOT NULL,
  target_branch text NOT NULL,
  title text NOT NULL,
  description text,
  state text NOT NULL,
  draft boolean NOT NULL,
  discussion_locked boolean,
  milestone_id integer REFERENCES milestones (id) ON DELETE SET NULL,
  head_sha text NOT NULL,
  base_sha text NOT NULL,
  start_sha text NOT NULL,
  merge_status text NOT NULL,
  merge_error text,
  merge_commit_sha text,
  squash_commit_sha text,
  merge_user_id integer REFERENCES users (id) ON DELETE SET NULL,
  merged_at datetime,
  closed_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  closed_at datetime,
  squash boolean NOT NULL,
  remove_source_branch boolean,
  allow_collaboration boolean NOT NULL,
  auto_merge boolean NOT NULL DEFAULT false,
  auto_merge_user_id integer REFERENCES users (id) ON DELETE SET NULL,
  auto_merge_options text,
  rebasing boolean NOT NULL DEFAULT false,
  head_pipeline_id integer REFERENCES pipelines (id) ON DELETE SET NULL,
  time_estimate integer NOT NULL DEFAULT 0,
  total_time_spent integer NOT NULL DEFAULT 0,
  user_notes_count integer NOT NULL DEFAULT 0,
  upvotes integer NOT NULL DEFAULT 0,
  downvotes integer NOT NULL DEFAULT 0,
  prepared_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX merge_requests_iid ON merge_requests (project_id, iid);
CREATE UNIQUE INDEX merge_requests_open ON merge_requests (source_project_id, source_branch, project_id, target_branch) WHERE state = 'opened';
CREATE INDEX merge_requests_source ON merge_requests (source_project_id, source_branch);
CREATE INDEX merge_requests_target ON merge_requests (project_id, target_branch, state);
CREATE INDEX merge_requests_state ON merge_requests (project_id, state, id);
CREATE INDEX merge_requests_project_created_at ON merge_requests (project_id, created_at, id);
CREATE INDEX merge_requests_project_updated_at ON merge_requests (project_id, updated_at, id);
CREATE INDEX merge_requests_created_at ON merge_requests (created_at, id);
CREATE INDEX merge_requests_author_id ON merge_requests (author_id, id);
CREATE INDEX merge_requests_milestone_id ON merge_requests (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX merge_requests_merge_user_id ON merge_requests (merge_user_id) WHERE merge_user_id IS NOT NULL;
CREATE INDEX merge_requests_closed_by_id ON merge_requests (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE INDEX merge_requests_auto_merge_user_id ON merge_requests (auto_merge_user_id) WHERE auto_merge_user_id IS NOT NULL;
CREATE INDEX merge_requests_head_pipeline_id ON merge_requests (head_pipeline_id) WHERE head_pipeline_id IS NOT NULL;

CREATE TABLE merge_request_assignees (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE INDEX merge_request_assignees_user_id ON merge_request_assignees (user_id, merge_request_id);

CREATE TABLE merge_request_reviewers (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE INDEX merge_request_reviewers_user_id ON merge_request_reviewers (user_id, merge_request_id);

CREATE TABLE merge_request_labels (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (merge_request_id, label_id)
);
CREATE INDEX merge_request_labels_label_id ON merge_request_labels (label_id, merge_request_id);

CREATE TABLE merge_request_approvals (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE INDEX merge_request_approvals_user_id ON merge_request_approvals (user_id, merge_request_id);

-- What a merge request was after each push.
CREATE TABLE merge_request_versions (
  id integer PRIMARY KEY AUTOINCREMENT,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  head_sha text NOT NULL,
  base_sha text NOT NULL,
  start_sha text NOT NULL,
  changes integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX merge_request_versions_merge_request_id ON merge_request_versions (merge_request_id, id);

-- What people say of something, and what the service notes of it (system). Notes with one discussion_id are a thread.
CREATE TABLE notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  noteable_type text NOT NULL,
  noteable_id integer,
  commit_id text,
  discussion_id text NOT NULL,
  note_type text,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  body text NOT NULL,
  system boolean NOT NULL,
  action text,
  internal boolean NOT NULL,
  position text,
  resolvable boolean NOT NULL,
  resolved_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  resolved_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX notes_noteable ON notes (noteable_type, noteable_id, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notes_commit_id ON notes (project_id, commit_id, id) WHERE commit_id IS NOT NULL;
CREATE INDEX notes_discussion_id ON notes (discussion_id, id);
CREATE INDEX notes_author_id ON notes (author_id, id);
CREATE INDEX notes_resolved_by_id ON notes (resolved_by_id) WHERE resolved_by_id IS NOT NULL;

-- Emoji that people give to Issue, MergeRequest, Note and Snippet.
CREATE TABLE award_emoji (
  id integer PRIMARY KEY AUTOINCREMENT,
  awardable_type text NOT NULL,
  awardable_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX award_emoji_awardable ON award_emoji (awardable_type, awardable_id, user_id, name);
CREATE INDEX award_emoji_user_id ON award_emoji (user_id);

CREATE TABLE todos (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  action_name text NOT NULL,
  target_type text NOT NULL,
  target_id integer NOT NULL,
  note_id integer REFERENCES notes (id) ON DELETE CASCADE,
  state text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE INDEX todos_user_id ON todos (user_id, state, id);
CREATE UNIQUE INDEX todos_pending ON todos (user_id, target_type, target_id, action_name) WHERE state = 'pending';
CREATE INDEX todos_target ON todos (target_type, target_id);
CREATE INDEX todos_project_id ON todos (project_id);
CREATE INDEX todos_author_id ON todos (author_id);
CREATE INDEX todos_note_id ON todos (note_id) WHERE note_id IS NOT NULL;

-- Who follows something (Issue, MergeRequest, Label), or has said that they do not.
CREATE TABLE subscriptions (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  target_type text NOT NULL,
  target_id integer NOT NULL,
  subscribed boolean NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (target_type, target_id, user_id)
);
CREATE INDEX subscriptions_user_id ON subscriptions (user_id);

-- Time that was spent on something (Issue, MergeRequest), in seconds.
CREATE TABLE timelogs (
  id integer PRIMARY KEY AUTOINCREMENT,
  target_type text NOT NULL,
  target_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  seconds integer NOT NULL,
  summary text,
  spent_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX timelogs_target ON timelogs (target_type, target_id, id);
CREATE INDEX timelogs_user_id ON timelogs (user_id);

CREATE TABLE boards (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  hide_backlog_list boolean NOT NULL,
  hide_closed_list boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE INDEX boards_project_id ON boards (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX boards_group_id ON boards (group_id, id) WHERE group_id IS NOT NULL;

CREATE TABLE board_lists (
  id integer PRIMARY KEY AUTOINCREMENT,
  board_id integer NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  position integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE UNIQUE INDEX board_lists_board_id ON board_lists (board_id, label_id);
CREATE INDEX board_lists_label_id ON board_lists (label_id);

-- What somebody wants to be told of: everywhere (neither project nor group), in a group, in a project. events are the flags of
-- the level custom, as JSON.
CREATE TABLE notification_settings (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  level text NOT NULL,
  notification_email text,
  events text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX notification_settings_user_id ON notification_settings (user_id, coalesce(project_id, 0), coalesce(group_id, 0));
CREATE INDEX notification_settings_project_id ON notification_settings (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX notification_settings_group_id ON notification_settings (group_id) WHERE group_id IS NOT NULL;

-- What was changed by whom. It outlives what it tells of, so it refers to nothing.
CREATE TABLE audit_events (
  id integer PRIMARY KEY AUTOINCREMENT,
  author_id integer NOT NULL,
  author_name text NOT NULL,
  entity_type text NOT NULL,
  entity_id integer NOT NULL,
  entity_path text NOT NULL,
  event_type text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  target_details text NOT NULL,
  ip_address text,
  details text NOT NULL,
  created_at datetime NOT NULL
);
CREATE INDEX audit_events_entity ON audit_events (entity_type, entity_id, id);
CREATE INDEX audit_events_author ON audit_events (entity_type, entity_id, author_id, id);
CREATE INDEX audit_events_created_at ON audit_events (created_at);

CREATE INDEX events_target ON events (target_type, target_id) WHERE target_id IS NOT NULL;

-- +goose Down
DROP INDEX events_target;
DROP TABLE audit_events;
DROP TABLE notification_settings;
DROP TABLE board_lists;
DROP TABLE boards;
DROP TABLE timelogs;
DROP TABLE subscriptions;
DROP TABLE todos;
DROP TABLE award_emoji;
DROP TABLE notes;
DROP TABLE merge_request_versions;
DROP TABLE merge_request_approvals;
DROP TABLE merge_request_labels;
DROP TABLE merge_request_reviewers;
DROP TABLE merge_request_assignees;
DROP TABLE merge_requests;
DROP TABLE issue_links;
DROP TABLE issue_labels;
DROP TABLE issue_assignees;
DROP TABLE issues;
DROP TABLE milestones;
DROP TABLE label_priorities;
DROP TABLE labels;
DROP TABLE group_counters;
