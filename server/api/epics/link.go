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

// ListGroupEpicRelatedEpics lists the linked epics of an epic.
// GET /groups/{id}/epics/{epic_iid}/related_epics
func (s *Epics) ListGroupEpicRelatedEpics(
	ctx context.Context, req gen.ListGroupEpicRelatedEpicsRequestObject,
) (gen.ListGroupEpicRelatedEpicsResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.EpicLinks.List(ctx, found.Epic.ID, access.Reader(ctx), epic.MaxLinks)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupEpicRelatedEpics200JSONResponse(present.All(rows, s.show.LinkedEpic(g.FullPath))), nil
}

// CreateGroupEpicRelatedEpic links two epics.
// POST /groups/{id}/epics/{epic_iid}/related_epics
func (s *Epics) CreateGroupEpicRelatedEpic(
	ctx context.Context, req gen.CreateGroupEpicRelatedEpicRequestObject,
) (gen.CreateGroupEpicRelatedEpicResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	_, other, err := s.find(ctx, req.Body.TargetGroupID, req.Body.TargetEpicIid, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	kind := model.RelatesTo
	if req.Body.LinkType != nil {
		kind = string(*req.Body.LinkType)
	}
	link, err := s.epics.Link(ctx, found, other, kind)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupEpicRelatedEpic201JSONResponse(s.show.EpicLink(g.FullPath, link, kind, found, other)), nil
}

// DeleteGroupEpicRelatedEpic removes a link of an epic.
// DELETE /groups/{id}/epics/{epic_iid}/related_epics/{related_epic_link_id}
func (s *Epics) DeleteGroupEpicRelatedEpic(
	ctx context.Context, req gen.DeleteGroupEpicRelatedEpicRequestObject,
) (gen.DeleteGroupEpicRelatedEpicResponseObject, error) {
	g, found, err := s.find(ctx, req.ID, req.EpicIid, access.AdminEpic)
	if err != nil {
		return nil, err
	}
	link, err := s.store.EpicLinks.Get(ctx, found.Epic.ID, req.RelatedEpicLinkID)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	other, err := s.store.Epics.GetByID(ctx, link.SourceID+link.TargetID-found.Epic.ID, access.Reader(ctx))
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	if err := s.epics.Unlink(ctx, found, other, link.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, apierr.OrNotFound(err)
	}
	shown := s.show.EpicLink(g.FullPath, link, link.KindFrom(found.Epic.ID), found, other)
	return gen.DeleteGroupEpicRelatedEpic200JSONResponse(shown), nil
}

// ListGroupRelatedEpicLinks lists the links of the epics of a group.
// GET /groups/{id}/related_epic_links
func (s *Epics) ListGroupRelatedEpicLinks(
	ctx context.Context, req gen.ListGroupRelatedEpicLinksRequestObject,
) (gen.ListGroupRelatedEpicLinksResponseObject, error) {
	g, _, err := s.group(ctx, req.ID, access.ReadEpic)
	if err != nil {
		return nil, err
	}
	q := req.Params
	window, err := pagination.OffsetOnly(ctx, s.pages, "Epic::RelatedEpicLink", q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.EpicLinks.InGroup(ctx, g.ID, store.EpicLinkFilter{
		CreatedAfter: q.CreatedAfter.Std(), CreatedBefore: q.CreatedBefore.Std(),
		UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
	}, access.Reader(ctx), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupRelatedEpicLinks200JSONResponse{
		Body: present.All(rows, func(r model.EpicLinkRow) gen.RelatedEpicLink {
			return s.show.EpicLink(g.FullPath, r.Link, r.Link.LinkType, r.Source, r.Target)
		}),
		Headers: gen.ListGroupRelatedEpicLinks200ResponseHeaders(window.Headers(total)),
	}, nil
}
