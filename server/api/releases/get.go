package releases

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
)

// GetProjectRelease shows the release of a tag.
// GET /projects/{id}/releases/{tag_name}
func (r *Releases) GetProjectRelease(
	ctx context.Context, req gen.GetProjectReleaseRequestObject,
) (gen.GetProjectReleaseResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.ReadRelease)
	if err != nil {
		return nil, err
	}
	found, err := r.releases.Get(ctx, row.Project, req.TagName)
	if err != nil {
		return nil, err
	}
	shown, err := r.presentOne(ctx, row, found, wire.Value(req.Params.IncludeHTMLDescription))
	return gen.GetProjectRelease200JSONResponse(shown), err
}
