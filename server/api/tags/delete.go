package tags

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectRepositoryTag deletes a tag.
// DELETE /projects/{id}/repository/tags/{tag_name}
func (t *Tags) DeleteProjectRepositoryTag(
	ctx context.Context, req gen.DeleteProjectRepositoryTagRequestObject,
) (gen.DeleteProjectRepositoryTagResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := t.tags.Delete(ctx, row, repo, req.TagName, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectRepositoryTag204Response{}, nil
}
