package mergerequests

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/issuable"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// CreateProjectMergeRequest creates a merge request from a branch of this project.
// POST /projects/{id}/merge_requests
func (m *MergeRequests) CreateProjectMergeRequest(
	ctx context.Context, req gen.CreateProjectMergeRequestRequestObject,
) (gen.CreateProjectMergeRequestResponseObject, error) {
	source, target, err := m.findProjects(ctx, req.ID, req.Body.TargetProjectID)
	if err != nil {
		return nil, err
	}
	mr, span, err := m.newMergeRequest(ctx, source, target, *req.Body)
	if err != nil {
		return nil, err
	}
	parts, err := m.partsOfNew(ctx, target, *req.Body)
	if err != nil {
		return nil, err
	}
	rest, orders := note.Split(model.OnMergeRequest, wire.Value(mr.Description))
	if len(orders) > 0 {
		mr.Description = &rest
	}
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.create(ctx, target, &mr, span, parts); err != nil {
			return err
		}
		return m.notes.RunQuickActions(ctx, target, model.OnMergeRequest, mr.ID, orders)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) && taken.Constraint == "merge_requests_open" {
		err = m.openConflict(ctx, mr)
	}
	if err != nil {
		return nil, err
	}
	shown, err := m.show.One(ctx, target, mr.IID)
	return gen.CreateProjectMergeRequest201JSONResponse(shown.Body()), err
}

// findProjects finds the source project and the target project of a new merge request. It refuses callers who may not create
// the merge request.
func (m *MergeRequests) findProjects(ctx context.Context, ref string, into *int64) (source, target model.ProjectRow, err error) {
	source, err = m.access.Project(ctx, ref, access.CreateMergeRequest)
	if err != nil {
		return source, target, err
	}
	if source.Role() < model.Developer {
		return source, target, apierr.Forbidden()
	}
	if into == nil || *into == source.Project.ID {
		return source, source, nil
	}
	target, err = m.access.Project(ctx, strconv.FormatInt(*into, 10), access.CreateMergeRequest)
	if err != nil {
		return source, target, err
	}
	same, err := m.store.Projects.SameNetwork(ctx, source.Project.ID, target.Project.ID)
	switch {
	case err != nil:
		return source, target, err
	case !target.MayPropose():
		return source, target, apierr.Forbidden()
	case !same:
		return source, target, invalidMergeRequest("Source project is not a fork of the target project")
	}
	return source, target, nil
}

// invalidMergeRequest returns the error of an invalid merge request in the format that clients expect: 422 {"message": [text]}.
func invalidMergeRequest(text string) error {
	return &apierr.Error{Status: http.StatusUnprocessableEntity, Body: apierr.Body{Message: []string{text}}}
}

// openConflict returns the conflict with the open merge request that has the same source and target branch.
func (m *MergeRequests) openConflict(ctx context.Context, mr model.MergeRequest) error {
	iid, err := m.store.MergeRequests.FindOpenIID(ctx, *mr.SourceProjectID, mr.SourceBranch, mr.ProjectID, mr.TargetBranch)
	if err != nil {
		return err
	}
	return &apierr.Error{Status: http.StatusConflict, Body: apierr.Body{
		Message: []string{fmt.Sprintf("Another open merge request already exists for this source branch: !%d", iid)},
	}}
}

// newMergeRequest builds a new merge request from the request, and validates its branches and the commits between them.
func (m *MergeRequests) newMergeRequest(
	ctx context.Context, source, target model.ProjectRow, b gen.MergeRequestCreate,
) (model.MergeRequest, mergerequest.Comparison, error) {
	mr := model.MergeRequest{
		ProjectID: target.Project.ID, AuthorID: caller(ctx), SourceProjectID: &source.Project.ID,
		SourceBranch: b.SourceBranch, TargetBranch: b.TargetBranch,
		Title: strings.TrimSpace(b.Title), Description: b.Description.Ptr(), State: model.Opened,
		Draft: issuable.IsDraft(b.Title), MergeStatus: model.MergeUnchecked,
		Squash: mergerequest.SquashDefault(target.Project), RemoveSourceBranch: b.RemoveSourceBranch.Ptr(),
	}
	if mr.Title == "" {
		return mr, mergerequest.Comparison{}, apierr.Invalid("title", "can't be blank")
	}
	if squash := b.Squash.Ptr(); squash != nil {
		mr.Squash = mergerequest.Squashes(target.Project, *squash)
	}
	if mr.RemoveSourceBranch == nil {
		mr.RemoveSourceBranch = &target.Project.RemoveSourceBranchAfterMerge
	}
	for _, allow := range []*bool{b.AllowCollaboration.Ptr(), b.AllowMaintainerToPush.Ptr()} {
		mr.AllowCollaboration = mr.AllowCollaboration || wire.Value(allow)
	}
	if source.Project.ID == target.Project.ID && mr.SourceBranch == mr.TargetBranch {
		return mr, mergerequest.Comparison{}, invalidMergeRequest("You can't use same project/branch for source and target")
	}
	span, err := m.readBranches(ctx, target.Project, &mr)
	if err != nil {
		return mr, span, err
	}
	if iid, err := m.store.MergeRequests.FindOpenIID(
		ctx, source.Project.ID, mr.SourceBranch, target.Project.ID, mr.TargetBranch,
	); err != nil || iid != 0 {
		if err == nil {
			err = m.openConflict(ctx, mr)
		}
		return mr, span, err
	}
	return mr, span, nil
}

