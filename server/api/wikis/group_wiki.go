package wikis

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// ListGroupWikis lists the pages of a group's wiki.
// GET /groups/{id}/wikis
func (w *Wikis) ListGroupWikis(ctx context.Context, req gen.ListGroupWikisRequestObject) (gen.ListGroupWikisResponseObject, error) {
	in, err := w.group(ctx, req.ID, access.ReadGroupWiki)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := w.list(ctx, in, query{p.Pagination, p.Page, p.PerPage, p.WithContent})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupWikis200JSONResponse{Body: rows, Headers: gen.ListGroupWikis200ResponseHeaders(headers)}, nil
}

// CreateGroupWiki creates a page in a group's wiki.
// POST /groups/{id}/wikis
func (w *Wikis) CreateGroupWiki(ctx context.Context, req gen.CreateGroupWikiRequestObject) (gen.CreateGroupWikiResponseObject, error) {
	in, err := w.group(ctx, req.ID, access.CreateGroupWiki)
	if err != nil {
		return nil, err
	}
	made, err := w.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupWiki201JSONResponse(made), nil
}

// GetGroupWiki shows a page of a group's wiki.
// GET /groups/{id}/wikis/{slug}
func (w *Wikis) GetGroupWiki(ctx context.Context, req gen.GetGroupWikiRequestObject) (gen.GetGroupWikiResponseObject, error) {
	in, err := w.group(ctx, req.ID, access.ReadGroupWiki)
	if err != nil {
		return nil, err
	}
	shown, err := w.get(ctx, in, req.Slug, req.Params.Version, req.Params.RenderHTML)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupWiki200JSONResponse(shown), nil
}

// UpdateGroupWiki changes a page of a group's wiki.
// PUT /groups/{id}/wikis/{slug}
func (w *Wikis) UpdateGroupWiki(ctx context.Context, req gen.UpdateGroupWikiRequestObject) (gen.UpdateGroupWikiResponseObject, error) {
	in, err := w.group(ctx, req.ID, access.CreateGroupWiki)
	if err != nil {
		return nil, err
	}
	changed, err := w.update(ctx, in, req.Slug, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupWiki200JSONResponse(changed), nil
}

// DeleteGroupWiki deletes a page of a group's wiki.
// DELETE /groups/{id}/wikis/{slug}
func (w *Wikis) DeleteGroupWiki(ctx context.Context, req gen.DeleteGroupWikiRequestObject) (gen.DeleteGroupWikiResponseObject, error) {
	in, err := w.group(ctx, req.ID, access.CreateGroupWiki)
	if err != nil {
		return nil, err
	}
	if err := w.wikis.Delete(ctx, in, req.Slug, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroupWiki204Response{}, nil
}
