package tags

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/tag"
	"svc/server/platform/access"
	"svc/store/git"
)

// CreateProjectRepositoryTag creates a tag. With a message, it is an annotated tag.
// POST /projects/{id}/repository/tags
func (t *Tags) CreateProjectRepositoryTag(
	ctx context.Context, req gen.CreateProjectRepositoryTagRequestObject,
) (gen.CreateProjectRepositoryTagResponseObject, error) {
	row, repo, err := t.open(ctx, req.ID, access.PushCode)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := t.tags.Create(ctx, row, repo, tag.Draft{
		Name: b.TagName, Ref: b.Ref, Message: wire.Value(b.Message.Ptr()),
	})
	if err != nil {
		return nil, err
	}
	shown, err := t.presentAll(ctx, row, repo, []git.Tag{made})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryTag201JSONResponse(shown[0]), nil
}
