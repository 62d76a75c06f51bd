package export

import (
	"errors"
	"strings"

	"svc/server/domain/archive"
	"svc/store/git"
	"svc/store/model"
)

// Project holds the settings of a project, and the highest numbers of its issues and merge requests.
type Project struct {
	Name          string `json:"name"`
	Path          string `json:"path"`
	Visibility    string `json:"visibility"`
	DefaultBranch string `json:"default_branch"`
	Topics        string `json:"topics"`
	Issues        int64  `json:"last_issue_iid"`
	MergeRequests int64  `json:"last_merge_request_iid"`

	Features map[string]model.FeatureAccess `json:"project_feature"`
	Switches map[string]bool                `json:"switches"`
	Choices  map[string]string              `json:"choices"`
	Texts    map[string]*string             `json:"texts"`
	Numbers  map[string]int64               `json:"numbers"`
}

// features returns the access levels of the parts of a project, by column.
func features(p *model.Project) map[string]*model.FeatureAccess {
	return map[string]*model.FeatureAccess{
		"issues_access_level":                  &p.IssuesAccessLevel,
		"repository_access_level":              &p.RepositoryAccessLevel,
		"merge_requests_access_level":          &p.MergeRequestsAccessLevel,
		"forking_access_level":                 &p.ForkingAccessLevel,
		"wiki_access_level":                    &p.WikiAccessLevel,
		"builds_access_level":                  &p.BuildsAccessLevel,
		"snippets_access_level":                &p.SnippetsAccessLevel,
		"pages_access_level":                   &p.PagesAccessLevel,
		"analytics_access_level":               &p.AnalyticsAccessLevel,
		"container_registry_access_level":      &p.ContainerRegistryAccessLevel,
		"security_and_compliance_access_level": &p.SecurityAndComplianceAccessLevel,
		"releases_access_level":                &p.ReleasesAccessLevel,
		"environments_access_level":            &p.EnvironmentsAccessLevel,
		"feature_flags_access_level":           &p.FeatureFlagsAccessLevel,
		"infrastructure_access_level":          &p.InfrastructureAccessLevel,
		"monitor_access_level":                 &p.MonitorAccessLevel,
		"model_experiments_access_level":       &p.ModelExperimentsAccessLevel,
		"package_registry_access_level":        &p.PackageRegistryAccessLevel,
	}
}

// switches returns the settings of a project that are on or off, by column.
func switches(p *model.Project) map[string]*bool {
	return map[string]*bool{
		"resolve_outdated_diff_discussions":                &p.ResolveOutdatedDiffDiscussions,
		"emails_disabled":                                  &p.EmailsDisabled,
		"shared_runners_enabled":                           &p.SharedRunnersEnabled,
		"group_runners_enabled":                            &p.GroupRunnersEnabled,
		"lfs_enabled":                                      &p.LfsEnabled,
		"ci_forward_deployment_enabled":                    &p.CiForwardDeploymentEnabled,
		"ci_separated_caches":                              &p.CiSeparatedCaches,
		"ci_allow_fork_pipelines_to_run_in_parent_project": &p.CiAllowForkPipelinesToRunInParentProject,
		"public_jobs":                                      &p.PublicJobs,
		"keep_latest_artifact":                             &p.KeepLatestArtifact,
		"only_allow_merge_if_pipeline_succeeds":            &p.OnlyAllowMergeIfPipelineSucceeds,
		"request_access_enabled":                           &p.RequestAccessEnabled,
		"only_allow_merge_if_all_discussions_are_resolved": &p.OnlyAllowMergeIfAllDiscussionsAreResolved,
		"remove_source_branch_after_merge":                 &p.RemoveSourceBranchAfterMerge,
		"printing_merge_request_link_enabled":              &p.PrintingMergeRequestLinkEnabled,
		"autoclose_referenced_issues":                      &p.AutocloseReferencedIssues,
	}
}

// choices returns the settings of a project that are one of a few words, by column.
func choices(p *model.Project) map[string]*string {
	return map[string]*string{
		"merge_method":                  &p.MergeMethod,
		"squash_option":                 &p.SquashOption,
		"build_git_strategy":            &p.BuildGitStrategy,
		"auto_cancel_pending_pipelines": &p.AutoCancelPendingPipelines,
	}
}

// choiceValues are the words that each of choices can be.
var choiceValues = map[string][]string{
	"merge_method":                  {"merge", "rebase_merge", "ff"},
	"squash_option":                 {"never", "always", "default_on", "default_off"},
	"build_git_strategy":            {"fetch", "clone"},
	"auto_cancel_pending_pipelines": {"enabled", "disabled"},
}

