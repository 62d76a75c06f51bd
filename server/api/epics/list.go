package epics

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListGroupEpics lists the epics of a group.
// GET /groups/{id}/epics
func (s *Epics) ListGroupEpics(
	ctx context.Context, req gen.ListGroupEpicsRequestObject,
) (gen.ListGroupEpicsResponseObject, error) {
	g, _, err := s.group(ctx, req.ID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, s.pages, "Epic", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Epics.List(ctx, g.ID, filter(q), access.Reader(ctx), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpics200JSONResponse{
		Body:    present.All(rows, s.show.Epic(g.FullPath, wire.Value(q.WithLabelsDetails))),
		Headers: gen.ListGroupEpics200ResponseHeaders(window.Headers(total)),
	}, nil
}

// filter reads the filter and the order of a list of epics.
func filter(q gen.ListGroupEpicsParams) store.EpicFilter {
	f := store.EpicFilter{
		Confidential: q.Confidential, Ancestors: wire.Value(q.IncludeAncestorGroups),
		Descendants: q.IncludeDescendantGroups == nil || *q.IncludeDescendantGroups,
	}
	f.IssuableFilter = store.IssuableFilter{
		AuthorID: q.AuthorID, Author: wire.Value(q.AuthorUsername), Search: wire.Value(q.Search),
		Emoji:        wire.Value(q.MyReactionEmoji),
		CreatedAfter: q.CreatedAfter.Std(), CreatedBefore: q.CreatedBefore.Std(),
		UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
		Asc: q.Sort != nil && *q.Sort == gen.SortAsc,
	}
	if q.Labels != nil {
		f.Labels = *q.Labels
	}
	if q.Iids != nil {
		f.IIDs = *q.Iids
	}
	if q.State != nil && *q.State != gen.EpicStateFilterAll {
		f.State = string(*q.State)
	}
	if q.OrderBy != nil {
		f.OrderBy = string(*q.OrderBy)
	}
	return f
}
