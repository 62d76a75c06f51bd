package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

var kind = pagination.Kind{Name: "Project", Keyset: true}

// ListProjects lists the projects that the caller can see.
// GET /projects
func (p *Projects) ListProjects(ctx context.Context, req gen.ListProjectsRequestObject) (gen.ListProjectsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadProjects); err != nil {
		return nil, err
	}
	if q := req.Params; !wire.Value(q.Statistics) && !wire.Value(q.WithCustomAttributes) {
		rows, headers, err := p.rows(ctx, q, store.ProjectFilter{})
		return cachedList{cache: p.cache, rows: rows, simple: p.simple(ctx, q), headers: headers}, err
	}
	rows, headers, err := p.list(ctx, req.Params, store.ProjectFilter{})
	if err != nil {
		return nil, err
	}
	return gen.ListProjects200JSONResponse{Body: rows, Headers: gen.ListProjects200ResponseHeaders(headers)}, nil
}

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
		LastActivityAfter: q.LastActivityAfter, LastActivityBefore: q.LastActivityBefore, RepositoryStorage: q.RepositoryStorage,
		CustomAttributes: q.CustomAttributes, WithCustomAttributes: q.WithCustomAttributes, Statistics: q.Statistics,
		OrderBy: q.OrderBy, Sort: q.Sort, Pagination: q.Pagination, Page: q.Page, PerPage: q.PerPage,
	}
}

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
	return gen.ListUserStarredProjects200JSONResponse{Body: rows, Headers: gen.ListUserStarredProjects200ResponseHeaders(headers)}, nil
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
	return gen.ListGroupProjectsShared200JSONResponse{Body: rows, Headers: gen.ListGroupProjectsShared200ResponseHeaders(headers)}, nil
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

// list returns one page of the projects that match both the query parameters and the filter.
func (p *Projects) list(ctx context.Context, q gen.ListProjectsParams, f store.ProjectFilter) ([]gen.Project, pagination.Headers, error) {
	rows, headers, err := p.rows(ctx, q, f)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	show := p.show.Project
	if p.simple(ctx, q) {
		show = p.show.ProjectSimple
	}
	if wire.Value(q.Statistics) {
		show = withStatistics(show)
	}
	shown := present.All(rows, show)
	return shown, headers, p.attach(ctx, shown, q.WithCustomAttributes)
}

// simple reports whether the list uses the simple form of a project.
func (*Projects) simple(ctx context.Context, q gen.ListProjectsParams) bool {
	return wire.Value(q.Simple) || reqctx.Of(ctx).Actor == nil
}

func (p *Projects) rows(
	ctx context.Context, q gen.ListProjectsParams, f store.ProjectFilter,
) ([]model.ProjectRow, pagination.Headers, error) {
	f = filterFrom(ctx, f, q)
	order := store.ProjectOrder{Column: "created_at", Desc: true}
	if q.OrderBy != nil {
		order.Column = string(*q.OrderBy)
	}
	if q.Sort != nil {
		order.Desc = *q.Sort == gen.SortDesc
	}
	if q.Pagination != nil && *q.Pagination == gen.PaginationKeyset {
		return p.listByKeyset(ctx, f, order, q.PerPage)
	}
	window, err := p.pages.Offset(ctx, kind, q.Page, q.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := p.store.Projects.List(ctx, f, order, access.Reader(ctx), window.Page)
	return rows, window.Headers(total), err
}

// withStatistics adds the statistics of a project, if the caller is at least a reporter there.
func withStatistics(show func(model.ProjectRow) gen.Project) func(model.ProjectRow) gen.Project {
	return func(row model.ProjectRow) gen.Project {
		shown := show(row)
		if row.Role() >= model.Reporter {
			shown.Statistics = present.ProjectStatistics(row.Project)
		}
		return shown
	}
}

// listByKeyset implements keyset pagination: the link to the next page has the last id as id_after or id_before.
func (p *Projects) listByKeyset(
	ctx context.Context, f store.ProjectFilter, o store.ProjectOrder, size *int64,
) ([]model.ProjectRow, pagination.Headers, error) {
	if o.Column != "id" {
		return nil, pagination.Headers{}, apierr.NoKeyset()
	}
	cursor, err := pagination.Keyset(
		ctx, pagination.Order{Column: "id", Desc: o.Desc},
		[]pagination.Order{{Column: "id"}, {Column: "id", Desc: true}}, size, nil,
	)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, more, err := p.store.Projects.After(ctx, f, access.Reader(ctx), cursor.Keyset)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	var last int64
	if len(rows) > 0 {
		last = rows[len(rows)-1].Project.ID
	}
	return rows, cursor.HeadersByID(more, last), nil
}

// filterFrom adds the query parameters to a filter.
func filterFrom(ctx context.Context, f store.ProjectFilter, q gen.ListProjectsParams) store.ProjectFilter {
	actor := reqctx.Of(ctx).Actor
	if q.Search != nil {
		f.Search, f.SearchNamespaces = *q.Search, wire.Value(q.SearchNamespaces)
	}
	if wire.Value(q.Membership) {
		f.MinAccess = model.Guest
	}
	if q.MinAccessLevel != nil {
		f.MinAccess = max(f.MinAccess, model.Access(*q.MinAccessLevel))
	}
	if wire.Value(q.Owned) {
		f.MinAccess = model.Owner
	}
	if wire.Value(q.Starred) {
		f.StarredBy = new(int64) // no user has this id, so an anonymous caller gets an empty list
		if actor != nil {
			f.StarredBy = &actor.User.ID
		}
	}
	if q.Visibility != nil {
		only := visibility(*q.Visibility)
		f.Visibility = &only
	}
	if q.Topic != nil {
		f.Topics = *q.Topic
	}
	f.Language = wire.Value(q.WithProgrammingLanguage)
	if actor != nil && actor.User.Admin {
		f.Storage, f.CustomAttributes = wire.Value(q.RepositoryStorage), attributes(q.CustomAttributes)
	}
	f.Archived, f.WithIssues, f.WithMerges = q.Archived, q.WithIssuesEnabled, q.WithMergeRequestsEnabled
	f.IDAfter, f.IDBefore = q.IDAfter, q.IDBefore
	f.ActiveAfter, f.ActiveBefore = q.LastActivityAfter.Std(), q.LastActivityBefore.Std()
	return f
}

func attributes(given *gen.ProjectCustomAttributes) map[string]string {
	if given == nil {
		return nil
	}
	return *given
}
