package present

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// settings adds the settings of a project.
func (p Presenter) settings(shown *gen.Project, row *model.Project) {
	p.features(shown, row)
	shown.ResolveOutdatedDiffDiscussions = &row.ResolveOutdatedDiffDiscussions
	shown.EmailsDisabled = &row.EmailsDisabled
	shown.EmailsEnabled = ptr(!row.EmailsDisabled)
	shown.SharedRunnersEnabled = &row.SharedRunnersEnabled
	shown.GroupRunnersEnabled = &row.GroupRunnersEnabled
	shown.LfsEnabled = &row.LfsEnabled
	shown.CiConfigPath = wire.Maybe(row.CiConfigPath)
	shown.CiDefaultGitDepth = &row.CiDefaultGitDepth
	shown.CiForwardDeploymentEnabled = &row.CiForwardDeploymentEnabled
	shown.CiJobTokenScopeEnabled = &row.CiJobTokenScopeEnabled
	shown.CiSeparatedCaches = &row.CiSeparatedCaches
	shown.CiAllowForkPipelinesToRunInParentProject = &row.CiAllowForkPipelinesToRunInParentProject
	shown.BuildGitStrategy = ptr(gen.BuildGitStrategy(row.BuildGitStrategy))
	shown.BuildTimeout = &row.BuildTimeout
	shown.AutoCancelPendingPipelines = ptr(gen.AutoCancel(row.AutoCancelPendingPipelines))
	shown.PublicJobs = &row.PublicJobs
	shown.KeepLatestArtifact = &row.KeepLatestArtifact
	shown.RestrictUserDefinedVariables = &row.RestrictUserDefinedVariables
	shown.OnlyAllowMergeIfPipelineSucceeds = &row.OnlyAllowMergeIfPipelineSucceeds
	shown.AllowMergeOnSkippedPipeline = wire.Maybe(row.AllowMergeOnSkippedPipeline)
	shown.RequestAccessEnabled = &row.RequestAccessEnabled
	shown.OnlyAllowMergeIfAllDiscussionsAreResolved = &row.OnlyAllowMergeIfAllDiscussionsAreResolved
	shown.OnlyAllowMergeIfAllStatusChecksPassed = &row.OnlyAllowMergeIfAllStatusChecksPassed
	shown.RemoveSourceBranchAfterMerge = &row.RemoveSourceBranchAfterMerge
	shown.PrintingMergeRequestLinkEnabled = &row.PrintingMergeRequestLinkEnabled
	shown.MergeMethod = ptr(gen.MergeMethod(row.MergeMethod))
	shown.SquashOption = ptr(gen.SquashOption(row.SquashOption))
	shown.EnforceAuthChecksOnUploads = &row.EnforceAuthChecksOnUploads
	shown.SuggestionCommitMessage = wire.Maybe(row.SuggestionCommitMessage)
	shown.MergeCommitTemplate = wire.Maybe(row.MergeCommitTemplate)
	shown.SquashCommitTemplate = wire.Maybe(row.SquashCommitTemplate)
	shown.IssueBranchTemplate = wire.Maybe(row.IssueBranchTemplate)
	shown.AutoDevopsEnabled = &row.AutoDevopsEnabled
	shown.AutoDevopsDeployStrategy = ptr(gen.DeployStrategy(row.AutoDevopsDeployStrategy))
	shown.AutocloseReferencedIssues = &row.AutocloseReferencedIssues
}

func (p Presenter) features(shown *gen.Project, row *model.Project) {
	shown.IssuesAccessLevel = ptr(gen.FeatureAccess(row.IssuesAccessLevel))
	shown.RepositoryAccessLevel = ptr(gen.FeatureAccess(row.RepositoryAccessLevel))
	shown.MergeRequestsAccessLevel = ptr(gen.FeatureAccess(row.MergeRequestsAccessLevel))
	shown.ForkingAccessLevel = ptr(gen.FeatureAccess(row.ForkingAccessLevel))
	shown.WikiAccessLevel = ptr(gen.FeatureAccess(row.WikiAccessLevel))
	shown.BuildsAccessLevel = ptr(gen.FeatureAccess(row.BuildsAccessLevel))
	shown.SnippetsAccessLevel = ptr(gen.FeatureAccess(row.SnippetsAccessLevel))
	shown.PagesAccessLevel = ptr(gen.PagesAccess(row.PagesAccessLevel))
	shown.AnalyticsAccessLevel = ptr(gen.FeatureAccess(row.AnalyticsAccessLevel))
	shown.ContainerRegistryAccessLevel = ptr(gen.FeatureAccess(row.ContainerRegistryAccessLevel))
	shown.SecurityAndComplianceAccessLevel = ptr(gen.FeatureAccess(row.SecurityAndComplianceAccessLevel))
	shown.ReleasesAccessLevel = ptr(gen.FeatureAccess(row.ReleasesAccessLevel))
	shown.EnvironmentsAccessLevel = ptr(gen.FeatureAccess(row.EnvironmentsAccessLevel))
	shown.FeatureFlagsAccessLevel = ptr(gen.FeatureAccess(row.FeatureFlagsAccessLevel))
	shown.InfrastructureAccessLevel = ptr(gen.FeatureAccess(row.InfrastructureAccessLevel))
	shown.MonitorAccessLevel = ptr(gen.FeatureAccess(row.MonitorAccessLevel))
	shown.ModelExperimentsAccessLevel = ptr(gen.FeatureAccess(row.ModelExperimentsAccessLevel))
	shown.PackageRegistryAccessLevel = ptr(gen.PackageRegistryAccess(row.PackageRegistryAccessLevel))
	shown.IssuesEnabled = ptr(row.IssuesAccessLevel != model.FeatureDisabled)
	shown.MergeRequestsEnabled = ptr(row.MergeRequestsAccessLevel != model.FeatureDisabled)
	shown.WikiEnabled = ptr(row.WikiAccessLevel != model.FeatureDisabled)
	shown.JobsEnabled = ptr(row.BuildsAccessLevel != model.FeatureDisabled)
	shown.SnippetsEnabled = ptr(row.SnippetsAccessLevel != model.FeatureDisabled)
	shown.ContainerRegistryEnabled = ptr(row.ContainerRegistryAccessLevel != model.FeatureDisabled)
	shown.PackagesEnabled = ptr(row.PackageRegistryAccessLevel != model.FeatureDisabled)
}
