package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
)

func (s *Issues) presenter(ctx context.Context, from string, details bool) present.IssuePresenter {
	return present.IssuePresenter{Presenter: s.show, Now: clock.Now(ctx), From: from, Details: details}
}

// presentOne presents one issue, and whether the caller is subscribed to it.
func (s *Issues) presentOne(ctx context.Context, from string, r model.IssueRow) (gen.Issue, error) {
	shown := s.presenter(ctx, from, false).Issue(r)
	follows := false
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		var err error
		follows, err = s.store.Subscriptions.IsSubscribed(ctx, model.OnIssue, r.Issue.ID, actor.User.ID)
		if err != nil {
			return shown, err
		}
	}
	shown.Subscribed = &follows
	return shown, nil
}

// reload reads an issue after a change and presents it.
func (s *Issues) reload(ctx context.Context, row model.ProjectRow, iid int64) (gen.Issue, error) {
	found, err := s.issues.Get(ctx, row, iid)
	if err != nil {
		return gen.Issue{}, err
	}
	return s.presentOne(ctx, row.Project.FullPath, found)
}
