package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// GetProjectBoard returns a board of a project.
// GET /projects/{id}/boards/{board_id}
func (b *Boards) GetProjectBoard(
	ctx context.Context, req gen.GetProjectBoardRequestObject,
) (gen.GetProjectBoardResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.ReadBoard)
	if err != nil {
		return nil, err
	}
	row, err := b.get(ctx, in, req.BoardID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectBoard200JSONResponse(in.show(row)), nil
}

// GetGroupBoard returns a board of a group.
// GET /groups/{id}/boards/{board_id}
func (b *Boards) GetGroupBoard(
	ctx context.Context, req gen.GetGroupBoardRequestObject,
) (gen.GetGroupBoardResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.ReadGroupBoard)
	if err != nil {
		return nil, err
	}
	row, err := b.get(ctx, in, req.BoardID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupBoard200JSONResponse(in.show(row)), nil
}
