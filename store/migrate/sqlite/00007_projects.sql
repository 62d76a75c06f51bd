-- +goose Up
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
  packages_enabled boolean NOT NULL,
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
);
CREATE UNIQUE INDEX projects_full_path ON projects (lower(full_path));
CREATE UNIQUE INDEX projects_name ON projects (namespace_id, lower(name));
CREATE INDEX projects_by_name ON projects (name, id);
CREATE INDEX projects_by_path ON projects (path, id);
CREATE INDEX projects_created_at ON projects (created_at, id);
CREATE INDEX projects_updated_at ON projects (updated_at, id);
CREATE INDEX projects_last_activity_at ON projects (last_activity_at, id);
CREATE INDEX projects_visibility ON projects (visibility, id);
CREATE INDEX projects_creator_id ON projects (creator_id) WHERE creator_id IS NOT NULL;
CREATE INDEX projects_forked_from_id ON projects (forked_from_id) WHERE forked_from_id IS NOT NULL;
CREATE INDEX projects_repository_storage ON projects (repository_storage, id);

-- Paths that projects had before. Names are kept in lower case.
CREATE TABLE project_redirects (
  path text PRIMARY KEY,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL
);
CREATE INDEX project_redirects_project_id ON project_redirects (project_id);

-- The topics of projects by name, in lower case, for finding them; projects.topics is what is shown.
CREATE TABLE project_topics (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  PRIMARY KEY (project_id, name)
);
CREATE INDEX project_topics_name ON project_topics (name, project_id);

CREATE TABLE project_stars (
  user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at datetime NOT NULL,
  PRIMARY KEY (user_id, project_id)
);
CREATE INDEX project_stars_project_id ON project_stars (project_id, user_id);

-- Projects that are shared with groups.
CREATE TABLE project_links (
  id integer PRIMARY KEY AUTOINCREMENT,
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  group_id integer NOT NULL REFERENCES namespaces (id) ON DELETE CASCADE,
  access_level integer NOT NULL,
  expires_at date,
  created_at datetime NOT NULL,
  updated_at datetime NOT NULL
);
CREATE UNIQUE INDEX project_links_project_id ON project_links (project_id, group_id);
CREATE INDEX project_links_group_id ON project_links (group_id);
CREATE INDEX project_links_expires_at ON project_links (expires_at) WHERE expires_at IS NOT NULL;

-- What a project's repository is written in, as shares of its bytes.
CREATE TABLE project_languages (
  project_id integer NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name text NOT NULL,
  share real NOT NULL,
  PRIMARY KEY (project_id, name)
);
CREATE INDEX project_languages_name ON project_languages (name, project_id);

-- +goose Down
DROP TABLE project_languages;
DROP TABLE project_links;
DROP TABLE project_stars;
DROP TABLE project_topics;
DROP TABLE project_redirects;
DROP TABLE projects;
