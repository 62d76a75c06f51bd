package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/store"
)

// ListGroupProjects lists the projects of a group.
// GET /groups/{id}/projects
func (p *Projects) ListGroupProjects(
	ctx context.Context, req gen.ListGroupProjectsRequestObject,
) (gen.ListGroupProjectsResponseObject, error) {
	group, _, err := p.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	q := req.Params
	f := store.ProjectFilter{NamespaceID: &group.ID}
	if wire.Value(q.IncludeSubgroups) {
		f.Below = &group.ID
	}
	if q.WithShared == nil || *q.WithShared {
		f.SharedWith = &group.ID
	}
	rows, headers, err := p.list(ctx, commonParams(q), f)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupProjects200JSONResponse{Body: rows, Headers: gen.ListGroupProjects200ResponseHeaders(headers)}, nil
}

// commonParams returns the parameters that all lists of projects share.
func commonParams(q gen.ListGroupProjectsParams) gen.ListProjectsParams {
	return gen.ListProjectsParams{
		Search: q.Search, SearchNamespaces: q.SearchNamespaces, Owned: q.Owned, Membership: q.Membership, Starred: q.Starred,
		Visibility: q.Visibility, Archived: q.Archived, Simple: q.Simple, MinAccessLevel: q.MinAccessLevel, Topic: q.Topic,
		WithIssuesEnabled: q.WithIssuesEnabled, WithMergeRequestsEnabled: q.WithMergeRequestsEnabled,
		WithProgrammingLanguage: q.WithProgrammingLanguage, IDAfter: q.IDAfter, IDBefore: q.IDBefore,
		LastActivityAfter: q.LastActivityAfter, LastActivityBefore: q.LastActivityBefore,
		RepositoryStorage: q.RepositoryStorage, CustomAttributes: q.CustomAttributes,
		WithCustomAttributes: q.WithCustomAttributes, Statistics: q.Statistics, OrderBy: q.OrderBy, Sort: q.Sort,
		Pagination: q.Pagination, Page: q.Page, PerPage: q.PerPage,
	}
}

// ListGroupProjectsShared lists the projects that are shared with a group.
// GET /groups/{id}/projects/shared
func (p *Projects) ListGroupProjectsShared(
	ctx context.Context, req gen.ListGroupProjectsSharedRequestObject,
) (gen.ListGroupProjectsSharedResponseObject, error) {
	group, _, err := p.access.Group(ctx, req.ID, access.ReadGroup)
	if err != nil {
		return nil, err
	}
	rows, headers, err := p.list(ctx, gen.ListProjectsParams(req.Params), store.ProjectFilter{SharedWith: &group.ID})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupProjectsShared200JSONResponse{
		Body: rows, Headers: gen.ListGroupProjectsShared200ResponseHeaders(headers),
	}, nil
}
