package settingspages

import (
	"svc/openapi/wire"
	"svc/server/domain/project"
	"svc/server/transport/web/page"
	"svc/store/model"
)

const maxTemplate = 500 // characters of the template of a message

// mergeSettings are how merge requests are merged.
var mergeSettings = []setting{
	{column: "merge_method", label: "Merge method", options: []page.Option{
		{Value: "merge", Label: "Merge commit"},
		{Value: "rebase_merge", Label: "Merge commit, after the source branch is up to date"},
		{Value: "ff", Label: "Fast-forward, without a merge commit"},
	}},
	{column: "squash_option", label: "Squash commits", options: []page.Option{
		{Value: "never", Label: "Never"},
		{Value: "default_off", Label: "If chosen"},
		{Value: "default_on", Label: "Unless another choice is made"},
		{Value: "always", Label: "Always"},
	}},
	{column: "only_allow_merge_if_pipeline_succeeds", label: "Pipelines must succeed"},
	{column: "allow_merge_on_skipped_pipeline", label: "Skipped pipelines count as successful"},
	{column: "only_allow_merge_if_all_discussions_are_resolved", label: "All threads must be resolved"},
	{column: "only_allow_merge_if_all_status_checks_passed", label: "All external status checks must pass"},
	{column: "remove_source_branch_after_merge", label: "Delete the source branch after the merge, unless another choice is made"},
	{column: "autoclose_referenced_issues", label: "Close issues that a merge request into the default branch names"},
	{column: "resolve_outdated_diff_discussions", label: "Resolve threads on lines that a push changes"},
	{column: "printing_merge_request_link_enabled", label: "Print a link to a new merge request after a push"},
	{column: "merge_commit_template", label: "Message of merge commits", hint: "Leave empty for the usual message", most: maxTemplate},
	{column: "squash_commit_template", label: "Message of squash commits", hint: "Leave empty for the usual message", most: maxTemplate},
}

// mergeNow returns the present values.
func mergeNow(p model.Project) map[string]string {
	return map[string]string{
		"merge_method":                                     p.MergeMethod,
		"squash_option":                                    p.SquashOption,
		"only_allow_merge_if_pipeline_succeeds":            checked(p.OnlyAllowMergeIfPipelineSucceeds),
		"allow_merge_on_skipped_pipeline":                  checked(wire.Value(p.AllowMergeOnSkippedPipeline)),
		"only_allow_merge_if_all_discussions_are_resolved": checked(p.OnlyAllowMergeIfAllDiscussionsAreResolved),
		"only_allow_merge_if_all_status_checks_passed":     checked(p.OnlyAllowMergeIfAllStatusChecksPassed),
		"remove_source_branch_after_merge":                 checked(p.RemoveSourceBranchAfterMerge),
		"autoclose_referenced_issues":                      checked(p.AutocloseReferencedIssues),
		"resolve_outdated_diff_discussions":                checked(p.ResolveOutdatedDiffDiscussions),
		"printing_merge_request_link_enabled":              checked(p.PrintingMergeRequestLinkEnabled),
		"merge_commit_template":                            wire.Value(p.MergeCommitTemplate),
		"squash_commit_template":                           wire.Value(p.SquashCommitTemplate),
	}
}

// mergeSettings shows how merge requests are merged.
// GET /{project}/-/settings/merge_requests
func (p *Pages) mergeSettings(v *page.Visit) error { return p.showMergeSettings(v, nil) }

func (p *Pages) showMergeSettings(v *page.Visit, refused error) error {
	form := page.Form{Action: at(v, merging), Submit: "Save", Fields: fields(mergeSettings, mergeNow(v.Project.Project))}
	view := &page.FormPage{Form: form}
	status, err := v.Fill(refused, &view.Form)
	if err != nil {
		return err
	}
	return v.Show(page.View{
		Name: "form_page", Status: status, Title: "Merge requests", Tab: page.TabSettings, Nav: v.SettingsNav(merging), Data: view,
	})
}

// changeMergeSettings changes how merge requests are merged.
// POST /{project}/-/settings/merge_requests
func (p *Pages) changeMergeSettings(v *page.Visit) error {
	set, err := columns(v, mergeSettings)
	if err == nil {
		err = p.Projects.Apply(v.Request().Context(), *v.Project, project.Change{Settings: set})
	}
	if err != nil {
		return p.showMergeSettings(v, err)
	}
	return v.Done(at(v, merging), "The settings were saved.")
}
