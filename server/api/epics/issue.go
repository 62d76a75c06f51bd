package epics

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/domain/epic"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
)

// ListGroupEpicIssues lists the issues of an epic.
// GET /groups/{id}/epics/{epic_iid}/issues
func (s *Epics) ListGroupEpicIssues(
	ctx context.Context, req gen.ListGroupEpicIssuesRequestObject,
) (gen.ListGroupEpicIssuesResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.issues(ctx, g, found, req.Params)
	return gen.ListGroupEpicIssues200JSONResponse{
		Body: rows, Headers: gen.ListGroupEpicIssues200ResponseHeaders(headers),
	}, err
}

// issues returns one page of the issues of an epic.
func (s *Epics) issues(
	ctx context.Context, g model.Namespace, of model.EpicRow, q gen.ListGroupEpicIssuesParams,
) ([]gen.EpicIssue, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, s.pages, "Issue", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.Epics.Issues(ctx, of.Epic.ID, access.Reader(ctx), window.Page)
	return present.All(rows, s.issuePresenter(ctx, g).AssignedIssue), window.Headers(total), err
}

func (s *Epics) issuePresenter(ctx context.Context, g model.Namespace) present.IssuePresenter {
	return present.IssuePresenter{Presenter: s.show, Now: clock.Now(ctx), From: g.FullPath}
}

// issueToChange finds an issue by its ID and requires that the caller may change the issues of its project.
func (s *Epics) issueToChange(ctx context.Context, id int64) (model.ProjectRow, model.IssueRow, error) {
	found, err := s.store.Issues.GetByID(ctx, id, access.Reader(ctx))
	if err != nil {
		return model.ProjectRow{}, found, apierr.OrNotFound(err)
	}
	row, err := s.access.Project(ctx, strconv.FormatInt(found.Issue.ProjectID, 10), access.AdminIssue)
	return row, found, err
}

// CreateGroupEpicIssue assigns an issue to an epic.
// POST /groups/{id}/epics/{epic_iid}/issues/{epic_issue_id}
func (s *Epics) CreateGroupEpicIssue(
	ctx context.Context, req gen.CreateGroupEpicIssueRequestObject,
) (gen.CreateGroupEpicIssueResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	project, issue, err := s.issueToChange(ctx, req.EpicIssueID)
	if err != nil {
		return nil, err
	}
	if issue.EpicID != nil {
		if *issue.EpicID == found.Epic.ID {
			return nil, apierr.Conflict("Issue(s) already assigned")
		}
		if _, err := s.epics.GetToChange(ctx, *issue.EpicID); err != nil {
			return nil, err
		}
	}
	made, err := s.epics.AssignIssue(ctx, found, project.Project, issue.Issue)
	if err != nil {
		return nil, err
	}
	shown, err := s.assignment(ctx, g, found, made)
	return gen.CreateGroupEpicIssue201JSONResponse(shown), err
}

// assignment presents the assignment of an issue to an epic, with the issue as it is now.
func (s *Epics) assignment(
	ctx context.Context, g model.Namespace, to model.EpicRow, a model.EpicIssue,
) (gen.EpicIssueAssignment, error) {
	issue, err := s.store.Issues.GetByID(ctx, a.IssueID, access.Reader(ctx))
	return gen.EpicIssueAssignment{
		ID: a.ID, Epic: s.show.Epic(g.FullPath, false)(to), Issue: s.issuePresenter(ctx, g).Issue(issue),
	}, err
}

// UpdateGroupEpicIssue moves an issue in the order of its epic.
// PUT /groups/{id}/epics/{epic_iid}/issues/{epic_issue_id}
func (s *Epics) UpdateGroupEpicIssue(
	ctx context.Context, req gen.UpdateGroupEpicIssueRequestObject,
) (gen.UpdateGroupEpicIssueResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	to := epic.Place{Before: req.Body.MoveBeforeID, After: req.Body.MoveAfterID}
	if err := s.epics.MoveIssue(ctx, found, req.EpicIssueID, to); err != nil {
		return nil, err
	}
	rows, headers, err := s.issues(ctx, g, found, gen.ListGroupEpicIssuesParams(req.Params))
	return gen.UpdateGroupEpicIssue200JSONResponse{
		Body: rows, Headers: gen.UpdateGroupEpicIssue200ResponseHeaders(headers),
	}, err
}

// DeleteGroupEpicIssue removes an issue from an epic.
// DELETE /groups/{id}/epics/{epic_iid}/issues/{epic_issue_id}
func (s *Epics) DeleteGroupEpicIssue(
	ctx context.Context, req gen.DeleteGroupEpicIssueRequestObject,
) (gen.DeleteGroupEpicIssueResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	assigned, err := s.store.Epics.Assignment(ctx, found.Epic.ID, req.EpicIssueID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	project, issue, err := s.issueToChange(ctx, assigned.IssueID)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := s.epics.RemoveIssue(ctx, found, project.Project, issue.Issue, assigned.ID, since); err != nil {
		return nil, err
	}
	shown, err := s.assignment(ctx, g, found, assigned)
	return gen.DeleteGroupEpicIssue200JSONResponse(shown), err
}
