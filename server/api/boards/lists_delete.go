package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectBoardList deletes a list of a project board.
// DELETE /projects/{id}/boards/{board_id}/lists/{list_id}
func (b *Boards) DeleteProjectBoardList(
	ctx context.Context, req gen.DeleteProjectBoardListRequestObject,
) (gen.DeleteProjectBoardListResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBoard)
	if err != nil {
		return nil, err
	}
	err = b.deleteList(ctx, in, req.BoardID, req.ListID, req.Params.IfUnmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectBoardList204Response{}, nil
}

// DeleteGroupBoardList deletes a list of a group board.
// DELETE /groups/{id}/boards/{board_id}/lists/{list_id}
func (b *Boards) DeleteGroupBoardList(
	ctx context.Context, req gen.DeleteGroupBoardListRequestObject,
) (gen.DeleteGroupBoardListResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBoard)
	if err != nil {
		return nil, err
	}
	err = b.deleteList(ctx, in, req.BoardID, req.ListID, req.Params.IfUnmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupBoardList204Response{}, nil
}

func (b *Boards) deleteList(ctx context.Context, in owner, boardID, id int64, unmodifiedSince *string) error {
	if _, err := b.listOf(ctx, in, boardID, id); err != nil {
		return err
	}
	return b.store.Boards.DeleteList(ctx, boardID, id, reqctx.UnmodifiedSince(unmodifiedSince))
}