// readBranches reads the branches and the commits of a new merge request.
func (m *MergeRequests) readBranches(ctx context.Context, target model.Project, mr *model.MergeRequest) (mergerequest.Comparison, error) {
	tips, err := m.merger.Tips(ctx, target, *mr)
	switch {
	case err != nil:
		return mergerequest.Comparison{}, err
	case !git.ValidBranch(mr.SourceBranch) || tips.Source == "":
		return mergerequest.Comparison{}, invalidMergeRequest("Source branch \"" + clip(mr.SourceBranch) + "\" does not exist")
	case !git.ValidBranch(mr.TargetBranch) || tips.Target == "":
		return mergerequest.Comparison{}, invalidMergeRequest("Target branch \"" + clip(mr.TargetBranch) + "\" does not exist")
	}
	mr.HeadSHA, mr.TargetSHA = tips.Source, tips.Target
	span, err := m.merger.Compare(ctx, target, *mr)
	if err != nil {
		return span, err
	}
	if span.Base == "" {
		return span, invalidMergeRequest("The branches have no common history")
	}
	mr.BaseSHA, mr.StartSHA = span.Base, span.Start
	return span, nil
}

func clip(name string) string {
	const most = 100
	if len(name) > most {
		name = name[:most] + "…"
	}
	return strings.ToValidUTF8(name, "?")
}

// parts are the assignees, reviewers, labels and milestone of a merge request; nil leaves a part unchanged.
type parts struct {
	assignees, reviewers *[]int64
	labels               issuable.LabelInput
	milestone            **int64
}

func (m *MergeRequests) partsOfNew(ctx context.Context, target model.ProjectRow, b gen.MergeRequestCreate) (parts, error) {
	var p parts
	if target.Role() < model.Developer { // callers from outside may not set these
		return p, nil
	}
	if id := b.AssigneeID.Ptr(); id != nil && b.AssigneeIds == nil {
		b.AssigneeIds = &[]int64{*id}
	}
	p.assignees, p.reviewers, p.labels.Set = b.AssigneeIds, b.ReviewerIds, b.Labels
	if b.MilestoneID.Ptr() != nil {
		milestone, err := m.milestone(ctx, target.Project, b.MilestoneID.Ptr())
		if err != nil {
			return p, err
		}
		p.milestone = &milestone
	}
	return p, nil
}

// milestone finds a milestone of the project or of a group above. The ID 0 means no milestone.
func (m *MergeRequests) milestone(ctx context.Context, project model.Project, id *int64) (*int64, error) {
	if id == nil || *id == 0 {
		return nil, nil
	}
	found, err := m.store.Milestones.Find(ctx, store.OwnedByProject(project), *id)
	if store.IsNotFound(err) {
		return nil, apierr.Invalid("milestone", "is invalid")
	}
	return &found.Milestone.ID, err
}

// create writes a merge request with its version, to-dos, references, events and notifications, in the caller's
// transaction.
func (m *MergeRequests) create(
	ctx context.Context, target model.ProjectRow, mr *model.MergeRequest, span mergerequest.Comparison, p parts,
) error {
	if p.milestone != nil {
		mr.MilestoneID = *p.milestone
	}
	at := now()
	mr.PreparedAt = &at
	if err := m.store.MergeRequests.Create(ctx, mr); err != nil {
		return err
	}
	if err := m.merger.AddVersion(ctx, *mr, span); err != nil {
		return err
	}
	t := issuable.MergeRequestTarget(target.Project, *mr)
	if err := m.setParts(ctx, t, p); err != nil {
		return err
	}
	if err := m.issuables.StoreReferences(ctx, target.Project, mr.ID, mr.Title+"\n"+wire.Value(mr.Description), access.Reader(ctx)); err != nil {
		return err
	}
	if err := m.issuables.AddMentionTodos(ctx, t, mr.AuthorID, mr.Title+"\n"+wire.Value(mr.Description), "", nil); err != nil {
		return err
	}
	if err := m.events.Activity(ctx, target.Project, events.On(mr.AuthorID, model.EventCreated, model.OnMergeRequest, mr.ID)); err != nil {
		return err
	}
	if err := m.issuables.Notify(ctx, t, mr.AuthorID, events.NewMergeRequest, nil); err != nil {
		return err
	}
	return m.merger.ScheduleRefresh(ctx, *mr, reqctx.Of(ctx).Actor.User.ID)
}

// setParts sets the assignees, reviewers and labels of a new merge request.
func (m *MergeRequests) setParts(ctx context.Context, t issuable.Target, p parts) error {
	if p.labels.IsSet() {
		labels, err := m.issuables.Labels(ctx, t.Project, p.labels, nil, true)
		if err != nil {
			return err
		}
		if _, _, err := m.store.MergeRequests.Relabel(ctx, t.ID, labels); err != nil {
			return err
		}
	}
	if p.assignees != nil {
		users, err := m.issuables.Assignable(ctx, t, *p.assignees)
		if err != nil {
			return err
		}
		if err := errors.Join(m.store.MergeRequests.Assign(ctx, t.ID, users), m.issuables.AddAssignedTodos(ctx, t, caller(ctx), users)); err != nil {
			return err
		}
	}
	if p.reviewers == nil {
		return nil
	}
	users, err := m.issuables.Assignable(ctx, t, *p.reviewers)
	if err != nil {
		return err
	}
	return errors.Join(m.store.MergeRequests.SetReviewers(ctx, t.ID, users), m.issuables.AddTodos(ctx, t, caller(ctx), model.TodoReviewRequested, users))
}
