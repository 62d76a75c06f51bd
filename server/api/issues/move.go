package issues

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// MoveProjectIssue moves an issue to another project.
// POST /projects/{id}/issues/{issue_iid}/move
func (s *Issues) MoveProjectIssue(ctx context.Context, req gen.MoveProjectIssueRequestObject) (gen.MoveProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	to, err := s.destination(ctx, req.Body.ToProjectID)
	if err != nil {
		return nil, err
	}
	switch {
	case to.Project.ID == row.Project.ID:
		return nil, apierr.BadRequest("Cannot move issue to project it originates from!")
	case found.Issue.MovedToID != nil:
		return nil, apierr.BadRequest("Cannot move issue due to insufficient permissions!")
	}
	made := copied(found.Issue, to.Project.ID)
	made.TimeEstimate, made.TotalTimeSpent, made.CreatedAt = found.Issue.TimeEstimate, found.Issue.TotalTimeSpent, found.Issue.CreatedAt
	made.State, made.ClosedAt, made.ClosedByID = found.Issue.State, found.Issue.ClosedAt, found.Issue.ClosedByID
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.copyTo(ctx, row, to, found, &made, true); err != nil {
			return err
		}
		return s.closeMoved(ctx, row, to, found, made)
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, to, made.IID)
	return gen.MoveProjectIssue201JSONResponse(shown), err
}

// CloneProjectIssue copies an issue into a project.
// POST /projects/{id}/issues/{issue_iid}/clone
func (s *Issues) CloneProjectIssue(
	ctx context.Context, req gen.CloneProjectIssueRequestObject,
) (gen.CloneProjectIssueResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	to, err := s.destination(ctx, req.Body.ToProjectID)
	if err != nil {
		return nil, err
	}
	made := copied(found.Issue, to.Project.ID)
	made.AuthorID = callerID(ctx)
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.copyTo(ctx, row, to, found, &made, req.Body.WithNotes != nil && *req.Body.WithNotes); err != nil {
			return err
		}
		if err := s.recordCreated(ctx, to.Project, made, nil); err != nil {
			return err
		}
		return s.noteCopy(ctx, row, to, found.Issue, made, "cloned")
	})
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, to, made.IID)
	return gen.CloneProjectIssue201JSONResponse(shown), err
}

// destination finds the project that gets the copy. It requires the same role as the project of the issue, because the
// copy contains texts of other people.
func (s *Issues) destination(ctx context.Context, id int64) (model.ProjectRow, error) {
	return s.access.Project(ctx, strconv.FormatInt(id, 10), access.AdminIssue)
}

// copied returns a new issue with the content of another issue.
func copied(i model.Issue, projectID int64) model.Issue {
	return model.Issue{
		ProjectID: projectID, AuthorID: i.AuthorID, Title: i.Title, Description: i.Description, State: model.Opened, IssueType: i.IssueType,
		Confidential: i.Confidential, DueDate: i.DueDate, Severity: i.Severity, Weight: i.Weight,
	}
}

// copyTo creates a copy of an issue in another project. The copy gets the labels and the milestone that exist there
// with the same name, and the assignees who can see it. It also gets the notes if notes is true, and internal notes
// only if the caller may read them.
func (s *Issues) copyTo(ctx context.Context, from, to model.ProjectRow, found model.IssueRow, made *model.Issue, notes bool) error {
	shelf := store.OwnedByProject(to.Project)
	names := make([]string, len(found.Labels))
	for i, l := range found.Labels {
		names[i] = l.Name
	}
	labels, err := s.store.Labels.Named(ctx, shelf, names, false)
	if err != nil {
		return err
	}
	if found.Milestone != nil {
		same, _, err := s.store.Milestones.List(
			ctx, shelf, store.MilestoneFilter{Title: found.Milestone.Milestone.Title, Ancestors: true},
			store.Page{Limit: 1},
		)
		if err != nil {
			return err
		}
		if len(same) > 0 {
			made.MilestoneID = &same[0].Milestone.ID
		}
	}
	doing, err := s.issuables.Assignable(ctx, issuable.IssueTarget(to.Project, *made, nil), assignees(found))
	if err != nil {
		return err
	}
	if err := s.store.Issues.Create(ctx, made, labels, doing); err != nil || !notes {
		return err
	}
	return s.store.Notes.Copy(ctx, model.OnIssue, found.Issue.ID, made.ID, to.Project.ID, access.ReadsInternal(from))
}

// closeMoved closes an issue that was moved. The original and the copy get a note that names the other one.
func (s *Issues) closeMoved(ctx context.Context, row, to model.ProjectRow, found model.IssueRow, made model.Issue) error {
	before, err := s.store.Issues.Lock(ctx, found.Issue.ID)
	if err != nil {
		return err
	}
	after, err := s.store.Issues.Update(ctx, before, map[string]any{"moved_to_id": made.ID})
	if err != nil {
		return err
	}
	if err := s.noteCopy(ctx, row, to, after, made, "moved"); err != nil {
		return err
	}
	_, err = s.issuables.SetState(ctx, row.Project, after, callerID(ctx), model.Closed, "")
	return err
}

// noteCopy writes a note in an issue and in its copy that names the other one.
func (s *Issues) noteCopy(ctx context.Context, row, to model.ProjectRow, from, made model.Issue, action string) error {
	there, here := action+" to "+placeOf(to.Project, made, from), action+" from "+placeOf(row.Project, from, made)
	if err := s.issuables.AddSystemNotes(ctx, issuable.IssueTarget(row.Project, from, nil), callerID(ctx), issuable.SimpleNote(action, there)); err != nil {
		return err
	}
	return s.issuables.AddSystemNotes(ctx, issuable.IssueTarget(to.Project, made, nil), callerID(ctx), issuable.SimpleNote(action, here))
}

// placeOf returns the name of an issue for a note in another issue, reads. If some readers of that note may not see the
// issue, the name gives nothing away.
func placeOf(p model.Project, i, reads model.Issue) string {
	public := p.Visibility == model.Public && p.IssuesAccessLevel == model.FeatureEnabled
	switch {
	case !i.Confidential && (public || i.ProjectID == reads.ProjectID):
		return p.FullPath + "#" + strconv.FormatInt(i.IID, 10)
	case i.ProjectID == reads.ProjectID:
		return "another issue"
	}
	return "another project"
}

// UpdateProjectIssueReorder moves an issue after or before another issue.
// PUT /projects/{id}/issues/{issue_iid}/reorder
func (s *Issues) UpdateProjectIssueReorder(
	ctx context.Context, req gen.UpdateProjectIssueReorderRequestObject,
) (gen.UpdateProjectIssueReorderResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.AdminIssue)
	if err != nil {
		return nil, err
	}
	if req.Body.MoveAfterID == nil && req.Body.MoveBeforeID == nil {
		return nil, apierr.BadParameter("move_after_id, move_before_id are missing, at least one parameter must be provided")
	}
	err = s.store.Issues.Reorder(ctx, row.Project.ID, found.Issue.ID, req.Body.MoveAfterID, req.Body.MoveBeforeID)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, row, found.Issue.IID)
	return gen.UpdateProjectIssueReorder200JSONResponse(shown), err
}
