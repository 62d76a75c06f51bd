package store

import "svc/store/model"

// projectColumns and projectFields belong together: the columns that lists of projects read, and the fields that they
// are scanned into.
const projectColumns = "projects.id, projects.namespace_id, projects.creator_id, projects.name, projects.path, " +
	"projects.full_path, projects.full_name, " +
	"projects.description, projects.visibility, projects.archived, projects.default_branch, projects.topics, projects.star_count, " +
	"projects.forks_count, projects.forked_from_id, projects.import_status, projects.import_type, " +
	"projects.import_url, projects.import_error, projects.repository_storage, " +
	"projects.issues_access_level, projects.repository_access_level, projects.merge_requests_access_level, " +
	"projects.forking_access_level, projects.wiki_access_level, projects.builds_access_level, projects.snippets_access_level, " +
	"projects.pages_access_level, projects.analytics_access_level, projects.container_registry_access_level, " +
	"projects.security_and_compliance_access_level, projects.releases_access_level, projects.environments_access_level, " +
	"projects.feature_flags_access_level, projects.infrastructure_access_level, projects.monitor_access_level, " +
	"projects.model_experiments_access_level, projects.package_registry_access_level, projects.resolve_outdated_diff_discussions, " +
	"projects.emails_disabled, projects.shared_runners_enabled, projects.group_runners_enabled, projects.lfs_enabled, " +
	"projects.ci_config_path, projects.ci_default_git_depth, projects.ci_forward_deployment_enabled, " +
	"projects.ci_job_token_scope_enabled, projects.ci_separated_caches, projects.ci_allow_fork_pipelines_to_run_in_parent_project, " +
	"projects.build_git_strategy, projects.build_timeout, projects.auto_cancel_pending_pipelines, projects.public_jobs, " +
	"projects.keep_latest_artifact, projects.restrict_user_defined_variables, projects.only_allow_merge_if_pipeline_succeeds, " +
	"projects.allow_merge_on_skipped_pipeline, projects.request_access_enabled, " +
	"projects.only_allow_merge_if_all_discussions_are_resolved, " +
	"projects.only_allow_merge_if_all_status_checks_passed, projects.remove_source_branch_after_merge, " +
	"projects.printing_merge_request_link_enabled, projects.merge_method, projects.squash_option, " +
	"projects.enforce_auth_checks_on_uploads, projects.suggestion_commit_message, projects.merge_commit_template, " +
	"projects.squash_commit_template, projects.issue_branch_template, projects.auto_devops_enabled, " +
	"projects.auto_devops_deploy_strategy, projects.autoclose_referenced_issues, projects.created_at, projects.updated_at, " +
	"projects.last_activity_at, projects.avatar, projects.empty_repo, projects.repository_read_only, projects.repository_size, " +
	"projects.commit_count, projects.readme_path, projects.lfs_objects_size, projects.job_artifacts_size, " +
	"projects.packages_size, projects.uploads_size, projects.open_issues_count, projects.open_confidential_issues_count, " +
	"projects.version, projects.marked_for_deletion_at"

func projectFields(p *model.Project) []any {
	return append(make([]any, 0, 100), // with room for placeFields and the roles
		&p.ID, &p.NamespaceID, &p.CreatorID, &p.Name, &p.Path, &p.FullPath, &p.FullName, &p.Description, &p.Visibility, &p.Archived,
		&p.DefaultBranch, &p.Topics, &p.StarCount, &p.ForksCount, &p.ForkedFromID, &p.ImportStatus, &p.ImportType,
		&p.ImportURL, &p.ImportError, &p.RepositoryStorage,
		&p.IssuesAccessLevel, &p.RepositoryAccessLevel, &p.MergeRequestsAccessLevel, &p.ForkingAccessLevel, &p.WikiAccessLevel,
		&p.BuildsAccessLevel, &p.SnippetsAccessLevel, &p.PagesAccessLevel, &p.AnalyticsAccessLevel, &p.ContainerRegistryAccessLevel,
		&p.SecurityAndComplianceAccessLevel, &p.ReleasesAccessLevel, &p.EnvironmentsAccessLevel, &p.FeatureFlagsAccessLevel,
		&p.InfrastructureAccessLevel, &p.MonitorAccessLevel, &p.ModelExperimentsAccessLevel, &p.PackageRegistryAccessLevel,
		&p.ResolveOutdatedDiffDiscussions, &p.EmailsDisabled, &p.SharedRunnersEnabled, &p.GroupRunnersEnabled, &p.LfsEnabled,
		&p.CiConfigPath, &p.CiDefaultGitDepth, &p.CiForwardDeploymentEnabled, &p.CiJobTokenScopeEnabled, &p.CiSeparatedCaches,
		&p.CiAllowForkPipelinesToRunInParentProject, &p.BuildGitStrategy, &p.BuildTimeout, &p.AutoCancelPendingPipelines, &p.PublicJobs,
		&p.KeepLatestArtifact, &p.RestrictUserDefinedVariables, &p.OnlyAllowMergeIfPipelineSucceeds, &p.AllowMergeOnSkippedPipeline,
		&p.RequestAccessEnabled, &p.OnlyAllowMergeIfAllDiscussionsAreResolved, &p.OnlyAllowMergeIfAllStatusChecksPassed,
		&p.RemoveSourceBranchAfterMerge,
		&p.PrintingMergeRequestLinkEnabled, &p.MergeMethod, &p.SquashOption, &p.EnforceAuthChecksOnUploads, &p.SuggestionCommitMessage,
		&p.MergeCommitTemplate, &p.SquashCommitTemplate, &p.IssueBranchTemplate, &p.AutoDevopsEnabled, &p.AutoDevopsDeployStrategy,
		&p.AutocloseReferencedIssues, &p.CreatedAt, &p.UpdatedAt, &p.LastActivityAt, &p.Avatar, &p.EmptyRepo, &p.RepositoryReadOnly,
		&p.RepositorySize, &p.CommitCount, &p.ReadmePath, &p.LfsObjectsSize, &p.JobArtifactsSize,
		&p.PackagesSize, &p.UploadsSize, &p.OpenIssuesCount, &p.OpenConfidentialIssuesCount, &p.Version, &p.MarkedForDeletionAt,
	)
}

// placeColumns and placeFields belong together: the namespace of a project and the user who owns that namespace.
const placeColumns = "place.id, place.kind, place.name, place.path, place.full_path, place.parent_id, place.avatar, " +
	"place.default_branch_protection, " +
	"owner.id, owner.username, owner.name, owner.state, owner.locked_at, owner.avatar"

func placeFields(r *model.ProjectRow) []any {
	return []any{
		&r.Place.ID, &r.Place.Kind, &r.Place.Name, &r.Place.Path, &r.Place.FullPath, &r.Place.ParentID, &r.Place.Avatar,
		&r.Place.DefaultBranchProtection,
		&r.Owner.ID, &r.Owner.Username, &r.Owner.Name, &r.Owner.State, &r.Owner.LockedAt, &r.Owner.Avatar,
	}
}

// originColumns and originFields belong together: the data that a fork shows about its source project.
const originColumns = "origin.id, origin.name, origin.full_name, origin.path, origin.full_path"

func originFields(o *model.Origin) []any {
	return []any{&o.ID, &o.Name, &o.FullName, &o.Path, &o.FullPath}
}
