package issues

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
)

// count counts issues by state.
func (s *Issues) count(
	ctx context.Context, scope store.IssuableScope, q gen.GetIssuesStatisticsParams, whose gen.ListScope,
) (gen.IssuesStatistics, error) {
	f, err := filter(ctx, listParams(q), whose)
	if err != nil {
		return gen.IssuesStatistics{}, err
	}
	scope.NonArchived = true
	opened, closed, err := s.store.Issues.Count(ctx, scope, f)
	return gen.IssuesStatistics{Statistics: gen.IssuesStatisticsCounts{Counts: gen.IssueCounts{
		All: opened + closed, Closed: closed, Opened: opened,
	}}}, err
}

// listParams converts the parameters of the statistics into those of a list.
func listParams(q gen.GetIssuesStatisticsParams) gen.ListIssuesParams {
	return gen.ListIssuesParams{
		Labels: q.Labels, Milestone: q.Milestone, MilestoneID: q.MilestoneID, Scope: q.Scope, AuthorID: q.AuthorID,
		AuthorUsername: q.AuthorUsername,
		AssigneeID:     q.AssigneeID, AssigneeUsername: q.AssigneeUsername, MyReactionEmoji: q.MyReactionEmoji,
		Search: q.Search, In: q.In, Iids: q.Iids,
		CreatedAfter: q.CreatedAfter, CreatedBefore: q.CreatedBefore, UpdatedAfter: q.UpdatedAfter,
		UpdatedBefore: q.UpdatedBefore, Confidential: q.Confidential, Not: q.Not,
	}
}

// GetIssuesStatistics counts the issues of all projects that the caller can see.
// GET /issues_statistics
func (s *Issues) GetIssuesStatistics(
	ctx context.Context, req gen.GetIssuesStatisticsRequestObject,
) (gen.GetIssuesStatisticsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadIssues); err != nil {
		return nil, err
	}
	counts, err := s.count(ctx, store.IssuableScope{Reader: access.Reader(ctx)}, req.Params, gen.ListScopeCreatedByMe)
	if err != nil {
		return nil, err
	}
	return gen.GetIssuesStatistics200JSONResponse(counts), nil
}

// GetGroupIssuesStatistics counts the issues of the projects in a group and its subgroups.
// GET /groups/{id}/issues_statistics
func (s *Issues) GetGroupIssuesStatistics(
	ctx context.Context, req gen.GetGroupIssuesStatisticsRequestObject,
) (gen.GetGroupIssuesStatisticsResponseObject, error) {
	g, _, err := s.access.Group(ctx, req.ID, access.ReadGroupIssue)
	if err != nil {
		return nil, err
	}
	scope := store.IssuableScope{GroupID: &g.ID, Reader: access.Reader(ctx)}
	counts, err := s.count(ctx, scope, gen.GetIssuesStatisticsParams(req.Params), gen.ListScopeAll)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupIssuesStatistics200JSONResponse(counts), nil
}

// GetProjectIssuesStatistics counts the issues of a project.
// GET /projects/{id}/issues_statistics
func (s *Issues) GetProjectIssuesStatistics(
	ctx context.Context, req gen.GetProjectIssuesStatisticsRequestObject,
) (gen.GetProjectIssuesStatisticsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadIssue)
	if err != nil {
		return nil, err
	}
	scope := store.InProject(row, access.Reader(ctx))
	counts, err := s.count(ctx, scope, gen.GetIssuesStatisticsParams(req.Params), gen.ListScopeAll)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssuesStatistics200JSONResponse(counts), nil
}
