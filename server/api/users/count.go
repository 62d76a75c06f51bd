package users

import (
	"context"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
)

// GetUserAssociationsCount counts what a user belongs to. Issues and merge requests are not there yet.
// GET /users/{id}/associations_count
func (u *Users) GetUserAssociationsCount(ctx context.Context, req gen.GetUserAssociationsCountRequestObject) (gen.GetUserAssociationsCountResponseObject, error) {
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
	return gen.GetUserAssociationsCount200JSONResponse{GroupsCount: groups, ProjectsCount: projects}, nil
}

// GetUserCounts counts what waits for the caller. Issues, merge requests and to-do items are not there yet, so nothing does.
// GET /user_counts
func (u *Users) GetUserCounts(ctx context.Context, _ gen.GetUserCountsRequestObject) (gen.GetUserCountsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadSelf); err != nil {
		return nil, err
	}
	return gen.GetUserCounts200JSONResponse{}, nil
}
