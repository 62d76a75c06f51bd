-- What the migrations of SQLite make together: a new database begins with it. Generated (make golden).

CREATE TABLE access_requests (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE acme_accounts (
  directory text PRIMARY KEY,
  sealed_key blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE alert_assignees (
  alert_id integer NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (alert_id, user_id)
);
CREATE TABLE alert_integrations (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  type text NOT NULL,
  name text NOT NULL,
  active boolean NOT NULL,
  identifier text NOT NULL,
  digest blob NOT NULL,
  sealed blob NOT NULL,
  sample text,
  mapping text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE alert_metric_images (
  id integer PRIMARY KEY AUTOINCREMENT,
  alert_id integer NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  upload_id integer NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  url text,
  url_text text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE alert_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  create_incident boolean NOT NULL,
  close_incident boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE alerts (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  format text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  severity text NOT NULL,
  status text NOT NULL,
  service text NOT NULL,
  monitoring_tool text NOT NULL,
  environment text NOT NULL,
  hosts text NOT NULL,
  fingerprint text,
  events integer NOT NULL,
  payload text NOT NULL,
  started_at datetime NOT NULL,
  ended_at datetime,
  wants_incident boolean NOT NULL,
  issue_id integer REFERENCES issues (id) ON DELETE SET NULL,
  told_status text NOT NULL,
  told_events integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE approval_rule_branches (
  rule_id integer NOT NULL REFERENCES approval_rules (id) ON DELETE CASCADE,
  protected_branch_id integer NOT NULL REFERENCES protected_branches (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, protected_branch_id)
);
CREATE TABLE approval_rule_groups (
  rule_id integer NOT NULL REFERENCES approval_rules (id) ON DELETE CASCADE,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, group_id)
);
CREATE TABLE approval_rule_users (
  rule_id integer NOT NULL REFERENCES approval_rules (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (rule_id, user_id)
);
CREATE TABLE approval_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  merge_request_id integer REFERENCES merge_requests (id) ON DELETE CASCADE,
  source_rule_id integer REFERENCES approval_rules (id) ON DELETE SET NULL,
  name text NOT NULL,
  rule_type text NOT NULL,
  approvals_required integer NOT NULL,
  applies_to_all_protected_branches boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
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
CREATE TABLE audit_stream_events (
  target text NOT NULL,
  event_id integer NOT NULL REFERENCES audit_events (id) ON DELETE CASCADE,
  PRIMARY KEY (target, event_id)
);
CREATE TABLE audit_streams (
  target text NOT NULL PRIMARY KEY,
  last_event_id integer NOT NULL DEFAULT 0,
  delivered_at datetime,
  leased_until datetime
);
CREATE TABLE avatars (
  id integer PRIMARY KEY AUTOINCREMENT,
  kind text NOT NULL,
  owner_id integer NOT NULL,
  file_name text NOT NULL,
  content_type text NOT NULL,
  digest blob NOT NULL,
  data blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE award_emoji (
  id integer PRIMARY KEY AUTOINCREMENT,
  awardable_type text NOT NULL,
  awardable_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE badges (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text,
  link_url text NOT NULL,
  image_url text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE TABLE blob_removals (
  key text PRIMARY KEY,
  due_at datetime NOT NULL
);
CREATE TABLE board_lists (
  id integer PRIMARY KEY AUTOINCREMENT,
  board_id integer NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  position integer NOT NULL,
  created_at datetime NOT NULL
);
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
CREATE TABLE bots (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE broadcast_messages (
  id integer PRIMARY KEY AUTOINCREMENT,
  message text NOT NULL,
  starts_at datetime NOT NULL,
  ends_at datetime NOT NULL,
  color text,
  font text,
  theme text NOT NULL,
  target_access_levels text NOT NULL,
  target_path text,
  broadcast_type text NOT NULL,
  dismissable boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE bulk_import_entities (
  id integer PRIMARY KEY AUTOINCREMENT,
  bulk_import_id integer NOT NULL REFERENCES bulk_imports (id) ON DELETE CASCADE,
  parent_id integer REFERENCES bulk_import_entities (id) ON DELETE CASCADE,
  entity_type text NOT NULL,
  source_full_path text NOT NULL,
  destination_slug text NOT NULL,
  destination_namespace text NOT NULL,
  migrate_projects boolean NOT NULL,
  migrate_memberships boolean NOT NULL,
  status text NOT NULL,
  namespace_id integer REFERENCES namespaces (id) ON DELETE SET NULL,
  project_id integer REFERENCES projects (id) ON DELETE SET NULL,
  stage text NOT NULL,
  page integer NOT NULL,
  attempts integer NOT NULL,
  stats text NOT NULL,
  has_failures boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE bulk_import_failures (
  id integer PRIMARY KEY AUTOINCREMENT,
  entity_id integer NOT NULL REFERENCES bulk_import_entities (id) ON DELETE CASCADE,
  relation text NOT NULL,
  exception_class text NOT NULL,
  exception_message text NOT NULL,
  source_url text,
  source_title text,
  created_at datetime NOT NULL
);
CREATE TABLE bulk_imports (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source_url text NOT NULL,
  sealed blob,
  status text NOT NULL,
  has_failures boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE cluster_agent_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  agent_id integer NOT NULL REFERENCES cluster_agents (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  description text,
  digest blob NOT NULL,
  revoked boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE cluster_agents (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE commit_statuses (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  commit_id text NOT NULL,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  ref text NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  target_url text,
  description text,
  coverage double precision,
  created_at datetime NOT NULL,
  started_at datetime,
  finished_at datetime
);
CREATE TABLE context_commits (
  id integer PRIMARY KEY AUTOINCREMENT,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  sha text NOT NULL,
  content text NOT NULL,
  committed_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE contribution_heads (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  head_id text NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE contributions (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  email text NOT NULL,
  name text NOT NULL,
  additions integer NOT NULL,
  deletions integer NOT NULL,
  PRIMARY KEY (project_id, email, name)
);
CREATE TABLE deleted_repositories (
  project_id integer PRIMARY KEY,
  storage text NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE deleted_side_repositories (
  kind text NOT NULL,
  owner_id integer NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (kind, owner_id)
);
CREATE TABLE deploy_key_projects (
  deploy_key_id integer NOT NULL REFERENCES deploy_keys (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  can_push boolean NOT NULL,
  PRIMARY KEY (deploy_key_id, project_id)
);
CREATE TABLE deploy_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  title text NOT NULL,
  key text NOT NULL,
  fingerprint_sha256 text NOT NULL,
  fingerprint_md5 text NOT NULL,
  public boolean NOT NULL,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  expires_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE deploy_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  name text NOT NULL,
  username text,
  digest blob NOT NULL,
  scopes text NOT NULL,
  revoked boolean NOT NULL DEFAULT false,
  expires_at datetime,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE deployment_approvals (
  id integer PRIMARY KEY AUTOINCREMENT,
  deployment_id integer NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  rule_id integer REFERENCES protected_environment_rules (id) ON DELETE SET NULL,
  status text NOT NULL,
  comment text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE deployments (
  id integer PRIMARY KEY AUTOINCREMENT,
  iid integer NOT NULL,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  environment_id integer NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  job_id integer REFERENCES jobs (id) ON DELETE CASCADE,
  status text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  finished_at datetime
, user_id integer REFERENCES users (id) ON DELETE SET NULL, ref text NOT NULL DEFAULT '', sha text NOT NULL DEFAULT '', tag boolean NOT NULL DEFAULT false, commit_data text NOT NULL DEFAULT '');
CREATE TABLE draft_notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  note text NOT NULL,
  commit_id text,
  discussion_id text,
  resolve_discussion boolean NOT NULL,
  position text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE emails (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email text NOT NULL,
  confirmed_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE environments (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  slug text NOT NULL,
  tier text NOT NULL,
  state text NOT NULL,
  external_url text,
  description text,
  auto_stop_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, auto_delete_at datetime);
CREATE TABLE epic_issues (
  id integer PRIMARY KEY AUTOINCREMENT,
  epic_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  relative_position integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE epic_labels (
  epic_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (epic_id, label_id)
);
CREATE TABLE epic_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  target_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  link_type text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE epic_notes (
  id integer PRIMARY KEY AUTOINCREMENT,
  epic_id integer NOT NULL REFERENCES epics (id) ON DELETE CASCADE,
  discussion_id text NOT NULL,
  note_type text,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  body text NOT NULL,
  system boolean NOT NULL,
  action text,
  internal boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
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
CREATE TABLE error_tracking_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE error_tracking_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  active boolean NOT NULL,
  integrated boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE events (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  action text NOT NULL,
  target_type text,
  target_id integer,
  commit_count integer,
  push_action text,
  ref_type text,
  commit_from text,
  commit_to text,
  ref text,
  commit_title text,
  ref_count integer,
  created_at datetime NOT NULL
);
CREATE TABLE external_status_check_branches (
  check_id integer NOT NULL REFERENCES external_status_checks (id) ON DELETE CASCADE,
  protected_branch_id integer NOT NULL REFERENCES protected_branches (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, protected_branch_id)
);
CREATE TABLE external_status_checks (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  external_url text NOT NULL,
  sealed blob,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE feature_flag_clients (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE feature_flag_scopes (
  id integer PRIMARY KEY AUTOINCREMENT,
  strategy_id integer NOT NULL REFERENCES feature_flag_strategies (id) ON DELETE CASCADE,
  environment_scope text NOT NULL
);
CREATE TABLE feature_flag_strategies (
  id integer PRIMARY KEY AUTOINCREMENT,
  feature_flag_id integer NOT NULL REFERENCES feature_flags (id) ON DELETE CASCADE,
  name text NOT NULL,
  parameters text NOT NULL,
  user_list_id integer REFERENCES feature_flag_user_lists (id) ON DELETE CASCADE
);
CREATE TABLE feature_flag_user_lists (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  name text NOT NULL,
  user_xids text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE feature_flags (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  active boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE features (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  gates text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE freeze_periods (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  freeze_start text NOT NULL,
  freeze_end text NOT NULL,
  cron_timezone text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
CREATE TABLE gpg_key_subkeys (
  id integer PRIMARY KEY AUTOINCREMENT,
  gpg_key_id integer NOT NULL REFERENCES gpg_keys (id) ON DELETE CASCADE,
  key_id text NOT NULL,
  fingerprint text NOT NULL
);
CREATE TABLE gpg_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  fingerprint text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, key_id text NOT NULL DEFAULT '', subkeys_read boolean NOT NULL DEFAULT false);
CREATE TABLE group_counters (
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (group_id, name)
);
CREATE TABLE group_custom_attributes (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_exports (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  filename text NOT NULL,
  key text,
  size integer NOT NULL,
  sha256 text NOT NULL,
  error text,
  expires_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_imports (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  key text,
  size integer NOT NULL,
  records integer NOT NULL,
  imported integer NOT NULL,
  skipped_members integer NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  shared_with_group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  access_level integer NOT NULL,
  expires_at date,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_protected_branches (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  push_access_level integer NOT NULL,
  merge_access_level integer NOT NULL,
  unprotect_access_level integer NOT NULL,
  allow_force_push boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_storage_moves (
  id integer PRIMARY KEY AUTOINCREMENT,
  owner_id integer NOT NULL REFERENCES group_wikis (group_id) ON DELETE CASCADE,
  state text NOT NULL,
  source_storage text NOT NULL,
  destination_storage text NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_variables (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  protected boolean NOT NULL,
  masked boolean NOT NULL,
  raw boolean NOT NULL,
  hidden boolean NOT NULL,
  environment_scope text NOT NULL,
  description text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE group_wikis (
  group_id integer PRIMARY KEY REFERENCES namespaces (id) ON DELETE CASCADE,
  repository_storage text NOT NULL,
  repository_read_only boolean NOT NULL DEFAULT false,
  head text NOT NULL DEFAULT '',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE hook_deliveries (
  id integer PRIMARY KEY AUTOINCREMENT,
  hook_id integer NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
  message_id integer NOT NULL REFERENCES hook_messages (id) ON DELETE CASCADE,
  key text NOT NULL,
  url text NOT NULL,
  request_headers text NOT NULL,
  request_body text,
  response_headers text NOT NULL,
  response_body text NOT NULL,
  response_status integer NOT NULL,
  duration real NOT NULL,
  delivered_at datetime
);
CREATE TABLE hook_messages (
  id integer PRIMARY KEY AUTOINCREMENT,
  chain text NOT NULL,
  trigger_name text NOT NULL,
  event text NOT NULL,
  facts text,
  body text,
  created_at datetime NOT NULL
);
CREATE TABLE hooks (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  url text NOT NULL,
  name text,
  description text,
  events integer NOT NULL,
  enable_ssl_verification boolean NOT NULL,
  push_events_branch_filter text,
  branch_filter_strategy text NOT NULL,
  custom_webhook_template text,
  sealed blob NOT NULL,
  failures integer NOT NULL,
  disabled_until datetime,
  slow boolean NOT NULL,
  leased_until datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, integration text, settings text, inactive boolean NOT NULL DEFAULT false);
CREATE TABLE identities (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider text NOT NULL,
  extern_uid text NOT NULL,
  saml_provider_id integer,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE instance (
  one integer PRIMARY KEY CHECK (one = 1),
  id text NOT NULL,
  key_check blob,
  first_token_id integer REFERENCES personal_access_tokens (id) ON DELETE SET NULL,
  first_password text,
  program text NOT NULL,
  created_at datetime NOT NULL
, removals_held_until datetime, url text NOT NULL DEFAULT '');
CREATE TABLE instance_settings (
  kind text PRIMARY KEY,
  content text NOT NULL,
  version integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE instance_storages (
  name text PRIMARY KEY,
  created_at datetime NOT NULL
);
CREATE TABLE instance_variables (
  id integer PRIMARY KEY AUTOINCREMENT,
  key text NOT NULL,
  value text NOT NULL,
  description text,
  variable_type text NOT NULL DEFAULT 'env_var',
  protected boolean NOT NULL DEFAULT false,
  masked boolean NOT NULL DEFAULT false,
  raw boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE invitations (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  email text NOT NULL,
  access_level integer NOT NULL,
  expires_at date,
  token_digest blob NOT NULL,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE issue_assignees (
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, user_id)
);
CREATE TABLE issue_labels (
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (issue_id, label_id)
);
CREATE TABLE issue_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  target_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  link_type text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
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
, due_told date, weight bigint, iteration_id integer REFERENCES iterations (id) ON DELETE SET NULL);
CREATE TABLE iterations (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  title text,
  description text,
  start_date date NOT NULL,
  due_date date NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE job_artifacts (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  job_id integer NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  file_type text NOT NULL,
  file_format text NOT NULL,
  filename text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  key text NOT NULL,
  created_at datetime NOT NULL,
  expire_at datetime
);
CREATE TABLE job_specs (
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  name text NOT NULL,
  spec text NOT NULL,
  PRIMARY KEY (pipeline_id, name)
);
CREATE TABLE job_token_groups (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, group_id)
);
CREATE TABLE job_token_projects (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  allowed_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, allowed_id)
);
CREATE TABLE job_token_scopes (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  inbound_enabled boolean NOT NULL
);
CREATE TABLE job_variables (
  job_id integer NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (job_id, key)
);
CREATE TABLE jobs (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  bridge boolean NOT NULL,
  name text NOT NULL,
  stage text NOT NULL,
  stage_index integer NOT NULL,
  status text NOT NULL,
  run_when text NOT NULL,
  allow_failure boolean NOT NULL,
  needs text,
  ref text NOT NULL,
  tag boolean NOT NULL,
  protected boolean NOT NULL,
  tags text NOT NULL,
  interruptible boolean NOT NULL,
  resource_group text,
  environment text,
  environment_action text,
  environment_url text,
  start_in integer NOT NULL,
  timeout integer NOT NULL,
  retried boolean NOT NULL DEFAULT false,
  attempt integer NOT NULL DEFAULT 0,
  runner_id integer REFERENCES runners (id) ON DELETE SET NULL,
  runner_manager_id integer REFERENCES runner_managers (id) ON DELETE SET NULL,
  digest text,
  failure_reason text,
  exit_code integer,
  coverage double precision,
  debug boolean NOT NULL DEFAULT false,
  downstream_id integer,
  log_size integer NOT NULL DEFAULT 0,
  log_sum integer NOT NULL DEFAULT 0,
  artifacts_expire_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  queued_at datetime,
  scheduled_at datetime,
  started_at datetime,
  contacted_at datetime,
  deadline_at datetime,
  finished_at datetime,
  erased_at datetime
);
CREATE TABLE keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  key text NOT NULL,
  fingerprint_sha256 text NOT NULL,
  fingerprint_md5 text NOT NULL,
  usage_type text NOT NULL DEFAULT 'auth_and_signing',
  expires_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE label_priorities (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  priority integer NOT NULL,
  PRIMARY KEY (project_id, label_id)
);
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
CREATE TABLE lfs_locks (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  path text NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE lfs_objects (
  oid text PRIMARY KEY,
  size integer NOT NULL,
  storage text NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE lfs_project_objects (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  oid text NOT NULL REFERENCES lfs_objects (oid),
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, oid)
);
CREATE TABLE mailed_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose text NOT NULL,
  email text NOT NULL,
  digest blob NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL
);
CREATE TABLE member_roles (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  base_access_level integer NOT NULL,
  permissions text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE members (
  id integer PRIMARY KEY AUTOINCREMENT,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  access_level integer NOT NULL,
  expires_at date,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, member_role_id integer REFERENCES member_roles (id) ON DELETE SET NULL);
CREATE TABLE merge_attempts (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  sha text NOT NULL,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  data text NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (project_id, sha)
);
CREATE TABLE merge_request_approvals (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE TABLE merge_request_assignees (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE TABLE merge_request_commits (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  sha text NOT NULL,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  PRIMARY KEY (project_id, sha, merge_request_id)
);
CREATE TABLE merge_request_committers (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE TABLE merge_request_issues (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  issue_id integer NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
  closes boolean NOT NULL,
  PRIMARY KEY (merge_request_id, issue_id)
);
CREATE TABLE merge_request_labels (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  label_id integer NOT NULL REFERENCES labels (id) ON DELETE CASCADE,
  PRIMARY KEY (merge_request_id, label_id)
);
CREATE TABLE merge_request_reviewers (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (merge_request_id, user_id)
);
CREATE TABLE merge_request_versions (
  id integer PRIMARY KEY AUTOINCREMENT,
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  head_sha text NOT NULL,
  base_sha text NOT NULL,
  start_sha text NOT NULL,
  changes integer NOT NULL,
  created_at datetime NOT NULL
);
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
, target_sha text NOT NULL DEFAULT '', diverged integer NOT NULL DEFAULT 0, approval_rules_overwritten boolean NOT NULL DEFAULT false);
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
CREATE TABLE namespace_ancestors (
  descendant_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  ancestor_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  depth integer NOT NULL,
  PRIMARY KEY (descendant_id, ancestor_id)
);
CREATE TABLE namespaces (
  id integer PRIMARY KEY AUTOINCREMENT,
  kind text NOT NULL,
  name text NOT NULL,
  path text NOT NULL,
  parent_id integer REFERENCES namespaces (id),
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, full_path text NOT NULL DEFAULT '', full_name text NOT NULL DEFAULT '', description text NOT NULL DEFAULT '', visibility integer NOT NULL DEFAULT 20, share_with_group_lock boolean NOT NULL DEFAULT false, require_two_factor_authentication boolean NOT NULL DEFAULT false, two_factor_grace_period integer NOT NULL DEFAULT 48, project_creation_level text NOT NULL DEFAULT 'developer', subgroup_creation_level text NOT NULL DEFAULT 'maintainer', auto_devops_enabled boolean, mentions_disabled boolean, emails_disabled boolean NOT NULL DEFAULT false, lfs_enabled boolean NOT NULL DEFAULT true, default_branch_protection integer NOT NULL DEFAULT 2, request_access_enabled boolean NOT NULL DEFAULT true, shared_runners_setting text NOT NULL DEFAULT 'enabled', prevent_sharing_outside_hierarchy boolean NOT NULL DEFAULT false, avatar text, two_factor_required_at datetime, maven_duplicates_allowed boolean NOT NULL DEFAULT true, maven_duplicate_exception_regex text NOT NULL DEFAULT '', generic_duplicates_allowed boolean NOT NULL DEFAULT true, generic_duplicate_exception_regex text NOT NULL DEFAULT '', marked_for_deletion_at datetime);
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
CREATE TABLE oauth_applications (
  id integer PRIMARY KEY AUTOINCREMENT,
  uid text NOT NULL,
  name text NOT NULL,
  secret_digest blob NOT NULL,
  redirect_uri text NOT NULL,
  scopes text NOT NULL,
  confidential boolean NOT NULL,
  trusted boolean NOT NULL,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  namespace_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE oauth_grants (
  id integer PRIMARY KEY AUTOINCREMENT,
  application_id integer NOT NULL REFERENCES oauth_applications (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  redirect_uri text NOT NULL,
  scopes text NOT NULL,
  code_challenge text NOT NULL,
  nonce text NOT NULL,
  ticket blob,
  signed_in_at datetime NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL,
  used_at datetime
);
CREATE TABLE oauth_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  kid text NOT NULL,
  public blob NOT NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE oauth_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  application_id integer REFERENCES oauth_applications (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  grant_id integer REFERENCES oauth_grants (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  refresh_digest blob,
  scopes text NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL,
  revoked_at datetime,
  refreshed_at datetime
);
CREATE TABLE package_files (
  id integer PRIMARY KEY AUTOINCREMENT,
  package_id integer NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  file_name text NOT NULL,
  size integer NOT NULL,
  file_md5 text NOT NULL,
  file_sha1 text NOT NULL,
  file_sha256 text NOT NULL,
  key text NOT NULL,
  -- The pipeline whose job uploaded the file.
  pipeline_id integer REFERENCES pipelines (id) ON DELETE SET NULL,
  -- What the type of the package stores for each file, as JSON.
  metadata text NOT NULL DEFAULT '{}',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, project_id integer NOT NULL DEFAULT 0);
CREATE TABLE package_pipelines (
  package_id integer NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  PRIMARY KEY (package_id, pipeline_id)
);
CREATE TABLE package_protection_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  package_name_pattern text NOT NULL,
  package_type text NOT NULL,
  minimum_access_level_for_push text,
  minimum_access_level_for_delete text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE package_tags (
  id integer PRIMARY KEY AUTOINCREMENT,
  package_id integer NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE packages (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  package_type text NOT NULL,
  name text NOT NULL,
  -- The name by which clients find the package: for PyPI the normalized name, for other types the name itself.
  search_name text NOT NULL,
  version text,
  status text NOT NULL,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  -- What the type of the package stores beside its files, as JSON.
  metadata text NOT NULL DEFAULT '{}',
  last_downloaded_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE pages_deployments (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  job_id integer NOT NULL,
  root text NOT NULL,
  key text NOT NULL,
  packed_size integer NOT NULL,
  size integer NOT NULL,
  file_count integer NOT NULL,
  created_at datetime NOT NULL
);
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
, obtained boolean NOT NULL DEFAULT false, certificate_next_at datetime, certificate_tries integer NOT NULL DEFAULT 0, certificate_error text, challenge_token text, challenge_answer text);
CREATE TABLE pages_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  unique_domain boolean NOT NULL,
  primary_domain_id integer REFERENCES pages_domains (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE pending_jobs (
  job_id integer PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tags text NOT NULL,
  protected boolean NOT NULL
, mark integer NOT NULL DEFAULT 0);
CREATE TABLE personal_access_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text,
  digest blob NOT NULL,
  scopes text NOT NULL,
  impersonation boolean NOT NULL DEFAULT false,
  revoked boolean NOT NULL DEFAULT false,
  expires_at date,
  last_used_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, previous_id integer REFERENCES personal_access_tokens (id) ON DELETE SET NULL, family_id integer, created_by_id integer REFERENCES users (id) ON DELETE SET NULL);
CREATE TABLE pipeline_schedule_variables (
  schedule_id integer NOT NULL REFERENCES pipeline_schedules (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  raw boolean NOT NULL,
  PRIMARY KEY (schedule_id, key)
);
CREATE TABLE pipeline_schedules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  owner_id integer REFERENCES users (id) ON DELETE CASCADE,
  description text NOT NULL,
  ref text NOT NULL,
  cron text NOT NULL,
  cron_timezone text NOT NULL,
  next_run_at datetime,
  active boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE pipeline_triggers (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  owner_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  description text NOT NULL,
  digest blob NOT NULL,
  hint text NOT NULL,
  last_used_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE pipeline_variables (
  pipeline_id integer NOT NULL REFERENCES pipelines (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  raw boolean NOT NULL,
  PRIMARY KEY (pipeline_id, key)
);
CREATE TABLE pipelines (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  iid integer NOT NULL,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  ref text NOT NULL,
  tag boolean NOT NULL,
  protected boolean NOT NULL,
  sha text NOT NULL,
  before_sha text NOT NULL,
  commit_data text NOT NULL,
  source text NOT NULL,
  status text NOT NULL,
  name text,
  yaml_errors text,
  failure_reason text,
  stages text NOT NULL,
  on_new_commit text NOT NULL,
  on_job_failure text NOT NULL,
  upstream_job_id integer,
  child boolean NOT NULL,
  depth integer NOT NULL,
  duration integer,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  started_at datetime,
  finished_at datetime
, origin text, schedule_id integer REFERENCES pipeline_schedules (id) ON DELETE SET NULL, merge_request_id integer REFERENCES merge_requests (id) ON DELETE SET NULL, deploy_freeze boolean NOT NULL DEFAULT false);
CREATE TABLE project_aliases (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_approval_settings (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  reset_approvals_on_push boolean NOT NULL DEFAULT true,
  disable_overriding boolean NOT NULL DEFAULT false,
  author_approval boolean NOT NULL DEFAULT false,
  disable_committers_approval boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_counters (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  last integer NOT NULL,
  PRIMARY KEY (project_id, name)
);
CREATE TABLE project_custom_attributes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_exports (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL,
  description text,
  filename text NOT NULL,
  key text,
  size integer NOT NULL,
  sha256 text NOT NULL,
  error text,
  expires_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_fetches (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  date date NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (project_id, date)
);
CREATE TABLE project_file_imports (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  key text,
  size integer NOT NULL,
  overrides text NOT NULL,
  imported integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_import_failures (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  relation text NOT NULL,
  line integer NOT NULL,
  message text NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE project_imports (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  sealed blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE project_languages (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  share real NOT NULL,
  PRIMARY KEY (project_id, name)
);
CREATE TABLE project_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  access_level integer NOT NULL,
  expires_at date,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_lists (
  namespace_id integer PRIMARY KEY,
  version integer NOT NULL
);
CREATE TABLE project_redirects (
  path text PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL
);
CREATE TABLE project_stars (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (user_id, project_id)
);
CREATE TABLE project_storage_moves (
  id integer PRIMARY KEY AUTOINCREMENT,
  owner_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  state text NOT NULL,
  source_storage text NOT NULL,
  destination_storage text NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_topics (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  PRIMARY KEY (project_id, name)
);
CREATE TABLE project_variables (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  variable_type text NOT NULL,
  protected boolean NOT NULL,
  masked boolean NOT NULL,
  raw boolean NOT NULL,
  hidden boolean NOT NULL,
  environment_scope text NOT NULL,
  description text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE project_wikis (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  head text NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE projects (
  id integer PRIMARY KEY AUTOINCREMENT,
  namespace_id integer NOT NULL REFERENCES namespaces (id),
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  path text NOT NULL,
  full_path text NOT NULL,
  full_name text NOT NULL,
  description text,
  visibility integer NOT NULL,
  archived boolean NOT NULL DEFAULT false,
  default_branch text NOT NULL,
  topics text NOT NULL DEFAULT '',
  star_count integer NOT NULL DEFAULT 0,
  forks_count integer NOT NULL DEFAULT 0,
  forked_from_id integer REFERENCES projects (id) ON DELETE SET NULL,
  repository_storage text NOT NULL,
  issues_access_level text NOT NULL,
  repository_access_level text NOT NULL,
  merge_requests_access_level text NOT NULL,
  forking_access_level text NOT NULL,
  wiki_access_level text NOT NULL,
  builds_access_level text NOT NULL,
  snippets_access_level text NOT NULL,
  pages_access_level text NOT NULL,
  analytics_access_level text NOT NULL,
  container_registry_access_level text NOT NULL,
  security_and_compliance_access_level text NOT NULL,
  releases_access_level text NOT NULL,
  environments_access_level text NOT NULL,
  feature_flags_access_level text NOT NULL,
  infrastructure_access_level text NOT NULL,
  monitor_access_level text NOT NULL,
  model_experiments_access_level text NOT NULL,
  resolve_outdated_diff_discussions boolean NOT NULL,
  emails_disabled boolean NOT NULL,
  shared_runners_enabled boolean NOT NULL,
  group_runners_enabled boolean NOT NULL,
  lfs_enabled boolean NOT NULL,
  ci_config_path text,
  ci_default_git_depth integer NOT NULL,
  ci_forward_deployment_enabled boolean NOT NULL,
  ci_job_token_scope_enabled boolean NOT NULL,
  ci_separated_caches boolean NOT NULL,
  ci_allow_fork_pipelines_to_run_in_parent_project boolean NOT NULL,
  build_git_strategy text NOT NULL,
  build_timeout integer NOT NULL,
  auto_cancel_pending_pipelines text NOT NULL,
  public_jobs boolean NOT NULL,
  keep_latest_artifact boolean NOT NULL,
  restrict_user_defined_variables boolean NOT NULL,
  only_allow_merge_if_pipeline_succeeds boolean NOT NULL,
  allow_merge_on_skipped_pipeline boolean,
  request_access_enabled boolean NOT NULL,
  only_allow_merge_if_all_discussions_are_resolved boolean NOT NULL,
  remove_source_branch_after_merge boolean NOT NULL,
  printing_merge_request_link_enabled boolean NOT NULL,
  merge_method text NOT NULL,
  squash_option text NOT NULL,
  enforce_auth_checks_on_uploads boolean NOT NULL,
  suggestion_commit_message text,
  merge_commit_template text,
  squash_commit_template text,
  issue_branch_template text,
  auto_devops_enabled boolean NOT NULL,
  auto_devops_deploy_strategy text NOT NULL,
  autoclose_referenced_issues boolean NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  last_activity_at datetime NOT NULL
, avatar text, import_status text NOT NULL DEFAULT 'none', empty_repo boolean NOT NULL DEFAULT true, repository_read_only boolean NOT NULL DEFAULT false, repository_size integer NOT NULL DEFAULT 0, commit_count integer NOT NULL DEFAULT 0, readme_path text, lfs_objects_size integer NOT NULL DEFAULT 0, open_issues_count integer NOT NULL DEFAULT 0, open_confidential_issues_count integer NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0, job_artifacts_size integer NOT NULL DEFAULT 0, packages_size integer NOT NULL DEFAULT 0, uploads_size integer NOT NULL DEFAULT 0, package_registry_access_level text NOT NULL DEFAULT 'enabled', only_allow_merge_if_all_status_checks_passed boolean NOT NULL DEFAULT false, import_type text, import_url text, import_error text, marked_for_deletion_at datetime);
CREATE TABLE protected_branch_deploy_keys (
  id integer PRIMARY KEY AUTOINCREMENT,
  protected_branch_id integer NOT NULL REFERENCES protected_branches (id) ON DELETE CASCADE,
  deploy_key_id integer NOT NULL,
  project_id integer NOT NULL,
  FOREIGN KEY (deploy_key_id, project_id) REFERENCES deploy_key_projects (deploy_key_id, project_id) ON DELETE CASCADE
);
CREATE TABLE protected_branches (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  push_access_level integer NOT NULL,
  merge_access_level integer NOT NULL,
  unprotect_access_level integer NOT NULL,
  allow_force_push boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE protected_environment_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  protected_environment_id integer NOT NULL REFERENCES protected_environments (id) ON DELETE CASCADE,
  kind text NOT NULL,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  access_level integer,
  group_inheritance_type integer NOT NULL DEFAULT 0,
  required_approvals integer NOT NULL DEFAULT 0,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE protected_environments (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  name text NOT NULL,
  required_approval_count integer NOT NULL DEFAULT 0,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE protected_tags (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  create_access_level integer NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE pull_mirrors (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL UNIQUE REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  url text NOT NULL,
  sealed blob NOT NULL,
  enabled boolean NOT NULL,
  mirror_trigger_builds boolean NOT NULL,
  only_mirror_protected_branches boolean NOT NULL,
  mirror_overwrites_diverged_branches boolean NOT NULL,
  mirror_branch_regex text,
  update_status text NOT NULL,
  last_update_at datetime,
  last_update_started_at datetime,
  last_successful_update_at datetime,
  last_error text,
  failures integer NOT NULL,
  next_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE push_rules (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  commit_message_regex text NOT NULL DEFAULT '',
  commit_message_negative_regex text NOT NULL DEFAULT '',
  branch_name_regex text NOT NULL DEFAULT '',
  author_email_regex text NOT NULL DEFAULT '',
  file_name_regex text NOT NULL DEFAULT '',
  max_file_size integer NOT NULL DEFAULT 0,
  deny_delete_tag boolean NOT NULL DEFAULT false,
  member_check boolean NOT NULL DEFAULT false,
  prevent_secrets boolean NOT NULL DEFAULT false,
  commit_committer_check boolean,
  commit_committer_name_check boolean NOT NULL DEFAULT false,
  reject_unsigned_commits boolean,
  reject_non_dco_commits boolean,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE pushes (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE CASCADE,
  ref text NOT NULL,
  old_id text NOT NULL,
  new_id text NOT NULL,
  created_at datetime NOT NULL
, batch text NOT NULL DEFAULT '', options text NOT NULL DEFAULT '');
CREATE TABLE queue_processes (
  id text PRIMARY KEY NOT NULL,
  seen_at datetime NOT NULL
);
CREATE TABLE rate_counters (
  key text NOT NULL,
  starts_at datetime NOT NULL,
  ends_at datetime NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (key, starts_at)
);
CREATE TABLE recovery_codes (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest blob NOT NULL
);
CREATE TABLE registration_tokens (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  digest text NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE relation_export_files (
  id integer PRIMARY KEY AUTOINCREMENT,
  export_id integer NOT NULL REFERENCES relation_exports (id) ON DELETE CASCADE,
  relation text NOT NULL,
  batch_number integer NOT NULL,
  records integer NOT NULL,
  key text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE relation_exports (
  id integer PRIMARY KEY AUTOINCREMENT,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  batched boolean NOT NULL,
  state text NOT NULL,
  error text,
  expires_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  CHECK ((group_id IS NULL) <> (project_id IS NULL))
);
CREATE TABLE release_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  release_id integer NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  name text NOT NULL,
  url text NOT NULL,
  filepath text,
  link_type text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  UNIQUE (release_id, name),
  UNIQUE (release_id, url)
);
CREATE TABLE release_milestones (
  release_id integer NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  milestone_id integer NOT NULL REFERENCES milestones (id) ON DELETE CASCADE,
  PRIMARY KEY (release_id, milestone_id)
);
CREATE TABLE releases (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  tag text NOT NULL,
  sha text NOT NULL,
  name text,
  description text,
  author_id integer REFERENCES users (id) ON DELETE SET NULL,
  released_at datetime NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  UNIQUE (project_id, tag)
);
CREATE TABLE remote_mirrors (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  url text NOT NULL,
  sealed blob NOT NULL,
  enabled boolean NOT NULL,
  only_protected_branches boolean NOT NULL,
  keep_divergent_refs boolean NOT NULL,
  mirror_branch_regex text,
  update_status text NOT NULL,
  last_update_at datetime,
  last_update_started_at datetime,
  last_successful_update_at datetime,
  last_error text,
  failures bigint NOT NULL,
  next_at datetime,
  changed_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE repository_changes (
  project_id integer PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  changed_at datetime NOT NULL
);
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
, iteration_id integer REFERENCES iterations (id) ON DELETE SET NULL, epic_id integer REFERENCES epics (id) ON DELETE CASCADE);
CREATE TABLE resource_groups (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  key text NOT NULL,
  process_mode text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE runner_managers (
  id integer PRIMARY KEY AUTOINCREMENT,
  runner_id integer NOT NULL REFERENCES runners (id) ON DELETE CASCADE,
  system_id text NOT NULL,
  version text,
  revision text,
  platform text,
  architecture text,
  ip_address text,
  contacted_at datetime,
  created_at datetime NOT NULL
);
CREATE TABLE runner_projects (
  runner_id integer NOT NULL REFERENCES runners (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (runner_id, project_id)
);
CREATE TABLE runners (
  id integer PRIMARY KEY AUTOINCREMENT,
  runner_type text NOT NULL,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  creator_id integer REFERENCES users (id) ON DELETE SET NULL,
  digest text NOT NULL,
  token_expires_at datetime,
  description text,
  paused boolean NOT NULL,
  locked boolean NOT NULL,
  run_untagged boolean NOT NULL,
  access_level text NOT NULL,
  maximum_timeout integer,
  maintenance_note text,
  tags text NOT NULL,
  name text,
  version text,
  revision text,
  platform text,
  architecture text,
  ip_address text,
  contacted_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE scheduled_deletions (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  by_group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  user_id integer REFERENCES users (id) ON DELETE SET NULL,
  name text NOT NULL,
  path text NOT NULL,
  archived boolean NOT NULL,
  delete_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE secure_files (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  size integer NOT NULL,
  checksum text NOT NULL,
  metadata text,
  expires_at datetime,
  sealed blob NOT NULL,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE service_accounts (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  source_type text NOT NULL,
  source_id integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE sessions (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest blob NOT NULL,
  csrf_digest blob NOT NULL,
  created_at datetime NOT NULL,
  expires_at datetime NOT NULL
, ip text NOT NULL DEFAULT '', user_agent text NOT NULL DEFAULT '', remembered boolean NOT NULL DEFAULT false, last_used_at datetime);
CREATE TABLE site_grants (
  digest blob PRIMARY KEY,
  state blob NOT NULL,
  host text NOT NULL,
  target text NOT NULL,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  session_id integer NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at datetime NOT NULL
);
CREATE TABLE snippet_storage_moves (
  id integer PRIMARY KEY AUTOINCREMENT,
  owner_id integer NOT NULL REFERENCES snippets (id) ON DELETE CASCADE,
  state text NOT NULL,
  source_storage text NOT NULL,
  destination_storage text NOT NULL,
  error text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE snippets (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  author_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  description text,
  visibility integer NOT NULL,
  files text NOT NULL,
  repository_storage text NOT NULL,
  repository_read_only boolean NOT NULL DEFAULT false,
  head text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  ip_address text NOT NULL DEFAULT '',
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE ssh_host_keys (
  name text PRIMARY KEY,
  sealed blob NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE status_check_responses (
  merge_request_id integer NOT NULL REFERENCES merge_requests (id) ON DELETE CASCADE,
  check_id integer NOT NULL REFERENCES external_status_checks (id) ON DELETE CASCADE,
  sha text NOT NULL,
  status text NOT NULL,
  called_at datetime NOT NULL,
  updated_at datetime NOT NULL,
  PRIMARY KEY (merge_request_id, check_id)
);
CREATE TABLE subscriptions (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  target_type text NOT NULL,
  target_id integer NOT NULL,
  subscribed boolean NOT NULL,
  created_at datetime NOT NULL,
  PRIMARY KEY (target_type, target_id, user_id)
);
CREATE TABLE suggestions (
  id integer PRIMARY KEY AUTOINCREMENT,
  note_id integer NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
  path text NOT NULL,
  from_line integer NOT NULL,
  to_line integer NOT NULL,
  from_content text NOT NULL,
  to_content text NOT NULL,
  applied boolean NOT NULL,
  commit_id text,
  created_at datetime NOT NULL
);
CREATE TABLE terraform_state_versions (
  id integer PRIMARY KEY AUTOINCREMENT,
  state_id integer NOT NULL REFERENCES terraform_states (id) ON DELETE CASCADE,
  serial integer NOT NULL,
  size integer NOT NULL,
  checksum text NOT NULL,
  sealed blob NOT NULL,
  created_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL
);
CREATE TABLE terraform_states (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  lock_id text,
  lock_info text,
  locked_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  locked_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
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
CREATE TABLE topics (
  id integer PRIMARY KEY AUTOINCREMENT,
  name text NOT NULL,
  lower_name text NOT NULL,
  title text NOT NULL,
  description text,
  avatar text,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE tracked_error_events (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  error_id integer NOT NULL REFERENCES tracked_errors (id) ON DELETE CASCADE,
  event_id text NOT NULL,
  level text NOT NULL,
  environment text,
  release text,
  payload text NOT NULL,
  occurred_at datetime NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE tracked_errors (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  fingerprint text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  culprit text NOT NULL,
  platform text,
  level text NOT NULL,
  status text NOT NULL,
  events_count integer NOT NULL,
  first_seen_at datetime NOT NULL,
  last_seen_at datetime NOT NULL,
  resolved_at datetime
);
CREATE TABLE two_factors (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  otp_sealed blob NOT NULL,
  otp_step integer NOT NULL,
  created_at datetime NOT NULL
);
CREATE TABLE uploads (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer REFERENCES namespaces (id) ON DELETE CASCADE,
  secret text NOT NULL,
  filename text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  key text NOT NULL,
  uploaded_by_id integer REFERENCES users (id) ON DELETE SET NULL,
  created_at datetime NOT NULL,
  CHECK ((project_id IS NULL) <> (group_id IS NULL))
);
CREATE TABLE user_custom_attributes (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  key text NOT NULL,
  value text NOT NULL,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE user_deletions (
  user_id integer PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL
);
CREATE TABLE user_follows (
  id integer PRIMARY KEY AUTOINCREMENT,
  follower_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  followee_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at datetime NOT NULL
);
CREATE TABLE user_preferences (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  view_diffs_file_by_file boolean NOT NULL DEFAULT false,
  show_whitespace_in_diffs boolean NOT NULL DEFAULT true,
  pass_user_identities_to_ci_jwt boolean NOT NULL DEFAULT false,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE user_statuses (
  id integer PRIMARY KEY AUTOINCREMENT,
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  emoji text NOT NULL,
  availability text NOT NULL,
  message text,
  clear_status_at datetime,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE TABLE users (
  id integer PRIMARY KEY AUTOINCREMENT,
  username text NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'active',
  kind text NOT NULL DEFAULT 'human',
  admin boolean NOT NULL DEFAULT false,
  auditor boolean NOT NULL DEFAULT false,
  external boolean NOT NULL DEFAULT false,
  private_profile boolean NOT NULL DEFAULT false,
  two_factor boolean NOT NULL DEFAULT false,
  can_create_group boolean NOT NULL DEFAULT true,
  projects_limit integer NOT NULL DEFAULT 100000,
  theme_id integer NOT NULL DEFAULT 1,
  color_scheme_id integer NOT NULL DEFAULT 1,
  bio text NOT NULL DEFAULT '',
  location text,
  public_email text,
  commit_email text,
  skype text NOT NULL DEFAULT '',
  linkedin text NOT NULL DEFAULT '',
  twitter text NOT NULL DEFAULT '',
  discord text NOT NULL DEFAULT '',
  website_url text NOT NULL DEFAULT '',
  organization text,
  job_title text NOT NULL DEFAULT '',
  pronouns text,
  time_zone text,
  note text,
  followers integer NOT NULL DEFAULT 0,
  following integer NOT NULL DEFAULT 0,
  namespace_id integer REFERENCES namespaces (id),
  created_by_id integer REFERENCES users (id),
  locked_at datetime,
  confirmed_at datetime,
  last_sign_in_at datetime,
  current_sign_in_at datetime,
  last_activity_on date,
  email_reset_offered_at datetime,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  provisioned_by_group_id integer,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
, password_expires_at datetime, current_sign_in_ip text, last_sign_in_ip text, sign_in_count integer NOT NULL DEFAULT 0, avatar text, failed_attempts integer NOT NULL DEFAULT 0);
CREATE TABLE wiki_pages (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  slug text NOT NULL,
  title text NOT NULL,
  format text NOT NULL,
  UNIQUE (project_id, slug)
);
CREATE VIRTUAL TABLE project_search USING fts5 (name, path, content = 'projects', content_rowid = 'id', tokenize = 'trigram');
CREATE VIRTUAL TABLE user_search USING fts5 (name, username, content = 'users', content_rowid = 'id', tokenize = 'trigram');
CREATE INDEX access_requests_user_id ON access_requests (user_id);
CREATE INDEX alert_assignees_user_id ON alert_assignees (user_id, alert_id);
CREATE INDEX alert_integrations_project_id ON alert_integrations (project_id, id);
CREATE INDEX alert_metric_images_alert_id ON alert_metric_images (alert_id, id);
CREATE INDEX alert_metric_images_upload_id ON alert_metric_images (upload_id);
CREATE INDEX alerts_issue_id ON alerts (issue_id) WHERE issue_id IS NOT NULL;
CREATE INDEX alerts_resolved_fingerprint ON alerts (project_id, fingerprint, id) WHERE status = 'resolved';
CREATE INDEX alerts_started_at ON alerts (project_id, started_at, id);
CREATE INDEX alerts_status ON alerts (project_id, status, started_at, id);
CREATE INDEX approval_rule_branches_branch ON approval_rule_branches (protected_branch_id);
CREATE INDEX approval_rule_groups_group ON approval_rule_groups (group_id);
CREATE INDEX approval_rule_users_user ON approval_rule_users (user_id);
CREATE INDEX approval_rules_source ON approval_rules (source_rule_id) WHERE source_rule_id IS NOT NULL;
CREATE INDEX audit_events_author ON audit_events (entity_type, entity_id, author_id, id);
CREATE INDEX audit_events_created_at ON audit_events (created_at, id);
CREATE INDEX audit_events_entity ON audit_events (entity_type, entity_id, id);
CREATE INDEX audit_events_entity_type ON audit_events (entity_type, id);
CREATE INDEX audit_stream_events_event_id ON audit_stream_events (event_id);
CREATE INDEX award_emoji_user_id ON award_emoji (user_id);
CREATE INDEX badges_group_id ON badges (group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX badges_project_id ON badges (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX blob_removals_due_at ON blob_removals (due_at);
CREATE INDEX board_lists_label_id ON board_lists (label_id);
CREATE INDEX boards_group_id ON boards (group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX boards_project_id ON boards (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX bots_source ON bots (source_type, source_id);
CREATE INDEX broadcast_messages_ends_at ON broadcast_messages (ends_at);
CREATE INDEX bulk_import_entities_bulk_import_id ON bulk_import_entities (bulk_import_id, id);
CREATE INDEX bulk_import_entities_namespace_id ON bulk_import_entities (namespace_id);
CREATE INDEX bulk_import_entities_parent_id ON bulk_import_entities (parent_id);
CREATE INDEX bulk_import_entities_project_id ON bulk_import_entities (project_id);
CREATE INDEX bulk_import_failures_entity_id ON bulk_import_failures (entity_id, id);
CREATE INDEX bulk_imports_sealed ON bulk_imports (created_at) WHERE sealed IS NOT NULL;
CREATE INDEX bulk_imports_user_id ON bulk_imports (user_id, id);
CREATE INDEX cluster_agent_tokens_agent ON cluster_agent_tokens (agent_id, revoked, id);
CREATE INDEX cluster_agent_tokens_user_id ON cluster_agent_tokens (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX cluster_agents_user_id ON cluster_agents (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX commit_statuses_author_id ON commit_statuses (author_id);
CREATE INDEX commit_statuses_commit_id ON commit_statuses (project_id, commit_id, ref, name, id);
CREATE INDEX context_commits_committed_at ON context_commits (merge_request_id, committed_at, id);
CREATE INDEX deleted_side_repositories_created_at ON deleted_side_repositories (created_at);
CREATE INDEX deploy_key_projects_project_id ON deploy_key_projects (project_id, deploy_key_id);
CREATE INDEX deploy_keys_creator_id ON deploy_keys (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX deploy_tokens_creator_id ON deploy_tokens (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX deploy_tokens_source ON deploy_tokens (source_type, source_id, id);
CREATE INDEX deployment_approvals_rule ON deployment_approvals (rule_id) WHERE rule_id IS NOT NULL;
CREATE INDEX deployment_approvals_user ON deployment_approvals (user_id);
CREATE INDEX deployments_environment ON deployments (environment_id, status, id);
CREATE INDEX deployments_status ON deployments (project_id, status, id);
CREATE INDEX deployments_user_id ON deployments (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX draft_notes_author_id ON draft_notes (author_id);
CREATE INDEX draft_notes_merge_request_id ON draft_notes (merge_request_id, author_id, id);
CREATE INDEX emails_user_id ON emails (user_id, id);
CREATE INDEX environments_auto_delete_at ON environments (auto_delete_at) WHERE auto_delete_at IS NOT NULL;
CREATE INDEX environments_auto_stop_at ON environments (auto_stop_at) WHERE state = 'available' AND auto_stop_at IS NOT NULL;
CREATE INDEX epic_issues_epic_id ON epic_issues (epic_id, relative_position);
CREATE INDEX epic_labels_label_id ON epic_labels (label_id);
CREATE INDEX epic_links_target_id ON epic_links (target_id);
CREATE INDEX epic_notes_author_id ON epic_notes (author_id);
CREATE INDEX epic_notes_discussion_id ON epic_notes (discussion_id);
CREATE INDEX epic_notes_epic_id ON epic_notes (epic_id, created_at, id);
CREATE INDEX epics_author_id ON epics (author_id);
CREATE INDEX epics_closed_by_id ON epics (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE INDEX epics_parent_id ON epics (parent_id, relative_position) WHERE parent_id IS NOT NULL;
CREATE INDEX error_tracking_keys_project_id ON error_tracking_keys (project_id, id);
CREATE INDEX events_author ON events (author_id, created_at, id);
CREATE INDEX events_author_action ON events (author_id, action, created_at, id) WHERE action <> 'pushed';
CREATE INDEX events_author_project ON events (author_id, project_id);
CREATE INDEX events_author_target ON events (author_id, target_type, created_at, id) WHERE target_type IS NOT NULL;
CREATE INDEX events_created_at ON events (created_at, id);
CREATE INDEX events_project ON events (project_id, created_at, id);
CREATE INDEX events_project_action ON events (project_id, action, created_at, id) WHERE action <> 'pushed';
CREATE INDEX events_project_target ON events (project_id, target_type, created_at, id) WHERE target_type IS NOT NULL;
CREATE INDEX events_target ON events (target_type, target_id) WHERE target_id IS NOT NULL;
CREATE INDEX external_status_check_branches_branch ON external_status_check_branches (protected_branch_id);
CREATE INDEX feature_flag_scopes_strategy_id ON feature_flag_scopes (strategy_id, id);
CREATE INDEX feature_flag_strategies_feature_flag_id ON feature_flag_strategies (feature_flag_id, id);
CREATE INDEX feature_flag_strategies_user_list_id ON feature_flag_strategies (user_list_id) WHERE user_list_id IS NOT NULL;
CREATE INDEX freeze_periods_project ON freeze_periods (project_id, created_at, id);
CREATE INDEX gpg_key_subkeys_key_id ON gpg_key_subkeys (key_id);
CREATE INDEX gpg_keys_key_id ON gpg_keys (key_id);
CREATE INDEX gpg_keys_user_id ON gpg_keys (user_id, id);
CREATE INDEX group_custom_attributes_value ON group_custom_attributes (key, value);
CREATE INDEX group_exports_expires_at ON group_exports (expires_at);
CREATE INDEX group_exports_open ON group_exports (id) WHERE state IN ('scheduled', 'started');
CREATE INDEX group_exports_user_id ON group_exports (user_id);
CREATE INDEX group_imports_open ON group_imports (id) WHERE state IN ('scheduled', 'started');
CREATE INDEX group_imports_user_id ON group_imports (user_id);
CREATE INDEX group_links_expires_at ON group_links (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX group_links_shared_with_group_id ON group_links (shared_with_group_id);
CREATE INDEX group_storage_moves_open ON group_storage_moves (id) WHERE state IN ('scheduled', 'started', 'replicated');
CREATE INDEX group_storage_moves_owner_id ON group_storage_moves (owner_id, id);
CREATE INDEX group_wikis_repository_storage ON group_wikis (repository_storage, group_id);
CREATE INDEX hook_deliveries_log ON hook_deliveries (hook_id, delivered_at, id) WHERE delivered_at IS NOT NULL;
CREATE INDEX hook_deliveries_message_id ON hook_deliveries (message_id);
CREATE INDEX hook_deliveries_waiting ON hook_deliveries (hook_id, id) WHERE delivered_at IS NULL;
CREATE INDEX hook_messages_chain ON hook_messages (chain);
CREATE INDEX hook_messages_created_at ON hook_messages (created_at);
CREATE INDEX hooks_group_id ON hooks (group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX hooks_project_id ON hooks (project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX hooks_system ON hooks (id) WHERE project_id IS NULL AND group_id IS NULL;
CREATE INDEX instance_first_token_id ON instance (first_token_id) WHERE first_token_id IS NOT NULL;
CREATE INDEX invitations_created_by_id ON invitations (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX invitations_email ON invitations (lower(email));
CREATE INDEX invitations_expires_at ON invitations (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX issue_assignees_user_id ON issue_assignees (user_id, issue_id);
CREATE INDEX issue_labels_label_id ON issue_labels (label_id, issue_id);
CREATE INDEX issue_links_target_id ON issue_links (target_id);
CREATE INDEX issues_author_created_at ON issues (author_id, project_id, created_at, id);
CREATE INDEX issues_closed_by_id ON issues (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE INDEX issues_created_at ON issues (created_at, id);
CREATE INDEX issues_due_date ON issues (due_date) WHERE due_date IS NOT NULL;
CREATE INDEX issues_duplicated_to_id ON issues (duplicated_to_id) WHERE duplicated_to_id IS NOT NULL;
CREATE INDEX issues_iteration_id ON issues (iteration_id) WHERE iteration_id IS NOT NULL;
CREATE INDEX issues_milestone_id ON issues (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX issues_moved_to_id ON issues (moved_to_id) WHERE moved_to_id IS NOT NULL;
CREATE INDEX issues_project_created_at ON issues (project_id, created_at, id);
CREATE INDEX issues_project_updated_at ON issues (project_id, updated_at, id);
CREATE INDEX issues_relative_position ON issues (project_id, relative_position, id) WHERE relative_position IS NOT NULL;
CREATE INDEX issues_state_created_at ON issues (project_id, state, created_at, id);
CREATE INDEX issues_title ON issues (project_id, title, id);
CREATE INDEX issues_updated_at ON issues (updated_at, id);
CREATE INDEX issues_upvotes ON issues (project_id, upvotes, id);
CREATE INDEX iterations_start_date ON iterations (group_id, start_date, id);
CREATE INDEX job_artifacts_expire_at ON job_artifacts (expire_at, id) WHERE expire_at IS NOT NULL;
CREATE INDEX job_artifacts_project ON job_artifacts (project_id, id);
CREATE INDEX job_token_groups_group_id ON job_token_groups (group_id);
CREATE INDEX job_token_projects_allowed_id ON job_token_projects (allowed_id);
CREATE INDEX jobs_open ON jobs (status, id) WHERE status IN ('pending', 'running', 'canceling', 'scheduled', 'waiting_for_resource');
CREATE INDEX jobs_pipeline ON jobs (pipeline_id, id);
CREATE INDEX jobs_project ON jobs (project_id, id) WHERE NOT bridge;
CREATE INDEX jobs_project_status ON jobs (project_id, status, id) WHERE NOT bridge;
CREATE INDEX jobs_resource_group ON jobs (project_id, resource_group) WHERE resource_group IS NOT NULL;
CREATE INDEX jobs_runner_id ON jobs (runner_id, id) WHERE runner_id IS NOT NULL;
CREATE INDEX jobs_runner_manager_id ON jobs (runner_manager_id) WHERE runner_manager_id IS NOT NULL;
CREATE INDEX jobs_user_id ON jobs (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX keys_fingerprint_md5 ON keys (fingerprint_md5);
CREATE INDEX keys_user_id ON keys (user_id, id);
CREATE INDEX label_priorities_label_id ON label_priorities (label_id);
CREATE INDEX labels_name ON labels (name);
CREATE INDEX lfs_locks_user_id ON lfs_locks (user_id);
CREATE INDEX lfs_project_objects_oid ON lfs_project_objects (oid);
CREATE INDEX mailed_tokens_expires_at ON mailed_tokens (expires_at);
CREATE INDEX mailed_tokens_user_id ON mailed_tokens (user_id);
CREATE INDEX members_expires_at ON members (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX members_member_role ON members (member_role_id) WHERE member_role_id IS NOT NULL;
CREATE INDEX members_user_id ON members (user_id, source_type, source_id);
CREATE INDEX merge_attempts_merge_request_id ON merge_attempts (merge_request_id);
CREATE INDEX merge_request_approvals_user_id ON merge_request_approvals (user_id, merge_request_id);
CREATE INDEX merge_request_assignees_user_id ON merge_request_assignees (user_id, merge_request_id);
CREATE INDEX merge_request_commits_merge_request_id ON merge_request_commits (merge_request_id);
CREATE INDEX merge_request_committers_user ON merge_request_committers (user_id);
CREATE INDEX merge_request_issues_issue_id ON merge_request_issues (issue_id, merge_request_id);
CREATE INDEX merge_request_labels_label_id ON merge_request_labels (label_id, merge_request_id);
CREATE INDEX merge_request_reviewers_user_id ON merge_request_reviewers (user_id, merge_request_id);
CREATE INDEX merge_request_versions_merge_request_id ON merge_request_versions (merge_request_id, id);
CREATE INDEX merge_requests_author_created_at ON merge_requests (author_id, project_id, created_at, id);
CREATE INDEX merge_requests_auto_merge_user_id ON merge_requests (auto_merge_user_id) WHERE auto_merge_user_id IS NOT NULL;
CREATE INDEX merge_requests_closed_by_id ON merge_requests (closed_by_id) WHERE closed_by_id IS NOT NULL;
CREATE INDEX merge_requests_created_at ON merge_requests (created_at, id);
CREATE INDEX merge_requests_head_pipeline_id ON merge_requests (head_pipeline_id) WHERE head_pipeline_id IS NOT NULL;
CREATE INDEX merge_requests_merge_user_id ON merge_requests (merge_user_id) WHERE merge_user_id IS NOT NULL;
CREATE INDEX merge_requests_milestone_id ON merge_requests (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX merge_requests_project_created_at ON merge_requests (project_id, created_at, id);
CREATE INDEX merge_requests_project_updated_at ON merge_requests (project_id, updated_at, id);
CREATE INDEX merge_requests_source ON merge_requests (source_project_id, source_branch);
CREATE INDEX merge_requests_state_created_at ON merge_requests (project_id, state, created_at, id);
CREATE INDEX merge_requests_target ON merge_requests (project_id, target_branch, state);
CREATE INDEX merge_requests_title ON merge_requests (project_id, title, id);
CREATE INDEX merge_requests_updated_at ON merge_requests (updated_at, id);
CREATE INDEX milestones_due_date ON milestones (due_date) WHERE due_date IS NOT NULL;
CREATE INDEX milestones_title ON milestones (title);
CREATE INDEX namespace_ancestors_ancestor_id ON namespace_ancestors (ancestor_id, descendant_id);
CREATE INDEX namespaces_name ON namespaces (name, id);
CREATE INDEX namespaces_parent_id ON namespaces (parent_id);
CREATE INDEX namespaces_two_factor_required ON namespaces (id) WHERE require_two_factor_authentication = true;
CREATE INDEX notes_author_id ON notes (author_id, id);
CREATE INDEX notes_authors ON notes (noteable_type, noteable_id, author_id) WHERE noteable_id IS NOT NULL AND NOT system;
CREATE INDEX notes_commit_id ON notes (project_id, commit_id, id) WHERE commit_id IS NOT NULL;
CREATE INDEX notes_created_at ON notes (noteable_type, noteable_id, created_at, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notes_discussion_id ON notes (discussion_id, id);
CREATE INDEX notes_noteable ON notes (noteable_type, noteable_id, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notes_resolved_by_id ON notes (resolved_by_id) WHERE resolved_by_id IS NOT NULL;
CREATE INDEX notes_threads ON notes (noteable_type, noteable_id, discussion_id, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notes_unresolved ON notes (noteable_type, noteable_id) WHERE resolvable AND resolved_at IS NULL;
CREATE INDEX notes_updated_at ON notes (noteable_type, noteable_id, updated_at, id) WHERE noteable_id IS NOT NULL;
CREATE INDEX notification_settings_group_id ON notification_settings (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX notification_settings_project_id ON notification_settings (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX oauth_applications_namespace_id ON oauth_applications (namespace_id) WHERE namespace_id IS NOT NULL;
CREATE INDEX oauth_applications_user_id ON oauth_applications (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_grants_application_id ON oauth_grants (application_id);
CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at);
CREATE INDEX oauth_grants_user_id ON oauth_grants (user_id);
CREATE INDEX oauth_tokens_application_id ON oauth_tokens (application_id) WHERE application_id IS NOT NULL;
CREATE INDEX oauth_tokens_expires_at ON oauth_tokens (expires_at);
CREATE INDEX oauth_tokens_grant_id ON oauth_tokens (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_tokens_user_id ON oauth_tokens (user_id, application_id);
CREATE INDEX package_files_name ON package_files (package_id, file_name, id);
CREATE INDEX package_files_pipeline ON package_files (pipeline_id) WHERE pipeline_id IS NOT NULL;
CREATE INDEX package_files_sha256 ON package_files (file_sha256);
CREATE INDEX package_pipelines_pipeline ON package_pipelines (pipeline_id);
CREATE INDEX packages_creator ON packages (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX packages_project ON packages (project_id, created_at, id);
CREATE INDEX packages_search_name ON packages (package_type, search_name, project_id);
CREATE INDEX pages_domains_certificate_next_at ON pages_domains (certificate_next_at) WHERE certificate_next_at IS NOT NULL;
CREATE INDEX pages_domains_looked_at ON pages_domains (looked_at);
CREATE INDEX pages_domains_project_id ON pages_domains (project_id, id);
CREATE INDEX pages_settings_primary_domain_id ON pages_settings (primary_domain_id) WHERE primary_domain_id IS NOT NULL;
CREATE INDEX pending_jobs_project ON pending_jobs (project_id, tags, protected, job_id);
CREATE INDEX personal_access_tokens_created_by_id ON personal_access_tokens (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX personal_access_tokens_family_id ON personal_access_tokens (family_id);
CREATE INDEX personal_access_tokens_user_id ON personal_access_tokens (user_id);
CREATE INDEX pipeline_schedules_due ON pipeline_schedules (next_run_at) WHERE active;
CREATE INDEX pipeline_schedules_owner_id ON pipeline_schedules (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX pipeline_schedules_project ON pipeline_schedules (project_id, id);
CREATE INDEX pipeline_triggers_owner_id ON pipeline_triggers (owner_id);
CREATE INDEX pipeline_triggers_project ON pipeline_triggers (project_id, id);
CREATE INDEX pipelines_merge_request_id ON pipelines (merge_request_id, id) WHERE merge_request_id IS NOT NULL;
CREATE INDEX pipelines_project ON pipelines (project_id, id) WHERE NOT child;
CREATE INDEX pipelines_ref ON pipelines (project_id, ref, id);
CREATE INDEX pipelines_schedule_id ON pipelines (schedule_id, id) WHERE schedule_id IS NOT NULL;
CREATE INDEX pipelines_sha ON pipelines (project_id, sha, id);
CREATE INDEX pipelines_status ON pipelines (project_id, status, id);
CREATE INDEX pipelines_updated ON pipelines (project_id, updated_at, id) WHERE NOT child;
CREATE INDEX pipelines_upstream ON pipelines (upstream_job_id) WHERE upstream_job_id IS NOT NULL;
CREATE INDEX pipelines_user_id ON pipelines (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX project_aliases_project ON project_aliases (project_id);
CREATE INDEX project_custom_attributes_key ON project_custom_attributes (key, project_id);
CREATE INDEX project_exports_expires_at ON project_exports (expires_at);
CREATE INDEX project_exports_open ON project_exports (id) WHERE state IN ('scheduled', 'started');
CREATE INDEX project_exports_user_id ON project_exports (user_id);
CREATE INDEX project_fetches_date ON project_fetches (date);
CREATE INDEX project_file_imports_user_id ON project_file_imports (user_id);
CREATE INDEX project_import_failures_project_id ON project_import_failures (project_id, id);
CREATE INDEX project_imports_user_id ON project_imports (user_id);
CREATE INDEX project_languages_name ON project_languages (name, project_id);
CREATE INDEX project_links_expires_at ON project_links (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX project_links_group_id ON project_links (group_id);
CREATE INDEX project_redirects_project_id ON project_redirects (project_id);
CREATE INDEX project_stars_project_id ON project_stars (project_id, user_id);
CREATE INDEX project_storage_moves_open ON project_storage_moves (id) WHERE state IN ('scheduled', 'started', 'replicated');
CREATE INDEX project_storage_moves_project_id ON project_storage_moves (owner_id, id);
CREATE INDEX project_topics_name ON project_topics (name, project_id);
CREATE INDEX projects_by_name ON projects (name, id);
CREATE INDEX projects_by_path ON projects (path, id);
CREATE INDEX projects_created_at ON projects (created_at, id, visibility, namespace_id);
CREATE INDEX projects_creator_id ON projects (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX projects_forked_from_id ON projects (forked_from_id) WHERE forked_from_id IS NOT NULL;
CREATE INDEX projects_last_activity_at ON projects (last_activity_at, id);
CREATE INDEX projects_namespace_id ON projects (namespace_id, created_at, id);
CREATE INDEX projects_repository_storage ON projects (repository_storage, id);
CREATE INDEX projects_updated_at ON projects (updated_at, id);
CREATE INDEX projects_visibility ON projects (visibility, id);
CREATE INDEX protected_branch_deploy_keys_project ON protected_branch_deploy_keys (deploy_key_id, project_id);
CREATE INDEX protected_environment_rules_group ON protected_environment_rules (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX protected_environment_rules_of ON protected_environment_rules (protected_environment_id);
CREATE INDEX protected_environment_rules_user ON protected_environment_rules (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX pull_mirrors_next_at ON pull_mirrors (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX pull_mirrors_user_id ON pull_mirrors (user_id);
CREATE INDEX pushes_batch ON pushes (project_id, batch);
CREATE INDEX rate_counters_ends_at ON rate_counters (ends_at);
CREATE INDEX registration_tokens_project_id ON registration_tokens (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX relation_exports_expires_at ON relation_exports (expires_at);
CREATE INDEX relation_exports_open ON relation_exports (id) WHERE state IN ('scheduled', 'started');
CREATE INDEX relation_exports_user_id ON relation_exports (user_id);
CREATE INDEX release_milestones_milestone_id ON release_milestones (milestone_id);
CREATE INDEX releases_author_id ON releases (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX releases_created_at ON releases (project_id, created_at, id);
CREATE INDEX releases_released_at ON releases (project_id, released_at, id);
CREATE INDEX remote_mirrors_changed_at ON remote_mirrors (changed_at) WHERE changed_at IS NOT NULL;
CREATE INDEX remote_mirrors_project_id ON remote_mirrors (project_id, id);
CREATE INDEX resource_events_epic_id ON resource_events (epic_id, kind, id) WHERE epic_id IS NOT NULL;
CREATE INDEX resource_events_issue_id ON resource_events (issue_id, kind, id) WHERE issue_id IS NOT NULL;
CREATE INDEX resource_events_iteration_id ON resource_events (iteration_id) WHERE iteration_id IS NOT NULL;
CREATE INDEX resource_events_label_id ON resource_events (label_id) WHERE label_id IS NOT NULL;
CREATE INDEX resource_events_merge_request_id ON resource_events (merge_request_id, kind, id)
  WHERE merge_request_id IS NOT NULL;
CREATE INDEX resource_events_milestone_id ON resource_events (milestone_id) WHERE milestone_id IS NOT NULL;
CREATE INDEX resource_events_user_id ON resource_events (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX runner_projects_project_id ON runner_projects (project_id, runner_id);
CREATE INDEX runners_creator_id ON runners (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX runners_group_id ON runners (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX runners_type ON runners (runner_type, id);
CREATE INDEX scheduled_deletions_by_group_id ON scheduled_deletions (by_group_id) WHERE by_group_id IS NOT NULL;
CREATE INDEX scheduled_deletions_delete_at ON scheduled_deletions (delete_at) WHERE by_group_id IS NULL;
CREATE INDEX scheduled_deletions_user_id ON scheduled_deletions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX secure_files_created_by_id ON secure_files (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX service_accounts_source ON service_accounts (source_type, source_id);
CREATE INDEX sessions_expires_at ON sessions (expires_at);
CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX site_grants_expires_at ON site_grants (expires_at);
CREATE INDEX site_grants_project_id ON site_grants (project_id);
CREATE INDEX site_grants_session_id ON site_grants (session_id);
CREATE INDEX site_grants_user_id ON site_grants (user_id);
CREATE INDEX snippet_storage_moves_open ON snippet_storage_moves (id) WHERE state IN ('scheduled', 'started', 'replicated');
CREATE INDEX snippet_storage_moves_owner_id ON snippet_storage_moves (owner_id, id);
CREATE INDEX snippets_author_id ON snippets (author_id, id);
CREATE INDEX snippets_created_at ON snippets (created_at);
CREATE INDEX snippets_project_id ON snippets (project_id, id);
CREATE INDEX snippets_repository_storage ON snippets (repository_storage, id);
CREATE INDEX snippets_visibility ON snippets (visibility, id);
CREATE INDEX status_check_responses_check ON status_check_responses (check_id);
CREATE INDEX subscriptions_user_id ON subscriptions (user_id);
CREATE INDEX suggestions_commit_id ON suggestions (commit_id) WHERE commit_id IS NOT NULL;
CREATE INDEX suggestions_note_id ON suggestions (note_id, id);
CREATE INDEX terraform_state_versions_created_by_id ON terraform_state_versions (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX terraform_state_versions_state_id ON terraform_state_versions (state_id, id);
CREATE INDEX terraform_states_locked_by_id ON terraform_states (locked_by_id) WHERE locked_by_id IS NOT NULL;
CREATE INDEX timelogs_target ON timelogs (target_type, target_id, id);
CREATE INDEX timelogs_user_id ON timelogs (user_id);
CREATE INDEX todos_author_id ON todos (author_id);
CREATE INDEX todos_note_id ON todos (note_id) WHERE note_id IS NOT NULL;
CREATE INDEX todos_project_id ON todos (project_id);
CREATE INDEX todos_target ON todos (target_type, target_id);
CREATE INDEX todos_user_id ON todos (user_id, state, id);
CREATE INDEX tracked_error_events_created_at ON tracked_error_events (created_at);
CREATE INDEX tracked_error_events_error_id ON tracked_error_events (error_id, id);
CREATE INDEX tracked_errors_age ON tracked_errors (last_seen_at);
CREATE INDEX tracked_errors_events_count ON tracked_errors (project_id, events_count, id);
CREATE INDEX tracked_errors_first_seen_at ON tracked_errors (project_id, first_seen_at, id);
CREATE INDEX tracked_errors_last_seen_at ON tracked_errors (project_id, last_seen_at, id);
CREATE INDEX uploads_group_id ON uploads (group_id, created_at, id) WHERE group_id IS NOT NULL;
CREATE INDEX uploads_project_id ON uploads (project_id, created_at, id) WHERE project_id IS NOT NULL;
CREATE INDEX uploads_uploaded_by_id ON uploads (uploaded_by_id) WHERE uploaded_by_id IS NOT NULL;
CREATE INDEX user_custom_attributes_key ON user_custom_attributes (key, user_id);
CREATE INDEX user_follows_followee_id ON user_follows (followee_id, id);
CREATE INDEX user_follows_follower_id ON user_follows (follower_id, id);
CREATE INDEX user_statuses_clear_status_at ON user_statuses (clear_status_at) WHERE clear_status_at IS NOT NULL;
CREATE INDEX users_by_name ON users (name, id);
CREATE INDEX users_by_username ON users (username, id);
CREATE INDEX users_created_at ON users (created_at, id);
CREATE INDEX users_created_by_id ON users (created_by_id) WHERE created_by_id IS NOT NULL;
CREATE INDEX users_last_activity_on ON users (last_activity_on, id) WHERE last_activity_on IS NOT NULL;
CREATE INDEX users_name_prefix ON users (lower(name));
CREATE INDEX users_public_email ON users (lower(public_email)) WHERE public_email IS NOT NULL;
CREATE INDEX users_updated_at ON users (updated_at, id);
CREATE UNIQUE INDEX access_requests_source ON access_requests (source_type, source_id, user_id);
CREATE UNIQUE INDEX alert_integrations_identifier ON alert_integrations (project_id, identifier);
CREATE UNIQUE INDEX alerts_iid ON alerts (project_id, iid);
CREATE UNIQUE INDEX alerts_open_fingerprint ON alerts (project_id, fingerprint) WHERE status <> 'resolved';
CREATE UNIQUE INDEX approval_rules_merge_request_any ON approval_rules (merge_request_id)
  WHERE merge_request_id IS NOT NULL AND rule_type = 'any_approver';
CREATE UNIQUE INDEX approval_rules_merge_request_name ON approval_rules (merge_request_id, lower(name))
  WHERE merge_request_id IS NOT NULL;
CREATE UNIQUE INDEX approval_rules_project_any ON approval_rules (project_id)
  WHERE merge_request_id IS NULL AND rule_type = 'any_approver';
CREATE UNIQUE INDEX approval_rules_project_name ON approval_rules (project_id, lower(name)) WHERE merge_request_id IS NULL;
CREATE UNIQUE INDEX avatars_owner_id ON avatars (owner_id, kind);
CREATE UNIQUE INDEX award_emoji_awardable ON award_emoji (awardable_type, awardable_id, user_id, name);
CREATE UNIQUE INDEX board_lists_board_id ON board_lists (board_id, label_id);
CREATE UNIQUE INDEX cluster_agent_tokens_digest ON cluster_agent_tokens (digest);
CREATE UNIQUE INDEX cluster_agents_name ON cluster_agents (project_id, name);
CREATE UNIQUE INDEX context_commits_sha ON context_commits (merge_request_id, sha);
CREATE UNIQUE INDEX deploy_keys_fingerprint_sha256 ON deploy_keys (fingerprint_sha256);
CREATE UNIQUE INDEX deploy_tokens_digest ON deploy_tokens (digest);
CREATE UNIQUE INDEX deployment_approvals_deployment_user ON deployment_approvals (deployment_id, user_id);
CREATE UNIQUE INDEX deployments_iid ON deployments (project_id, iid);
CREATE UNIQUE INDEX deployments_job_id ON deployments (job_id);
CREATE UNIQUE INDEX emails_email ON emails (lower(email));
CREATE UNIQUE INDEX environments_name ON environments (project_id, name);
CREATE UNIQUE INDEX epic_issues_issue_id ON epic_issues (issue_id);
CREATE UNIQUE INDEX epic_links_source_id ON epic_links (source_id, target_id);
CREATE UNIQUE INDEX epics_group_id_iid ON epics (group_id, iid);
CREATE UNIQUE INDEX error_tracking_keys_digest ON error_tracking_keys (digest);
CREATE UNIQUE INDEX external_status_checks_project_name ON external_status_checks (project_id, lower(name));
CREATE UNIQUE INDEX external_status_checks_project_url ON external_status_checks (project_id, external_url);
CREATE UNIQUE INDEX feature_flag_user_lists_iid ON feature_flag_user_lists (project_id, iid);
CREATE UNIQUE INDEX feature_flag_user_lists_name ON feature_flag_user_lists (project_id, name);
CREATE UNIQUE INDEX feature_flags_name ON feature_flags (project_id, name);
CREATE UNIQUE INDEX features_name ON features (name);
CREATE UNIQUE INDEX gpg_key_subkeys_fingerprint ON gpg_key_subkeys (gpg_key_id, fingerprint);
CREATE UNIQUE INDEX gpg_keys_fingerprint ON gpg_keys (fingerprint);
CREATE UNIQUE INDEX group_custom_attributes_key ON group_custom_attributes (group_id, key);
CREATE UNIQUE INDEX group_exports_group_id ON group_exports (group_id);
CREATE UNIQUE INDEX group_imports_group_id ON group_imports (group_id);
CREATE UNIQUE INDEX group_links_groups ON group_links (group_id, shared_with_group_id);
CREATE UNIQUE INDEX group_protected_branches_name ON group_protected_branches (group_id, name);
CREATE UNIQUE INDEX group_variables_key ON group_variables (group_id, key, environment_scope);
CREATE UNIQUE INDEX hooks_group_integration ON hooks (group_id, integration) WHERE integration IS NOT NULL;
CREATE UNIQUE INDEX hooks_project_integration ON hooks (project_id, integration) WHERE integration IS NOT NULL;
CREATE UNIQUE INDEX identities_extern_uid ON identities (lower(extern_uid), provider);
CREATE UNIQUE INDEX identities_user_id ON identities (user_id, provider);
CREATE UNIQUE INDEX instance_variables_key ON instance_variables (key);
CREATE UNIQUE INDEX invitations_source ON invitations (source_type, source_id, lower(email));
CREATE UNIQUE INDEX invitations_token_digest ON invitations (token_digest);
CREATE UNIQUE INDEX issue_links_source_id ON issue_links (source_id, target_id);
CREATE UNIQUE INDEX issues_iid ON issues (project_id, iid);
CREATE UNIQUE INDEX iterations_iid ON iterations (group_id, iid);
CREATE UNIQUE INDEX job_artifacts_type ON job_artifacts (job_id, file_type);
CREATE UNIQUE INDEX jobs_digest ON jobs (digest) WHERE digest IS NOT NULL;
CREATE UNIQUE INDEX jobs_newest ON jobs (pipeline_id, name) WHERE NOT retried;
CREATE UNIQUE INDEX keys_fingerprint_sha256 ON keys (fingerprint_sha256);
CREATE UNIQUE INDEX labels_group_id ON labels (group_id, name) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX labels_project_id ON labels (project_id, name) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX lfs_locks_path ON lfs_locks (project_id, path);
CREATE UNIQUE INDEX mailed_tokens_digest ON mailed_tokens (digest);
CREATE UNIQUE INDEX member_roles_group_name ON member_roles (group_id, lower(name)) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX member_roles_instance_name ON member_roles (lower(name)) WHERE group_id IS NULL;
CREATE UNIQUE INDEX members_source ON members (source_type, source_id, user_id);
CREATE UNIQUE INDEX merge_requests_iid ON merge_requests (project_id, iid);
CREATE UNIQUE INDEX merge_requests_open ON merge_requests (source_project_id, source_branch, project_id, target_branch) WHERE state = 'opened';
CREATE UNIQUE INDEX milestones_group_id ON milestones (group_id, iid) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX milestones_group_title ON milestones (group_id, title) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX milestones_project_id ON milestones (project_id, iid) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX milestones_project_title ON milestones (project_id, title) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX namespaces_full_path ON namespaces (lower(full_path));
CREATE UNIQUE INDEX notification_settings_user_id ON notification_settings (user_id, coalesce(project_id, 0), coalesce(group_id, 0));
CREATE UNIQUE INDEX oauth_applications_uid ON oauth_applications (uid);
CREATE UNIQUE INDEX oauth_grants_digest ON oauth_grants (digest);
CREATE UNIQUE INDEX oauth_grants_ticket ON oauth_grants (ticket) WHERE ticket IS NOT NULL;
CREATE UNIQUE INDEX oauth_keys_kid ON oauth_keys (kid);
CREATE UNIQUE INDEX oauth_tokens_digest ON oauth_tokens (digest);
CREATE UNIQUE INDEX oauth_tokens_refresh_digest ON oauth_tokens (refresh_digest) WHERE refresh_digest IS NOT NULL;
CREATE UNIQUE INDEX package_protection_rules_pattern
  ON package_protection_rules (project_id, package_type, package_name_pattern);
CREATE UNIQUE INDEX package_tags_name ON package_tags (package_id, name);
CREATE UNIQUE INDEX packages_version ON packages (project_id, package_type, name, coalesce(version, ''));
CREATE UNIQUE INDEX pages_deployments_key ON pages_deployments (key);
CREATE UNIQUE INDEX pages_domains_domain ON pages_domains (domain);
CREATE UNIQUE INDEX personal_access_tokens_digest ON personal_access_tokens (digest);
CREATE UNIQUE INDEX personal_access_tokens_previous_id ON personal_access_tokens (previous_id);
CREATE UNIQUE INDEX pipeline_triggers_digest ON pipeline_triggers (digest);
CREATE UNIQUE INDEX pipelines_iid ON pipelines (project_id, iid);
CREATE UNIQUE INDEX pipelines_origin ON pipelines (origin) WHERE origin IS NOT NULL;
CREATE UNIQUE INDEX project_aliases_name ON project_aliases (name);
CREATE UNIQUE INDEX project_custom_attributes_project_id ON project_custom_attributes (project_id, key);
CREATE UNIQUE INDEX project_exports_project_id ON project_exports (project_id);
CREATE UNIQUE INDEX project_file_imports_project_id ON project_file_imports (project_id);
CREATE UNIQUE INDEX project_links_project_id ON project_links (project_id, group_id);
CREATE UNIQUE INDEX project_variables_key ON project_variables (project_id, key, environment_scope);
CREATE UNIQUE INDEX projects_full_path ON projects (lower(full_path));
CREATE UNIQUE INDEX projects_name ON projects (namespace_id, lower(name));
CREATE UNIQUE INDEX protected_branch_deploy_keys_key ON protected_branch_deploy_keys (protected_branch_id, deploy_key_id);
CREATE UNIQUE INDEX protected_branches_name ON protected_branches (project_id, name);
CREATE UNIQUE INDEX protected_environments_group ON protected_environments (group_id, name) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX protected_environments_project ON protected_environments (project_id, name) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX protected_tags_name ON protected_tags (project_id, name);
CREATE UNIQUE INDEX push_rules_group ON push_rules (group_id) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX push_rules_project ON push_rules (project_id) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX recovery_codes_user_id ON recovery_codes (user_id, digest);
CREATE UNIQUE INDEX registration_tokens_digest ON registration_tokens (digest);
CREATE UNIQUE INDEX registration_tokens_owner ON registration_tokens (coalesce(group_id, 0), coalesce(project_id, 0));
CREATE UNIQUE INDEX relation_export_files_batch ON relation_export_files (export_id, relation, batch_number);
CREATE UNIQUE INDEX relation_exports_group_id ON relation_exports (group_id);
CREATE UNIQUE INDEX relation_exports_project_id ON relation_exports (project_id);
CREATE UNIQUE INDEX release_links_filepath ON release_links (release_id, filepath) WHERE filepath IS NOT NULL;
CREATE UNIQUE INDEX resource_groups_key ON resource_groups (project_id, key);
CREATE UNIQUE INDEX runner_managers_system_id ON runner_managers (runner_id, system_id);
CREATE UNIQUE INDEX runners_digest ON runners (digest);
CREATE UNIQUE INDEX scheduled_deletions_group_id ON scheduled_deletions (group_id) WHERE group_id IS NOT NULL;
CREATE UNIQUE INDEX scheduled_deletions_project_id ON scheduled_deletions (project_id) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX secure_files_name ON secure_files (project_id, name);
CREATE UNIQUE INDEX sessions_digest ON sessions (digest);
CREATE UNIQUE INDEX terraform_state_versions_serial ON terraform_state_versions (state_id, serial);
CREATE UNIQUE INDEX terraform_states_name ON terraform_states (project_id, name);
CREATE UNIQUE INDEX todos_pending ON todos (user_id, target_type, target_id, action_name) WHERE state = 'pending';
CREATE UNIQUE INDEX topics_lower_name ON topics (lower_name);
CREATE UNIQUE INDEX tracked_error_events_event_id ON tracked_error_events (project_id, event_id);
CREATE UNIQUE INDEX tracked_errors_fingerprint ON tracked_errors (project_id, fingerprint);
CREATE UNIQUE INDEX two_factors_user_id ON two_factors (user_id);
CREATE UNIQUE INDEX uploads_secret ON uploads (secret);
CREATE UNIQUE INDEX user_custom_attributes_user_id ON user_custom_attributes (user_id, key);
CREATE UNIQUE INDEX user_follows_pair ON user_follows (follower_id, followee_id);
CREATE UNIQUE INDEX user_preferences_user_id ON user_preferences (user_id);
CREATE UNIQUE INDEX user_statuses_user_id ON user_statuses (user_id);
CREATE UNIQUE INDEX users_email ON users (lower(email));
CREATE UNIQUE INDEX users_namespace_id ON users (namespace_id);
CREATE UNIQUE INDEX users_username ON users (lower(username));
CREATE TRIGGER group_exports_gone AFTER DELETE ON group_exports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER group_imports_gone AFTER DELETE ON group_imports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER group_wikis_gone AFTER DELETE ON group_wikis BEGIN
  INSERT OR REPLACE INTO deleted_side_repositories (kind, owner_id, created_at) VALUES ('group_wiki', old.group_id, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'));
END;
CREATE TRIGGER job_artifacts_gone AFTER DELETE ON job_artifacts BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER job_artifacts_size_less AFTER DELETE ON job_artifacts BEGIN
  UPDATE projects SET job_artifacts_size = job_artifacts_size - old.size WHERE id = old.project_id;
END;
CREATE TRIGGER job_artifacts_size_more AFTER INSERT ON job_artifacts BEGIN
  UPDATE projects SET job_artifacts_size = job_artifacts_size + new.size WHERE id = new.project_id;
END;
CREATE TRIGGER jobs_gone AFTER DELETE ON jobs WHEN old.started_at IS NOT NULL AND NOT old.bridge BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES ('logs/' || old.id, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER package_files_gone AFTER DELETE ON package_files BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER packages_size_less AFTER DELETE ON package_files BEGIN
  UPDATE projects SET packages_size = packages_size - old.size WHERE id = old.project_id;
END;
CREATE TRIGGER packages_size_more AFTER INSERT ON package_files BEGIN
  UPDATE projects SET packages_size = packages_size + new.size WHERE id = new.project_id;
END;
CREATE TRIGGER pages_deployments_gone AFTER DELETE ON pages_deployments BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER project_exports_gone AFTER DELETE ON project_exports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER project_file_imports_gone AFTER DELETE ON project_file_imports WHEN old.key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER project_list_delete AFTER DELETE ON projects BEGIN
  UPDATE project_lists SET version = random() WHERE namespace_id = OLD.namespace_id;
END;
CREATE TRIGGER project_list_end AFTER DELETE ON namespaces BEGIN
  DELETE FROM project_lists WHERE namespace_id = OLD.id;
END;
CREATE TRIGGER project_list_insert AFTER INSERT ON projects BEGIN
  INSERT INTO project_lists (namespace_id, version) VALUES (NEW.namespace_id, random()) ON CONFLICT (namespace_id) DO UPDATE SET version = excluded.version;
END;
CREATE TRIGGER project_list_update AFTER UPDATE OF namespace_id, created_at ON projects
WHEN (OLD.namespace_id, OLD.created_at) IS NOT (NEW.namespace_id, NEW.created_at) BEGIN
  UPDATE project_lists SET version = random() WHERE namespace_id = OLD.namespace_id;
  INSERT INTO project_lists (namespace_id, version) VALUES (NEW.namespace_id, random()) ON CONFLICT (namespace_id) DO UPDATE SET version = excluded.version;
END;
CREATE TRIGGER project_search_delete AFTER DELETE ON projects BEGIN
  INSERT INTO project_search (project_search, rowid, name, path) VALUES ('delete', old.id, old.name, old.path);
END;
CREATE TRIGGER project_search_insert AFTER INSERT ON projects BEGIN
  INSERT INTO project_search (rowid, name, path) VALUES (new.id, new.name, new.path);
END;
CREATE TRIGGER project_search_update AFTER UPDATE OF id, name, path ON projects BEGIN
  INSERT INTO project_search (project_search, rowid, name, path) VALUES ('delete', old.id, old.name, old.path);
  INSERT INTO project_search (rowid, name, path) VALUES (new.id, new.name, new.path);
END;
CREATE TRIGGER project_version_insert AFTER INSERT ON projects BEGIN
  UPDATE projects SET version = random() WHERE id = NEW.id;
END;
CREATE TRIGGER project_version_new_owner AFTER INSERT ON users WHEN NEW.namespace_id IS NOT NULL BEGIN
  UPDATE projects SET version = random() WHERE namespace_id = NEW.namespace_id;
END;
CREATE TRIGGER project_version_no_owner AFTER DELETE ON users WHEN OLD.namespace_id IS NOT NULL BEGIN
  UPDATE projects SET version = random() WHERE namespace_id = OLD.namespace_id;
END;
CREATE TRIGGER project_version_owner AFTER UPDATE OF namespace_id, username, name, state, locked_at, avatar ON users
WHEN (OLD.namespace_id, OLD.username, OLD.name, OLD.state, OLD.locked_at, OLD.avatar)
  IS NOT (NEW.namespace_id, NEW.username, NEW.name, NEW.state, NEW.locked_at, NEW.avatar) BEGIN
  UPDATE projects SET version = random() WHERE namespace_id IN (OLD.namespace_id, NEW.namespace_id);
END;
CREATE TRIGGER project_version_place AFTER UPDATE OF kind, name, path, full_path, parent_id, avatar, default_branch_protection ON namespaces
WHEN (OLD.kind, OLD.name, OLD.path, OLD.full_path, OLD.parent_id, OLD.avatar, OLD.default_branch_protection)
  IS NOT (NEW.kind, NEW.name, NEW.path, NEW.full_path, NEW.parent_id, NEW.avatar, NEW.default_branch_protection) BEGIN
  UPDATE projects SET version = random() WHERE namespace_id = NEW.id;
END;
CREATE TRIGGER project_version_update AFTER UPDATE ON projects WHEN NEW.version = OLD.version BEGIN
  UPDATE projects SET version = random() WHERE id = NEW.id;
END;
CREATE TRIGGER relation_export_files_gone AFTER DELETE ON relation_export_files BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER snippets_gone AFTER DELETE ON snippets BEGIN
  INSERT OR REPLACE INTO deleted_side_repositories (kind, owner_id, created_at) VALUES ('snippet', old.id, strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'));
END;
CREATE TRIGGER uploads_gone AFTER DELETE ON uploads BEGIN
  INSERT OR REPLACE INTO blob_removals (key, due_at) VALUES (old.key, '2000-01-01 00:00:00+00:00');
END;
CREATE TRIGGER uploads_size_less AFTER DELETE ON uploads WHEN old.project_id IS NOT NULL BEGIN
  UPDATE projects SET uploads_size = uploads_size - old.size WHERE id = old.project_id;
END;
CREATE TRIGGER uploads_size_more AFTER INSERT ON uploads WHEN new.project_id IS NOT NULL BEGIN
  UPDATE projects SET uploads_size = uploads_size + new.size WHERE id = new.project_id;
END;
CREATE TRIGGER user_search_delete AFTER DELETE ON users BEGIN
  INSERT INTO user_search (user_search, rowid, name, username) VALUES ('delete', old.id, old.name, old.username);
END;
CREATE TRIGGER user_search_insert AFTER INSERT ON users BEGIN
  INSERT INTO user_search (rowid, name, username) VALUES (new.id, new.name, new.username);
END;
CREATE TRIGGER user_search_update AFTER UPDATE OF id, name, username ON users BEGIN
  INSERT INTO user_search (user_search, rowid, name, username) VALUES ('delete', old.id, old.name, old.username);
  INSERT INTO user_search (rowid, name, username) VALUES (new.id, new.name, new.username);
END;
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 0);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 1);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 10);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 100);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 101);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 105);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 106);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 11);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 110);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 112);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 113);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 115);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 12);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 13);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 14);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 15);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 16);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 17);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 18);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 19);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 2);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 20);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 21);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 22);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 23);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 24);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 25);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 26);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 27);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 28);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 29);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 3);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 30);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 31);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 32);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 33);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 34);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 35);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 36);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 37);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 38);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 39);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 4);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 40);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 41);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 42);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 43);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 44);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 45);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 46);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 47);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 48);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 49);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 5);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 50);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 51);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 52);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 53);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 54);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 55);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 56);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 57);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 58);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 59);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 6);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 60);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 61);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 62);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 63);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 64);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 65);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 66);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 67);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 68);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 69);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 7);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 70);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 71);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 72);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 73);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 74);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 75);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 76);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 77);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 78);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 79);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 8);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 81);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 82);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 83);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 84);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 85);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 9);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 90);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 91);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 92);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 95);
INSERT INTO goose_db_version (is_applied, version_id) VALUES (1, 96);
