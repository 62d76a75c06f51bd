package issues

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectIssueParticipants lists the participants of an issue.
// GET /projects/{id}/issues/{issue_iid}/participants
func (s *Issues) ListProjectIssueParticipants(
	ctx context.Context, req gen.ListProjectIssueParticipantsRequestObject,
) (gen.ListProjectIssueParticipantsResponseObject, error) {
	_, found, err := s.find(ctx, req.ID, req.IssueIid, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	window, err := s.window(ctx, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Issues.Participants(ctx, model.OnIssue, found.Issue.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueParticipants200JSONResponse{
		Body: present.All(rows, s.show.UserBasic), Headers: gen.ListProjectIssueParticipants200ResponseHeaders(window.Headers(total)),
	}, nil
}

// SubscribeProjectIssue subscribes the caller to an issue.
// POST /projects/{id}/issues/{issue_iid}/subscribe
func (s *Issues) SubscribeProjectIssue(
	ctx context.Context, req gen.SubscribeProjectIssueRequestObject,
) (gen.SubscribeProjectIssueResponseObject, error) {
	shown, changed, err := s.follow(ctx, req.ID, req.IssueIid, true)
	if err != nil {
		return nil, err
	}
	if !changed {
		return unchanged{}, nil
	}
	return gen.SubscribeProjectIssue201JSONResponse(shown), nil
}

// UnsubscribeProjectIssue unsubscribes the caller from an issue.
// POST /projects/{id}/issues/{issue_iid}/unsubscribe
func (s *Issues) UnsubscribeProjectIssue(
	ctx context.Context, req gen.UnsubscribeProjectIssueRequestObject,
) (gen.UnsubscribeProjectIssueResponseObject, error) {
	shown, changed, err := s.follow(ctx, req.ID, req.IssueIid, false)
	if err != nil {
		return nil, err
	}
	if !changed {
		return unchanged{}, nil
	}
	return gen.UnsubscribeProjectIssue201JSONResponse(shown), nil
}

func (s *Issues) follow(ctx context.Context, ref string, iid int64, want bool) (gen.Issue, bool, error) {
	row, found, err := s.find(ctx, ref, iid, access.FollowIssue)
	if err != nil {
		return gen.Issue{}, false, err
	}
	shown, err := s.presentOne(ctx, row.Project.FullPath, found)
	if err != nil || *shown.Subscribed == want {
		return shown, false, err
	}
	shown.Subscribed = &want
	return shown, true, s.store.Subscriptions.Set(ctx, model.OnIssue, found.Issue.ID, callerID(ctx), want)
}

// CreateProjectIssueTodo creates a to-do for the caller about an issue.
// POST /projects/{id}/issues/{issue_iid}/todo
func (s *Issues) CreateProjectIssueTodo(
	ctx context.Context, req gen.CreateProjectIssueTodoRequestObject,
) (gen.CreateProjectIssueTodoResponseObject, error) {
	row, found, err := s.find(ctx, req.ID, req.IssueIid, access.FollowIssue)
	if err != nil {
		return nil, err
	}
	made, fresh, err := s.issuables.AddOwnTodo(ctx, issuable.IssueTarget(row.Project, found.Issue, nil), *access.Reader(ctx))
	if err != nil || !fresh {
		return unchanged{}, err
	}
	return gen.CreateProjectIssueTodo201JSONResponse(present.IssuePresenter{Presenter: s.show, Now: time.Now()}.Todo(made)), nil
}