// texts returns the optional texts of a project, by column.
func texts(p *model.Project) map[string]**string {
	return map[string]**string{
		"description":               &p.Description,
		"ci_config_path":            &p.CiConfigPath,
		"suggestion_commit_message": &p.SuggestionCommitMessage,
		"merge_commit_template":     &p.MergeCommitTemplate,
		"squash_commit_template":    &p.SquashCommitTemplate,
		"issue_branch_template":     &p.IssueBranchTemplate,
	}
}

// numbers returns the settings of a project that are numbers, by column.
func numbers(p *model.Project) map[string]*int64 {
	return map[string]*int64{
		"ci_default_git_depth": &p.CiDefaultGitDepth,
		"build_timeout":        &p.BuildTimeout,
	}
}

// numberRanges are the least and the highest values of numbers.
var numberRanges = map[string][2]int64{"ci_default_git_depth": {0, 1000}, "build_timeout": {600, 2592000}}

// projectOf returns the settings of a project.
func projectOf(p model.Project) Project {
	return Project{
		Name: p.Name, Path: p.Path, Visibility: p.Visibility.String(), DefaultBranch: p.DefaultBranch, Topics: p.Topics,
		Features: values(features(&p)), Switches: values(switches(&p)), Choices: values(choices(&p)), Texts: values(texts(&p)),
		Numbers: values(numbers(&p)),
	}
}

func values[T any](of map[string]*T) map[string]T {
	all := make(map[string]T, len(of))
	for name, value := range of {
		all[name] = *value
	}
	return all
}

// Check returns what is wrong with the settings. Settings that this service does not know are refused.
func (p Project) Check() error {
	var row model.Project
	for name, level := range p.Features {
		all := []string{string(model.FeatureDisabled), string(model.FeaturePrivate), string(model.FeatureEnabled)}
		if name == "pages_access_level" || name == "package_registry_access_level" {
			all = append(all, string(model.FeaturePublic))
		}
		if features(&row)[name] == nil {
			return bad("project.json has an unknown feature %.60q", name)
		}
		if err := archive.OneOf(name, string(level), all...); err != nil {
			return err
		}
	}
	for name, word := range p.Choices {
		if err := archive.OneOf(name, word, choiceValues[name]...); err != nil {
			return err
		}
	}
	for name := range p.Switches {
		if switches(&row)[name] == nil {
			return bad("project.json has an unknown setting %.60q", name)
		}
	}
	for name, value := range p.Numbers {
		if most := numberRanges[name]; value < most[0] || value > most[1] {
			return bad("%.60q in project.json is out of range", name)
		}
	}
	return p.checkTexts()
}

func (p Project) checkTexts() error {
	var row model.Project
	for name, text := range p.Texts {
		if texts(&row)[name] == nil {
			return bad("project.json has an unknown text %.60q", name)
		}
		if err := archive.Optional(name, text, maxDescription); err != nil {
			return err
		}
	}
	if path := p.Texts["ci_config_path"]; path != nil && (strings.HasPrefix(*path, "/") || strings.Contains(*path, "..")) {
		return bad("ci_config_path in project.json is invalid")
	}
	if p.DefaultBranch != "" && !git.ValidBranch(p.DefaultBranch) || len(p.DefaultBranch) > maxRef {
		return bad("default_branch in project.json is invalid")
	}
	if p.Issues < 0 || p.Issues > maxIID || p.MergeRequests < 0 || p.MergeRequests > maxIID {
		return bad("the highest numbers in project.json are out of range")
	}
	return errors.Join(
		archive.OneOf("visibility", p.Visibility, model.Private.String(), model.Internal.String(), model.Public.String()),
		archive.Text("topics", p.Topics, 0, maxDescription),
	)
}

// columns returns the columns of a project that an import sets, besides its visibility.
func (p Project) columns() map[string]any {
	set := map[string]any{"topics": p.Topics}
	for name, value := range p.Features {
		set[name] = value
	}
	for name, value := range p.Switches {
		set[name] = value
	}
	for name, value := range p.Choices {
		set[name] = value
	}
	for name, value := range p.Texts {
		set[name] = value
	}
	for name, value := range p.Numbers {
		set[name] = value
	}
	return set
}

// visibility returns the visibility in the archive.
func (p Project) visibility() model.Visibility {
	return map[string]model.Visibility{"internal": model.Internal, "public": model.Public}[p.Visibility]
}
