package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

// GetProjectBoardList returns a list of a project board.
// GET /projects/{id}/boards/{board_id}/lists/{list_id}
func (b *Boards) GetProjectBoardList(
	ctx context.Context, req gen.GetProjectBoardListRequestObject,
) (gen.GetProjectBoardListResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.ReadBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.listOf(ctx, in, req.BoardID, req.ListID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectBoardList200JSONResponse(shown), nil
}

// GetGroupBoardList returns a list of a group board.
// GET /groups/{id}/boards/{board_id}/lists/{list_id}
func (b *Boards) GetGroupBoardList(
	ctx context.Context, req gen.GetGroupBoardListRequestObject,
) (gen.GetGroupBoardListResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.ReadGroupBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.listOf(ctx, in, req.BoardID, req.ListID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupBoardList200JSONResponse(shown), nil
}

// listOf finds a list of a board and presents it.
func (b *Boards) listOf(ctx context.Context, in owner, boardID, id int64) (gen.BoardList, error) {
	row, err := b.get(ctx, in, boardID)
	if err != nil {
		return gen.BoardList{}, err
	}
	for _, l := range row.Lists {
		if l.List.ID == id {
			return present.BoardList(l), nil
		}
	}
	return gen.BoardList{}, apierr.RecordNotFound()
}
