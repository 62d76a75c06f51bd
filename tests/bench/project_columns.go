package main

import "svc/store/model"

// projectColumns are the columns of a project that the API shows. projectFields returns where to scan them.
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
	"projects.auto_devops_deploy_strategy, projects.autoclose_referenced_issues, +projects.created_at, +projects.updated_at, " +
	"+projects.last_activity_at, projects.avatar, projects.empty_repo, place.id, place.kind, place.name, place.path, " +
	"place.full_path, place.parent_id, " +
	"place.avatar, owner.id, owner.username, owner.name, owner.state, +owner.locked_at, owner.avatar, origin.id, origin.name, " +
	"origin.full_name, origin.path, origin.full_path"

func projectFields(r *model.ProjectRow) []any {
	return []any{
		&r.Project.ID, &r.Project.NamespaceID, &r.Project.CreatorID, &r.Project.Name, &r.Project.Path, &r.Project.FullPath,
		&r.Project.FullName, &r.Project.Description, &r.Project.Visibility, &r.Project.Archived, &r.Project.DefaultBranch,
		&r.Project.Topics, &r.Project.StarCount, &r.Project.ForksCount, &r.Project.ForkedFromID, &r.Project.ImportStatus,
		&r.Project.ImportType, &r.Project.ImportURL, &r.Project.ImportError,
		&r.Project.RepositoryStorage, &r.Project.IssuesAccessLevel, &r.Project.RepositoryAccessLevel,
		&r.Project.MergeRequestsAccessLevel, &r.Project.ForkingAccessLevel, &r.Project.WikiAccessLevel, &r.Project.BuildsAccessLevel,
		&r.Project.SnippetsAccessLevel, &r.Project.PagesAccessLevel, &r.Project.AnalyticsAccessLevel,
		&r.Project.ContainerRegistryAccessLevel, &r.Project.SecurityAndComplianceAccessLevel, &r.Project.ReleasesAccessLevel,
		&r.Project.EnvironmentsAccessLevel, &r.Project.FeatureFlagsAccessLevel, &r.Project.InfrastructureAccessLevel,
		&r.Project.MonitorAccessLevel, &r.Project.ModelExperimentsAccessLevel, &r.Project.PackageRegistryAccessLevel,
		&r.Project.ResolveOutdatedDiffDiscussions, &r.Project.EmailsDisabled, &r.Project.SharedRunnersEnabled,
		&r.Project.GroupRunnersEnabled, &r.Project.LfsEnabled, &r.Project.CiConfigPath, &r.Project.CiDefaultGitDepth,
		&r.Project.CiForwardDeploymentEnabled, &r.Project.CiJobTokenScopeEnabled, &r.Project.CiSeparatedCaches,
		&r.Project.CiAllowForkPipelinesToRunInParentProject, &r.Project.BuildGitStrategy, &r.Project.BuildTimeout,
		&r.Project.AutoCancelPendingPipelines, &r.Project.PublicJobs, &r.Project.KeepLatestArtifact,
		&r.Project.RestrictUserDefinedVariables, &r.Project.OnlyAllowMergeIfPipelineSucceeds, &r.Project.AllowMergeOnSkippedPipeline,
		&r.Project.RequestAccessEnabled, &r.Project.OnlyAllowMergeIfAllDiscussionsAreResolved,
		&r.Project.OnlyAllowMergeIfAllStatusChecksPassed, &r.Project.RemoveSourceBranchAfterMerge,
		&r.Project.PrintingMergeRequestLinkEnabled, &r.Project.MergeMethod,
		&r.Project.SquashOption, &r.Project.EnforceAuthChecksOnUploads, &r.Project.SuggestionCommitMessage,
		&r.Project.MergeCommitTemplate, &r.Project.SquashCommitTemplate, &r.Project.IssueBranchTemplate, &r.Project.AutoDevopsEnabled,
		&r.Project.AutoDevopsDeployStrategy, &r.Project.AutocloseReferencedIssues, at(&r.Project.CreatedAt), at(&r.Project.UpdatedAt),
		at(&r.Project.LastActivityAt), &r.Project.Avatar, &r.Project.EmptyRepo, &r.Place.ID, &r.Place.Kind, &r.Place.Name,
		&r.Place.Path, &r.Place.FullPath,
		&r.Place.ParentID, &r.Place.Avatar, &r.Owner.ID, &r.Owner.Username, &r.Owner.Name, &r.Owner.State, atPtr(&r.Owner.LockedAt),
		&r.Owner.Avatar, &r.Origin.ID, &r.Origin.Name, &r.Origin.FullName, &r.Origin.Path, &r.Origin.FullPath,
	}
}
