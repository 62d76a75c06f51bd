package tags

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/tag"
	"svc/server/platform/access"
	"svc/store/git"
)

// GetProjectRepositoryTag shows a tag.
// GET /projects/{id}/repository/tags/{tag_name}
func (t *Tags) GetProjectRepositoryTag(
	ctx context.Context, req gen.GetProjectRepositoryTagRequestObject,
) (gen.GetProjectRepositoryTagResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.ReadCode)
	if err != nil {
		return nil, err
	}
	found, err := tag.Find(ctx, repo, req.TagName)
	if err != nil {
		return nil, err
	}
	shown, err := t.presentAll(ctx, row, repo, []git.Tag{found})
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryTag200JSONResponse(shown[0]), nil
}
