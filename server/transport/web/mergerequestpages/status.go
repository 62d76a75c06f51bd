package mergerequestpages

import (
	"slices"

	"svc/server/domain/mergerequest"
	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// status is what stands between a merge request and its merge.
type status struct {
	Text      string   // what blocks the merge, or that nothing does
	Conflicts []string // files
	Commands  []string // that resolve the conflicts
	Pipeline  *page.Link
	Warned    bool   // the pipeline has passed with warnings
	Run       string // the status of the pipeline
	Approvers []model.Approver
	Approve   bool // the caller may approve
	Unapprove bool
	Rebase    bool
	Rebasing  bool
	Error     string // of the last merge or rebase
	Ready     bool   // the caller may mark a draft as ready
	AutoMerge string // who set it
	Cancel    bool   // the caller may cancel it
	Merge     *page.Form
	RunNew    bool // the caller may run a pipeline
}

// explanations say what the values of detailed_merge_status mean.
var explanations = map[string]string{
	mergestatus.Mergeable:    "Nothing blocks the merge.",
	mergestatus.Unchecked:    "The service is checking whether the branches can be merged. Reload the page in a moment.",
	mergestatus.CheckingNow:  "The service is checking whether the branches can be merged. Reload the page in a moment.",
	mergestatus.DraftStatus:  "The merge request is a draft. It can be merged once it is marked as ready.",
	mergestatus.Conflict:     "The branches conflict: both have changed the same lines. A person must combine the changes.",
	mergestatus.Broken:       "There is nothing to merge: a branch does not exist, or the target branch already has all commits.",
	mergestatus.NeedRebase:   "The target branch has moved, and the project only merges branches that contain it. Rebase first.",
	mergestatus.Discussions:  "There are threads that are not resolved, and the project requires that they are.",
	mergestatus.NotApproved:  "Approvals are missing that the rules of the project require.",
	mergestatus.Preparing:    "The source branch has changed, and the approvals are being checked. Reload the page in a moment.",
	mergestatus.Checks:       "The project requires that all external status checks pass.",
	mergestatus.MustPass:     "The project requires that the pipeline of the newest commit succeeds.",
	mergestatus.StillRunning: "The pipeline is still running, and the project requires that it succeeds.",
}

// status reads what stands between a merge request and its merge.
func (p *Pages) status(v *page.Visit, single mergerequest.Single, h heading) (status, error) {
	ctx, mr := v.Request().Context(), single.Row.MergeRequest
	detailed := single.Details.Status[mr.ID]
	s := status{Text: explanations[detailed], Rebasing: mr.Rebasing}
	if mr.MergeError != nil {
		s.Error = *mr.MergeError
	}
	p.addPipeline(&s, single)
	var err error
	if s.Approvers, err = p.Store.MergeRequests.Approvers(ctx, mr.ID); err != nil {
		return s, err
	}
	if mr.State != model.Opened {
		return s, nil
	}
	if detailed == mergestatus.Conflict {
		if s.Conflicts, err = p.viewer.Conflicts(ctx, v.Project.Project, mr); err != nil {
			return s, err
		}
		s.Commands = []string{
			"git fetch origin", "git switch " + mr.SourceBranch, "git merge origin/" + mr.TargetBranch,
			"git commit --all", "git push origin " + mr.SourceBranch,
		}
	}
	if v.Actor == nil {
		return s, nil
	}
	return s, p.addActions(v, &s, single, detailed, h)
}

// addPipeline adds the newest pipeline, if the caller sees it.
func (p *Pages) addPipeline(s *status, single mergerequest.Single) {
	run := single.Row.Pipeline
	if run == nil || !single.Extras.Pipeline {
		return
	}
	link := pipelineLink(single.Extras.Path, *run)
	s.Pipeline, s.Run, s.Warned = &link, run.Status, single.Extras.PipelineExtras.Warned && run.Status == "success"
}

// addActions adds what the caller may do.
func (p *Pages) addActions(v *page.Visit, s *status, single mergerequest.Single, detailed string, h heading) error {
	ctx, mr, me := v.Request().Context(), single.Row.MergeRequest, v.Actor.User.ID
	approved := slices.ContainsFunc(s.Approvers, func(a model.Approver) bool { return a.User.ID == me })
	may := v.May(access.ApproveMergeRequest)
	s.Approve, s.Unapprove, s.Ready = may && !approved, may && approved, h.Edit != "" && mr.Draft
	s.RunNew = v.May(access.RunMergeRequestPipeline) && !v.Project.Project.EmptyRepo
	if mr.AutoMerge {
		s.AutoMerge = "somebody"
		if mr.AutoMergeUserID != nil {
			if u := single.Details.AutoMergeUsers[*mr.AutoMergeUserID]; u != nil {
				s.AutoMerge = u.Name
			}
		}
		s.Cancel = v.May(access.MergeMergeRequest) && (single.Extras.CanMerge || mr.AuthorID == me)
	}
	if mr.Diverged > 0 && v.May(access.UpdateMergeRequest) && !mr.Rebasing {
		may, err := p.merger.MayRebase(ctx, me, mr)
		if err != nil {
			return err
		}
		s.Rebase = may
	}
	running := single.Row.Pipeline != nil && mergestatus.Active(single.Row.Pipeline.Status)
	waits := detailed == mergestatus.StillRunning
	if single.Extras.CanMerge && v.May(access.MergeMergeRequest) && (detailed == mergestatus.Mergeable || waits) {
		form := mergeForm(v.Project.Project, mr, h.Base, running, waits)
		s.Merge = &form
	}
	return nil
}

// mergeForm is the form that merges. With running, it can wait for the pipeline; with waits, it must.
func mergeForm(project model.Project, mr model.MergeRequest, base string, running, waits bool) page.Form {
	f := page.Form{Action: base + "/merge", Submit: "Merge", Hidden: []page.Field{{Name: "sha", Value: mr.HeadSHA}}}
	switch {
	case waits:
		f.Submit = "Merge when the pipeline succeeds"
		f.Hidden = append(f.Hidden, page.Field{Name: "auto_merge", Value: "1"})
	case running:
		f.Fields = append(f.Fields, page.Field{
			Name: "auto_merge", Label: "Merge when the pipeline succeeds, not now", Type: "checkbox", Checked: true,
		})
	}
	squash := page.Field{Name: "squash", Label: "Squash the commits into one", Type: "checkbox", Checked: mr.Squash}
	if mergerequest.Squashes(project, false) {
		squash.Label, squash.Checked = squash.Label+" (the project requires it)", true
	}
	if mergerequest.Squashes(project, true) {
		f.Fields = append(f.Fields, squash)
	}
	f.Fields = append(f.Fields, page.Field{
		Name: "should_remove_source_branch", Label: "Delete the source branch", Type: "checkbox",
		Checked: mr.RemoveSourceBranch != nil && *mr.RemoveSourceBranch,
	})
	if project.MergeMethod != "ff" {
		f.Fields = append(f.Fields, page.Field{
			Name: "merge_commit_message", Label: "Message of the merge commit", Type: "textarea", Rows: 3,
			Hint: "Empty for the message of the project.",
		})
	}
	return f
}
