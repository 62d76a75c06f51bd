package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store"
)

// ListUserProjects lists the projects in a user's own namespace.
// GET /users/{user_id}/projects
func (p *Projects) ListUserProjects(
	ctx context.Context, req gen.ListUserProjectsRequestObject,
) (gen.ListUserProjectsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserProjects); err != nil {
		return nil, err
	}
	user, err := access.FindUser(ctx, p.store, req.UserID)
	if err != nil {
		return nil, err
	}
	own := int64(0) // no namespace has this id
	if user.NamespaceID != nil {
		own = *user.NamespaceID
	}
	rows, headers, err := p.list(ctx, gen.ListProjectsParams(req.Params), store.ProjectFilter{NamespaceID: &own})
	if err != nil {
		return nil, err
	}
	return gen.ListUserProjects200JSONResponse{Body: rows, Headers: gen.ListUserProjects200ResponseHeaders(headers)}, nil
}

// ListUserStarredProjects lists the projects that a user has starred.
// GET /users/{user_id}/starred_projects
func (p *Projects) ListUserStarredProjects(
	ctx context.Context, req gen.ListUserStarredProjectsRequestObject,
) (gen.ListUserStarredProjectsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserProjects); err != nil {
		return nil, err
	}
	user, err := access.Profile(ctx, p.store, req.UserID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.list(ctx, gen.ListProjectsParams(req.Params), store.ProjectFilter{StarredBy: &user.ID})
	if err != nil {
		return nil, err
	}
	return gen.ListUserStarredProjects200JSONResponse{
		Body: rows, Headers: gen.ListUserStarredProjects200ResponseHeaders(headers),
	}, nil
}

// ListUserContributedProjects lists the projects that a user has pushed to.
// GET /users/{user_id}/contributed_projects
func (p *Projects) ListUserContributedProjects(
	ctx context.Context, req gen.ListUserContributedProjectsRequestObject,
) (gen.ListUserContributedProjectsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserProjects); err != nil {
		return nil, err
	}
	user, err := access.Profile(ctx, p.store, req.UserID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.list(ctx, gen.ListProjectsParams(req.Params), store.ProjectFilter{ContributedBy: &user.ID})
	if err != nil {
		return nil, err
	}
	return gen.ListUserContributedProjects200JSONResponse{
		Body: rows, Headers: gen.ListUserContributedProjects200ResponseHeaders(headers),
	}, nil
}
