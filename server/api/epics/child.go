package epics

import (
	"context"

	"svc/gen"
	"svc/server/domain/epic"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListGroupEpicEpics lists the child epics of an epic.
// GET /groups/{id}/epics/{epic_iid}/epics
func (s *Epics) ListGroupEpicEpics(
	ctx context.Context, req gen.ListGroupEpicEpicsRequestObject,
) (gen.ListGroupEpicEpicsResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	rows, headers, err := s.children(ctx, g, found, req.Params)
	return gen.ListGroupEpicEpics200JSONResponse{
		Body: rows, Headers: gen.ListGroupEpicEpics200ResponseHeaders(headers),
	}, err
}

// children returns one page of the child epics of an epic.
func (s *Epics) children(
	ctx context.Context, g model.Namespace, of model.EpicRow, q gen.ListGroupEpicEpicsParams,
) ([]gen.Epic, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, s.pages, "Epic", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.Epics.Children(ctx, of.Epic.ID, access.Reader(ctx), window.Page)
	return present.All(rows, s.show.Epic(g.FullPath, false)), window.Headers(total), err
}

// CreateGroupEpicEpic creates a child epic.
// POST /groups/{id}/epics/{epic_iid}/epics
func (s *Epics) CreateGroupEpicEpic(
	ctx context.Context, req gen.CreateGroupEpicEpicRequestObject,
) (gen.CreateGroupEpicEpicResponseObject, error) {
	g, role, err := s.group(ctx, req.ID, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	parent, err := s.epics.Get(ctx, g, req.EpicIid)
	if err != nil {
		return nil, err
	}
	n := epic.New{Title: req.Body.Title, Confidential: parent.Epic.Confidential, ParentID: &parent.Epic.ID}
	if req.Body.Confidential != nil {
		n.Confidential = *req.Body.Confidential
	}
	made, err := s.epics.Create(ctx, g, role, n)
	if err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, g.FullPath, made.ID)
	return gen.CreateGroupEpicEpic201JSONResponse(shown), err
}

// findBoth finds an epic and, by its ID, another one, both of which the caller may change.
func (s *Epics) findBoth(
	ctx context.Context, ref string, iid, childID int64,
) (g model.Namespace, parent, child model.EpicRow, err error) {
	g, parent, err = s.find(ctx, ref, iid, access.AdminEpic)
	if err == nil {
		child, err = s.epics.GetToChange(ctx, childID)
	}
	return g, parent, child, err
}

// AssignGroupEpicEpic makes an epic the child of another epic.
// POST /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}
func (s *Epics) AssignGroupEpicEpic(
	ctx context.Context, req gen.AssignGroupEpicEpicRequestObject,
) (gen.AssignGroupEpicEpicResponseObject, error) {
	g, parent, child, err := s.findBoth(ctx, req.ID, req.EpicIid, req.ChildEpicID)
	if err != nil {
		return nil, err
	}
	if err := s.epics.Assign(ctx, parent, child); err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, g.FullPath, child.Epic.ID)
	return gen.AssignGroupEpicEpic201JSONResponse(shown), err
}

// UpdateGroupEpicEpic moves a child epic in the order of its parent.
// PUT /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}
func (s *Epics) UpdateGroupEpicEpic(
	ctx context.Context, req gen.UpdateGroupEpicEpicRequestObject,
) (gen.UpdateGroupEpicEpicResponseObject, error) {
	g, parent, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	to := epic.Place{Before: req.Body.MoveBeforeID, After: req.Body.MoveAfterID}
	if err := s.epics.MoveChild(ctx, parent, req.ChildEpicID, to); err != nil {
		return nil, err
	}
	rows, headers, err := s.children(ctx, g, parent, gen.ListGroupEpicEpicsParams(req.Params))
	return gen.UpdateGroupEpicEpic200JSONResponse{
		Body: rows, Headers: gen.UpdateGroupEpicEpic200ResponseHeaders(headers),
	}, err
}

// UnassignGroupEpicEpic removes a child epic from its parent.
// DELETE /groups/{id}/epics/{epic_iid}/epics/{child_epic_id}
func (s *Epics) UnassignGroupEpicEpic(
	ctx context.Context, req gen.UnassignGroupEpicEpicRequestObject,
) (gen.UnassignGroupEpicEpicResponseObject, error) {
	g, parent, child, err := s.findBoth(ctx, req.ID, req.EpicIid, req.ChildEpicID)
	if err != nil {
		return nil, err
	}
	if child.Epic.ParentID == nil || *child.Epic.ParentID != parent.Epic.ID {
		return nil, apierr.RecordNotFound()
	}
	if store.ChangedAfter(child.Epic.UpdatedAt, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)) {
		return nil, &store.ChangedError{Resource: "Epic"}
	}
	if err := s.epics.Unassign(ctx, child); err != nil {
		return nil, err
	}
	shown, err := s.reload(ctx, g.FullPath, child.Epic.ID)
	return gen.UnassignGroupEpicEpic200JSONResponse(shown), err
}
