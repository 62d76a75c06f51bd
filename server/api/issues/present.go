package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

func (s *Issues) presenter(ctx context.Context, from string, details bool) present.IssuePresenter {
	return present.IssuePresenter{Presenter: s.show, Now: clock.Now(ctx), From: from, Details: details}
}

// presentOne presents a single issue.
func (s *Issues) presentOne(ctx context.Context, from string, r model.IssueRow) gen.Issue {
	shown := s.presenter(ctx, from, false).Issue(r)
	shown.Subscribed = &r.Subscribed
	return shown
}

// reload reads an issue after a change and presents it.
func (s *Issues) reload(ctx context.Context, row model.ProjectRow, iid int64) (gen.Issue, error) {
	found, err := s.issues.Get(ctx, row, iid)
	if err != nil {
		return gen.Issue{}, err
	}
	return s.presentOne(ctx, row.Project.FullPath, found), nil
}
