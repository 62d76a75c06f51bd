package labels

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectLabels lists the labels of a project.
// GET /projects/{id}/labels
func (l *Labels) ListProjectLabels(
	ctx context.Context, req gen.ListProjectLabelsRequestObject,
) (gen.ListProjectLabelsResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.ReadLabel)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := l.list(ctx, in, query{
		q.WithCounts, q.IncludeAncestorGroups, q.Search, q.Page, q.PerPage, q.Pagination,
	})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectLabels200JSONResponse{
		Body:    present.All(rows, present.Label(wire.Value(q.WithCounts))),
		Headers: gen.ListProjectLabels200ResponseHeaders(headers),
	}, nil
}

// ListGroupLabels lists the labels of a group.
// GET /groups/{id}/labels
func (l *Labels) ListGroupLabels(
	ctx context.Context, req gen.ListGroupLabelsRequestObject,
) (gen.ListGroupLabelsResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.ReadGroupLabel)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := l.list(ctx, in, query{
		q.WithCounts, q.IncludeAncestorGroups, q.Search, q.Page, q.PerPage, q.Pagination,
	})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupLabels200JSONResponse{
		Body:    present.All(rows, present.GroupLabel(wire.Value(q.WithCounts))),
		Headers: gen.ListGroupLabels200ResponseHeaders(headers),
	}, nil
}

// query holds the parameters of a list of labels.
type query struct {
	counts, ancestors *bool
	search            *string
	number, size      *int64
	paging            *gen.Pagination
}

// list returns one page of labels.
func (l *Labels) list(ctx context.Context, in owner, q query) ([]model.LabelRow, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, l.pages, "Label", q.number, q.size, q.paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	filter := store.LabelFilter{Ancestors: q.ancestors == nil || *q.ancestors, UserID: callerID(ctx)}
	if q.search != nil {
		filter.Search = *q.search
	}
	rows, total, err := l.store.Labels.List(ctx, in.ResourceOwner, filter, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	if wire.Value(q.counts) {
		if err := l.store.Labels.Count(ctx, rows, in.scope); err != nil {
			return nil, pagination.Headers{}, err
		}
	}
	return rows, window.Headers(total), nil
}
