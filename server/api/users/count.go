package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// GetUserAssociationsCount counts the groups and projects of a user, and the issues and merge requests that the user
// created.
// GET /users/{id}/associations_count
func (u *Users) GetUserAssociationsCount(
	ctx context.Context, req gen.GetUserAssociationsCountRequestObject,
) (gen.GetUserAssociationsCountResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadUserAssociations)
	if err != nil {
		return nil, err
	}
	row, err := u.store.Users.Get(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if row.ID != actor.User.ID && !actor.User.Admin {
		return nil, apierr.Forbidden()
	}
	groups, projects, err := u.store.Members.CountByUser(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	issues, requests, err := u.store.Issues.CountCreated(ctx, row.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetUserAssociationsCount200JSONResponse{
		GroupsCount: groups, ProjectsCount: projects, IssuesCount: issues, MergeRequestsCount: requests,
	}, nil
}

// GetUserCounts counts the issues, merge requests, reviews and to-do items that wait for the caller.
// GET /user_counts
func (u *Users) GetUserCounts(
	ctx context.Context, _ gen.GetUserCountsRequestObject,
) (gen.GetUserCountsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadSelf); err != nil {
		return nil, err
	}
	reader := access.Reader(ctx)
	assigned, err := u.store.Issues.CountAssigned(ctx, reader)
	if err != nil {
		return nil, err
	}
	waiting, err := u.store.Todos.Count(ctx, *reader)
	if err != nil {
		return nil, err
	}
	merges, reviews, err := u.store.Issues.CountMergeRequests(ctx, reader)
	if err != nil {
		return nil, err
	}
	return gen.GetUserCounts200JSONResponse{
		AssignedIssues: assigned, Todos: waiting, AssignedMergeRequests: merges, ReviewRequestedMergeRequests: reviews,
		MergeRequests: merges,
	}, nil
}
