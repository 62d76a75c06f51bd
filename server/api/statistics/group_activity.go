package statistics

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// recent is how far back the activity of a group is counted.
const recent = 90 * 24 * time.Hour

// GetAnalyticsGroupActivityIssuesCount counts the new issues of a group.
// GET /analytics/group_activity/issues_count
func (s *Statistics) GetAnalyticsGroupActivityIssuesCount(
	ctx context.Context, req gen.GetAnalyticsGroupActivityIssuesCountRequestObject,
) (gen.GetAnalyticsGroupActivityIssuesCountResponseObject, error) {
	g, since, err := s.activityOf(ctx, req.Params.GroupPath)
	if err != nil {
		return nil, err
	}
	f := store.IssueFilter{IssuableFilter: store.IssuableFilter{CreatedAfter: &since}}
	opened, closed, err := s.store.Issues.Count(ctx, store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}, f)
	if err != nil {
		return nil, err
	}
	return gen.GetAnalyticsGroupActivityIssuesCount200JSONResponse{IssuesCount: opened + closed}, nil
}

// GetAnalyticsGroupActivityMergeRequestsCount counts the new merge requests of a group.
// GET /analytics/group_activity/merge_requests_count
func (s *Statistics) GetAnalyticsGroupActivityMergeRequestsCount(
	ctx context.Context, req gen.GetAnalyticsGroupActivityMergeRequestsCountRequestObject,
) (gen.GetAnalyticsGroupActivityMergeRequestsCountResponseObject, error) {
	g, since, err := s.activityOf(ctx, req.Params.GroupPath)
	if err != nil {
		return nil, err
	}
	n, err := s.store.MergeRequests.CountNew(ctx, store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}, since)
	if err != nil {
		return nil, err
	}
	return gen.GetAnalyticsGroupActivityMergeRequestsCount200JSONResponse{MergeRequestsCount: n}, nil
}

// GetAnalyticsGroupActivityNewMembersCount counts the new members of a group.
// GET /analytics/group_activity/new_members_count
func (s *Statistics) GetAnalyticsGroupActivityNewMembersCount(
	ctx context.Context, req gen.GetAnalyticsGroupActivityNewMembersCountRequestObject,
) (gen.GetAnalyticsGroupActivityNewMembersCountResponseObject, error) {
	g, since, err := s.activityOf(ctx, req.Params.GroupPath)
	if err != nil {
		return nil, err
	}
	n, err := s.store.Members.CountNew(ctx, g.ID, since)
	if err != nil {
		return nil, err
	}
	return gen.GetAnalyticsGroupActivityNewMembersCount200JSONResponse{NewMembersCount: n}, nil
}

// activityOf returns the group with a path, if the caller can see it, and the time since which its activity counts.
func (s *Statistics) activityOf(ctx context.Context, path string) (model.Namespace, time.Time, error) {
	g, _, err := s.access.GroupAt(ctx, path, access.ReadGroup)
	return g, clock.Now(ctx).UTC().Add(-recent), err
}
