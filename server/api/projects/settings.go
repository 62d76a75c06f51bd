package projects

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store"
	"svc/store/model"
)

// settings returns the columns of the settings that need no validation beyond the contract.
func settings(b gen.ProjectWrite) map[string]any {
	set := map[string]any{}
	putNullable(set, "description", b.Description)
	if b.TagList != nil {
		set["topics"] = store.JoinTopics(*b.TagList)
	}
	if b.Topics != nil {
		set["topics"] = store.JoinTopics(*b.Topics)
	}
	switches(set, b)
	features(set, b)
	jobs(set, b)
	merges(set, b)
	return set
}

// switches sets the columns of the older boolean settings. The newer access levels override them.
func switches(set map[string]any, b gen.ProjectWrite) {
	putSwitch(set, "issues_access_level", b.IssuesEnabled)
	putSwitch(set, "merge_requests_access_level", b.MergeRequestsEnabled)
	putSwitch(set, "wiki_access_level", b.WikiEnabled)
	putSwitch(set, "builds_access_level", b.JobsEnabled)
	putSwitch(set, "snippets_access_level", b.SnippetsEnabled)
	putSwitch(set, "container_registry_access_level", b.ContainerRegistryEnabled)
	putSwitch(set, "package_registry_access_level", b.PackagesEnabled)
	put(set, "public_jobs", b.PublicBuilds)
	if b.EmailsEnabled != nil {
		set["emails_disabled"] = !*b.EmailsEnabled
	}
}

// features sets the access levels of a project's features.
func features(set map[string]any, b gen.ProjectWrite) {
	put(set, "issues_access_level", b.IssuesAccessLevel)
	put(set, "repository_access_level", b.RepositoryAccessLevel)
	put(set, "merge_requests_access_level", b.MergeRequestsAccessLevel)
	put(set, "forking_access_level", b.ForkingAccessLevel)
	put(set, "wiki_access_level", b.WikiAccessLevel)
	put(set, "builds_access_level", b.BuildsAccessLevel)
	put(set, "snippets_access_level", b.SnippetsAccessLevel)
	put(set, "pages_access_level", b.PagesAccessLevel)
	put(set, "analytics_access_level", b.AnalyticsAccessLevel)
	put(set, "container_registry_access_level", b.ContainerRegistryAccessLevel)
	put(set, "security_and_compliance_access_level", b.SecurityAndComplianceAccessLevel)
	put(set, "releases_access_level", b.ReleasesAccessLevel)
	put(set, "environments_access_level", b.EnvironmentsAccessLevel)
	put(set, "feature_flags_access_level", b.FeatureFlagsAccessLevel)
	put(set, "infrastructure_access_level", b.InfrastructureAccessLevel)
	put(set, "monitor_access_level", b.MonitorAccessLevel)
	put(set, "model_experiments_access_level", b.ModelExperimentsAccessLevel)
	put(set, "package_registry_access_level", b.PackageRegistryAccessLevel)
}

// jobs sets the CI/CD columns.
func jobs(set map[string]any, b gen.ProjectWrite) {
	put(set, "shared_runners_enabled", b.SharedRunnersEnabled)
	put(set, "group_runners_enabled", b.GroupRunnersEnabled)
	put(set, "ci_default_git_depth", b.CiDefaultGitDepth)
	put(set, "ci_forward_deployment_enabled", b.CiForwardDeploymentEnabled)
	put(set, "ci_job_token_scope_enabled", b.CiJobTokenScopeEnabled)
	put(set, "ci_separated_caches", b.CiSeparatedCaches)
	put(set, "ci_allow_fork_pipelines_to_run_in_parent_project", b.CiAllowForkPipelinesToRunInParentProject)
	put(set, "build_git_strategy", b.BuildGitStrategy)
	put(set, "build_timeout", b.BuildTimeout)
	put(set, "auto_cancel_pending_pipelines", b.AutoCancelPendingPipelines)
	put(set, "public_jobs", b.PublicJobs)
	put(set, "keep_latest_artifact", b.KeepLatestArtifact)
	put(set, "restrict_user_defined_variables", b.RestrictUserDefinedVariables)
	put(set, "auto_devops_enabled", b.AutoDevopsEnabled)
	put(set, "auto_devops_deploy_strategy", b.AutoDevopsDeployStrategy)
}

// merges sets the merge request columns, and the rest.
func merges(set map[string]any, b gen.ProjectWrite) {
	put(set, "resolve_outdated_diff_discussions", b.ResolveOutdatedDiffDiscussions)
	put(set, "emails_disabled", b.EmailsDisabled)
	put(set, "lfs_enabled", b.LfsEnabled)
	put(set, "only_allow_merge_if_pipeline_succeeds", b.OnlyAllowMergeIfPipelineSucceeds)
	putNullable(set, "allow_merge_on_skipped_pipeline", b.AllowMergeOnSkippedPipeline)
	put(set, "request_access_enabled", b.RequestAccessEnabled)
	put(set, "only_allow_merge_if_all_discussions_are_resolved", b.OnlyAllowMergeIfAllDiscussionsAreResolved)
	put(set, "only_allow_merge_if_all_status_checks_passed", b.OnlyAllowMergeIfAllStatusChecksPassed)
	put(set, "remove_source_branch_after_merge", b.RemoveSourceBranchAfterMerge)
	put(set, "printing_merge_request_link_enabled", b.PrintingMergeRequestLinkEnabled)
	put(set, "merge_method", b.MergeMethod)
	put(set, "squash_option", b.SquashOption)
	put(set, "enforce_auth_checks_on_uploads", b.EnforceAuthChecksOnUploads)
	putNullable(set, "suggestion_commit_message", b.SuggestionCommitMessage)
	putNullable(set, "merge_commit_template", b.MergeCommitTemplate)
	putNullable(set, "squash_commit_template", b.SquashCommitTemplate)
	putNullable(set, "issue_branch_template", b.IssueBranchTemplate)
	put(set, "autoclose_referenced_issues", b.AutocloseReferencedIssues)
}

func put[T any](set map[string]any, column string, value *T) {
	if value != nil {
		set[column] = *value
	}
}

func putNullable[T any](set map[string]any, column string, value wire.Optional[T]) {
	if value.IsSet() {
		set[column] = value.Ptr()
	}
}

func putSwitch(set map[string]any, column string, on *bool) {
	switch {
	case on == nil:
	case *on:
		set[column] = model.FeatureEnabled
	default:
		set[column] = model.FeatureDisabled
	}
}
