package wikis

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// ListProjectWikis lists the pages of a project's wiki.
// GET /projects/{id}/wikis
func (w *Wikis) ListProjectWikis(ctx context.Context, req gen.ListProjectWikisRequestObject) (gen.ListProjectWikisResponseObject, error) {
	in, err := w.project(ctx, req.ID, access.ReadWiki)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := w.list(ctx, in, query{p.Pagination, p.Page, p.PerPage, p.WithContent})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectWikis200JSONResponse{Body: rows, Headers: gen.ListProjectWikis200ResponseHeaders(headers)}, nil
}

// CreateProjectWiki creates a page in a project's wiki.
// POST /projects/{id}/wikis
func (w *Wikis) CreateProjectWiki(
	ctx context.Context, req gen.CreateProjectWikiRequestObject,
) (gen.CreateProjectWikiResponseObject, error) {
	in, err := w.project(ctx, req.ID, access.CreateWiki)
	if err != nil {
		return nil, err
	}
	made, err := w.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectWiki201JSONResponse(made), nil
}

// GetProjectWiki shows a page of a project's wiki.
// GET /projects/{id}/wikis/{slug}
func (w *Wikis) GetProjectWiki(ctx context.Context, req gen.GetProjectWikiRequestObject) (gen.GetProjectWikiResponseObject, error) {
	in, err := w.project(ctx, req.ID, access.ReadWiki)
	if err != nil {
		return nil, err
	}
	shown, err := w.get(ctx, in, req.Slug, req.Params.Version, req.Params.RenderHTML)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectWiki200JSONResponse(shown), nil
}

// UpdateProjectWiki changes a page of a project's wiki.
// PUT /projects/{id}/wikis/{slug}
func (w *Wikis) UpdateProjectWiki(
	ctx context.Context, req gen.UpdateProjectWikiRequestObject,
) (gen.UpdateProjectWikiResponseObject, error) {
	in, err := w.project(ctx, req.ID, access.CreateWiki)
	if err != nil {
		return nil, err
	}
	changed, err := w.update(ctx, in, req.Slug, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectWiki200JSONResponse(changed), nil
}

// DeleteProjectWiki deletes a page of a project's wiki.
// DELETE /projects/{id}/wikis/{slug}
func (w *Wikis) DeleteProjectWiki(
	ctx context.Context, req gen.DeleteProjectWikiRequestObject,
) (gen.DeleteProjectWikiResponseObject, error) {
	in, err := w.project(ctx, req.ID, access.CreateWiki)
	if err != nil {
		return nil, err
	}
	if err := w.wikis.Delete(ctx, in, req.Slug, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectWiki204Response{}, nil
}
