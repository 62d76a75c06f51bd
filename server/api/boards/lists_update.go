package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// UpdateProjectBoardList moves a list of a project board to another position.
// PUT /projects/{id}/boards/{board_id}/lists/{list_id}
func (b *Boards) UpdateProjectBoardList(
	ctx context.Context, req gen.UpdateProjectBoardListRequestObject,
) (gen.UpdateProjectBoardListResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.moveList(ctx, in, req.BoardID, req.ListID, req.Body.Position)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectBoardList200JSONResponse(shown), nil
}

// UpdateGroupBoardList moves a list of a group board to another position.
// PUT /groups/{id}/boards/{board_id}/lists/{list_id}
func (b *Boards) UpdateGroupBoardList(
	ctx context.Context, req gen.UpdateGroupBoardListRequestObject,
) (gen.UpdateGroupBoardListResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.moveList(ctx, in, req.BoardID, req.ListID, req.Body.Position)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupBoardList200JSONResponse(shown), nil
}

func (b *Boards) moveList(ctx context.Context, in owner, boardID, id, position int64) (gen.BoardList, error) {
	if _, err := b.listOf(ctx, in, boardID, id); err != nil {
		return gen.BoardList{}, err
	}
	if err := b.store.Boards.MoveList(ctx, boardID, id, position); err != nil {
		return gen.BoardList{}, err
	}
	return b.listOf(ctx, in, boardID, id)
}
