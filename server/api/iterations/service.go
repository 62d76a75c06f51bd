// Package iterations implements the API operations that list the iterations of groups.
package iterations

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Iterations are the operations on iterations.
type Iterations struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the iteration operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Iterations {
	return &Iterations{store: st, access: a, pages: pages, show: show}
}

// ListGroupIterations lists the iterations of a group.
// GET /groups/{id}/iterations
func (i *Iterations) ListGroupIterations(
	ctx context.Context, req gen.ListGroupIterationsRequestObject,
) (gen.ListGroupIterationsResponseObject, error) {
	g, _, err := i.access.Group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := i.list(ctx, g.ID, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupIterations200JSONResponse{Body: rows, Headers: gen.ListGroupIterations200ResponseHeaders(headers)}, nil
}

// ListProjectIterations lists the iterations of the groups above a project.
// GET /projects/{id}/iterations
func (i *Iterations) ListProjectIterations(
	ctx context.Context, req gen.ListProjectIterationsRequestObject,
) (gen.ListProjectIterationsResponseObject, error) {
	row, err := i.access.Project(ctx, req.ID, access.ReadMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := i.list(ctx, row.Project.NamespaceID, gen.ListGroupIterationsParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIterations200JSONResponse{Body: rows, Headers: gen.ListProjectIterations200ResponseHeaders(headers)}, nil
}

// list returns one page of the iterations of a namespace.
func (i *Iterations) list(
	ctx context.Context, namespaceID int64, q gen.ListGroupIterationsParams,
) ([]gen.Iteration, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, i.pages, "Iteration", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f := store.IterationFilter{
		Search: wire.Value(q.Search), Ancestors: q.IncludeAncestors == nil || *q.IncludeAncestors,
		UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
	}
	if q.State != nil && *q.State != gen.IterationStateFilterAll {
		f.State = string(*q.State)
	}
	rows, total, err := i.store.Iterations.List(ctx, namespaceID, f, window.Page)
	now := clock.Now(ctx)
	return present.All(rows, func(r model.IterationRow) gen.Iteration { return i.show.Iteration(r, now) }), window.Headers(total), err
}
