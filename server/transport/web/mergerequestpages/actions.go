package mergerequestpages

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"svc/server/domain/ci/launch"
	"svc/server/domain/mergerequest"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// act finds the merge request of a form, acts, and shows the merge request: with a text, or with the reason of a refusal.
func (p *Pages) act(v *page.Visit, done string, do func(mr model.MergeRequest) error) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	if err := do(mr); err != nil {
		return p.refuse(v, err)
	}
	return v.Done(kind.Address(v.Project.Project.FullPath, mr.IID), done)
}

// refuse shows the merge request with the reason of a refusal. Callers who may not do this at all get a 403.
func (p *Pages) refuse(v *page.Visit, err error) error {
	var e *apierr.Error
	if errors.As(err, &e) && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden) {
		return apierr.Forbidden()
	}
	return p.showOverview(v, explained(err))
}

// explained gives refusals that only programs understand a text.
func explained(err error) error {
	var e *apierr.Error
	if !errors.As(err, &e) {
		return err
	}
	if texts, ok := e.Body.Message.([]string); ok {
		return &apierr.Error{Status: e.Status, Body: apierr.Body{Message: strings.Join(texts, " ")}}
	}
	switch e.Status {
	case http.StatusMethodNotAllowed:
		return apierr.Unprocessable("The merge request cannot be merged now. The reason is below.")
	case http.StatusNotAcceptable:
		return apierr.Unprocessable("No merge is scheduled.")
	case http.StatusNotFound:
		return apierr.Unprocessable("You have not approved the merge request.")
	}
	return err
}

// approve approves a merge request.
// POST /{project}/-/merge_requests/{iid}/approve
func (p *Pages) approve(v *page.Visit) error {
	return p.act(v, "You have approved the merge request.", func(mr model.MergeRequest) error {
		err := p.service.Approve(v.Request().Context(), *v.Project, mr, v.Actor.User.ID, v.Value("sha"))
		var e *apierr.Error
		if errors.As(err, &e) && e.Status == http.StatusUnauthorized {
			err = apierr.Unprocessable("The merge request is not open, or you have already approved it.")
		}
		return err
	})
}

// unapprove removes the approval of the caller.
// POST /{project}/-/merge_requests/{iid}/unapprove
func (p *Pages) unapprove(v *page.Visit) error {
	return p.act(v, "Your approval was removed.", func(mr model.MergeRequest) error {
		return p.service.Unapprove(v.Request().Context(), *v.Project, mr, v.Actor.User.ID)
	})
}

// merge merges a merge request, now or when its pipeline succeeds.
// POST /{project}/-/merge_requests/{iid}/merge
func (p *Pages) merge(v *page.Visit) error {
	mr, err := p.find(v)
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	user, err := p.Store.Users.Get(ctx, v.Actor.User.ID)
	if err != nil {
		return err
	}
	squash, remove := v.Value("squash") != "", v.Value("should_remove_source_branch") != ""
	waits, err := p.service.Merge(ctx, *v.Project, mr, user, mergerequest.Options{
		SHA: v.Value("sha"), Squash: &squash, RemoveSource: &remove, Message: v.Value("merge_commit_message"),
	}, v.Value("auto_merge") != "")
	if err != nil {
		return p.refuse(v, err)
	}
	text := "The merge request was merged."
	if waits {
		text = "The merge request is merged when its pipeline succeeds."
	}
	return v.Done(kind.Address(v.Project.Project.FullPath, mr.IID), text)
}

// cancelMerge cancels a scheduled merge.
// POST /{project}/-/merge_requests/{iid}/cancel_merge
func (p *Pages) cancelMerge(v *page.Visit) error {
	return p.act(v, "The scheduled merge was canceled.", func(mr model.MergeRequest) error {
		ctx, me := v.Request().Context(), v.Actor.User.ID
		if err := p.service.CheckMayCancelMerge(ctx, *v.Project, mr, me); err != nil {
			return err
		}
		return p.service.CancelMerge(ctx, mr, me)
	})
}

// rebase rebases the source branch in the background.
// POST /{project}/-/merge_requests/{iid}/rebase
func (p *Pages) rebase(v *page.Visit) error {
	return p.act(v, "The source branch is being rebased. Reload the page in a moment.", func(mr model.MergeRequest) error {
		ctx, me := v.Request().Context(), v.Actor.User.ID
		if err := p.service.CheckMayRebase(ctx, mr, me); err != nil {
			return err
		}
		return p.service.Rebase(ctx, mr, me, v.Value("skip_ci") != "")
	})
}

// runPipeline runs a pipeline for a merge request.
// POST /{project}/-/merge_requests/{iid}/pipelines
func (p *Pages) runPipeline(v *page.Visit) error {
	return p.act(v, "The pipeline was created.", func(mr model.MergeRequest) error {
		ctx := v.Request().Context()
		user, err := p.Store.Users.Get(ctx, v.Actor.User.ID)
		if err != nil {
			return err
		}
		_, _, err = p.merger.Pipeline(ctx, *v.Project, user, mr)
		var refused *mergerequest.RefusedError
		if errors.As(err, &refused) {
			return apierr.Forbidden("You may not run pipelines for this merge request")
		}
		return launch.APIError(err)
	})
}

// pipelineLink returns the link to a pipeline of a project.
func pipelineLink(project string, run model.Pipeline) page.Link {
	return page.Link{Path: "/" + project + "/-/pipelines/" + strconv.FormatInt(run.ID, 10), Label: "#" + strconv.FormatInt(run.ID, 10)}
}
