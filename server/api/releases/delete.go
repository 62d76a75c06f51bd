package releases

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectRelease deletes the release of a tag. The tag stays.
// DELETE /projects/{id}/releases/{tag_name}
func (r *Releases) DeleteProjectRelease(
	ctx context.Context, req gen.DeleteProjectReleaseRequestObject,
) (gen.DeleteProjectReleaseResponseObject, error) {
	row, err := r.access.Project(ctx, req.ID, access.AdminRelease)
	if err != nil {
		return nil, err
	}
	deleted, err := r.releases.Delete(ctx, row, req.TagName, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	shown, err := r.presentOne(ctx, row, deleted, false)
	return gen.DeleteProjectRelease200JSONResponse(shown), err
}
