package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectBoard deletes a board of a project.
// DELETE /projects/{id}/boards/{board_id}
func (b *Boards) DeleteProjectBoard(
	ctx context.Context, req gen.DeleteProjectBoardRequestObject,
) (gen.DeleteProjectBoardResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBoard)
	if err != nil {
		return nil, err
	}
	err = b.delete(ctx, in, req.BoardID, req.Params.IfUnmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectBoard204Response{}, nil
}

// DeleteGroupBoard deletes a board of a group.
// DELETE /groups/{id}/boards/{board_id}
func (b *Boards) DeleteGroupBoard(
	ctx context.Context, req gen.DeleteGroupBoardRequestObject,
) (gen.DeleteGroupBoardResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBoard)
	if err != nil {
		return nil, err
	}
	err = b.delete(ctx, in, req.BoardID, req.Params.IfUnmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupBoard204Response{}, nil
}

func (b *Boards) delete(ctx context.Context, in owner, id int64, unmodifiedSince *string) error {
	if _, err := b.get(ctx, in, id); err != nil {
		return err
	}
	return b.store.Boards.Delete(ctx, id, reqctx.UnmodifiedSince(unmodifiedSince))
}
