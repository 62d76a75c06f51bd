package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

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
	shown := s.presentOne(ctx, row.Project.FullPath, found)
	if found.Subscribed == want {
		return shown, false, nil
	}
	shown.Subscribed = &want
	return shown, true, s.store.Subscriptions.Set(ctx, model.OnIssue, found.Issue.ID, callerID(ctx), want)
}
