package releases

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/release"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectReleaseAssetsLinks lists the links of a release.
// GET /projects/{id}/releases/{tag_name}/assets/links
func (r *Releases) ListProjectReleaseAssetsLinks(
	ctx context.Context, req gen.ListProjectReleaseAssetsLinksRequestObject,
) (gen.ListProjectReleaseAssetsLinksResponseObject, error) {
	row, found, err := r.find(ctx, req.ID, req.TagName)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, r.pages, "ReleaseLink", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	links, total := pagination.PageOf(window, found.Links)
	shown := present.All(links, func(l model.ReleaseLink) gen.ReleaseLink {
		return r.show.ReleaseLink(row.Project, req.TagName, l)
	})
	return gen.ListProjectReleaseAssetsLinks200JSONResponse{
		Body: shown, Headers: gen.ListProjectReleaseAssetsLinks200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectReleaseAssetsLink shows a link of a release.
// GET /projects/{id}/releases/{tag_name}/assets/links/{link_id}
func (r *Releases) GetProjectReleaseAssetsLink(
	ctx context.Context, req gen.GetProjectReleaseAssetsLinkRequestObject,
) (gen.GetProjectReleaseAssetsLinkResponseObject, error) {
	row, found, err := r.find(ctx, req.ID, req.TagName)
	if err != nil {
		return nil, err
	}
	link, err := r.store.Releases.GetLink(ctx, found.Release.ID, req.LinkID)
	if err != nil {
		return nil, apierr.OrNotFound(err, "")
	}
	return gen.GetProjectReleaseAssetsLink200JSONResponse(r.show.ReleaseLink(row.Project, req.TagName, link)), nil
}

// find returns a release whose links the caller can read.
func (r *Releases) find(ctx context.Context, ref, tag string) (model.ProjectRow, model.ReleaseRow, error) {
	row, err := r.access.Project(ctx, ref, access.ReadReleases)
	if err != nil {
		return row, model.ReleaseRow{}, err
	}
	found, err := r.releases.Get(ctx, row.Project, tag)
	return row, found, err
}

// CreateProjectReleaseAssetsLink adds a link to a release.
// POST /projects/{id}/releases/{tag_name}/assets/links
func (r *Releases) CreateProjectReleaseAssetsLink(
	ctx context.Context, req gen.CreateProjectReleaseAssetsLinkRequestObject,
) (gen.CreateProjectReleaseAssetsLinkResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.AdminRelease)
	if err != nil {
		return nil, err
	}
	link, err := r.releases.AddLink(ctx, row, req.TagName, linkFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectReleaseAssetsLink201JSONResponse(r.show.ReleaseLink(row.Project, req.TagName, link)), nil
}

// UpdateProjectReleaseAssetsLink changes a link of a release.
// PUT /projects/{id}/releases/{tag_name}/assets/links/{link_id}
func (r *Releases) UpdateProjectReleaseAssetsLink(
	ctx context.Context, req gen.UpdateProjectReleaseAssetsLinkRequestObject,
) (gen.UpdateProjectReleaseAssetsLinkResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.AdminRelease)
	if err != nil {
		return nil, err
	}
	b := req.Body
	if b.Name == nil && b.URL == nil {
		return nil, apierr.BadParameter("name, url are missing, at least one parameter must be provided")
	}
	link, err := r.releases.ChangeLink(ctx, row, req.TagName, req.LinkID, release.LinkChange{
		Name: b.Name, URL: b.URL, FilePath: either(b.DirectAssetPath, b.Filepath), LinkType: string(wire.Value(b.LinkType)),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectReleaseAssetsLink200JSONResponse(r.show.ReleaseLink(row.Project, req.TagName, link)), nil
}

// DeleteProjectReleaseAssetsLink deletes a link of a release.
// DELETE /projects/{id}/releases/{tag_name}/assets/links/{link_id}
func (r *Releases) DeleteProjectReleaseAssetsLink(
	ctx context.Context, req gen.DeleteProjectReleaseAssetsLinkRequestObject,
) (gen.DeleteProjectReleaseAssetsLinkResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.AdminRelease)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	link, err := r.releases.DeleteLink(ctx, row, req.TagName, req.LinkID, since)
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectReleaseAssetsLink200JSONResponse(r.show.ReleaseLink(row.Project, req.TagName, link)), nil
}
