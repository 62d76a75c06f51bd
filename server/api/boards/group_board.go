package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ListGroupBoards lists the boards of a group.
// GET /groups/{id}/boards
func (b *Boards) ListGroupBoards(ctx context.Context, req gen.ListGroupBoardsRequestObject) (gen.ListGroupBoardsResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.ReadGroupBoard)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.list(ctx, in, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupBoards200JSONResponse{Body: rows, Headers: gen.ListGroupBoards200ResponseHeaders(headers)}, nil
}

// CreateGroupBoard creates a board in a group.
// POST /groups/{id}/boards
func (b *Boards) CreateGroupBoard(ctx context.Context, req gen.CreateGroupBoardRequestObject) (gen.CreateGroupBoardResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.create(ctx, in, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupBoard201JSONResponse(shown), nil
}

// GetGroupBoard returns a board of a group.
// GET /groups/{id}/boards/{board_id}
func (b *Boards) GetGroupBoard(ctx context.Context, req gen.GetGroupBoardRequestObject) (gen.GetGroupBoardResponseObject, error) {
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

// UpdateGroupBoard changes a board of a group.
// PUT /groups/{id}/boards/{board_id}
func (b *Boards) UpdateGroupBoard(ctx context.Context, req gen.UpdateGroupBoardRequestObject) (gen.UpdateGroupBoardResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.update(ctx, in, req.BoardID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupBoard200JSONResponse(shown), nil
}

// DeleteGroupBoard deletes a board of a group.
// DELETE /groups/{id}/boards/{board_id}
func (b *Boards) DeleteGroupBoard(ctx context.Context, req gen.DeleteGroupBoardRequestObject) (gen.DeleteGroupBoardResponseObject, error) {
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

// ListGroupBoardLists lists the lists of a group board.
// GET /groups/{id}/boards/{board_id}/lists
func (b *Boards) ListGroupBoardLists(
	ctx context.Context, req gen.ListGroupBoardListsRequestObject,
) (gen.ListGroupBoardListsResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.ReadGroupBoard)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.lists(ctx, in, req.BoardID, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupBoardLists200JSONResponse{Body: rows, Headers: gen.ListGroupBoardLists200ResponseHeaders(headers)}, nil
}

// CreateGroupBoardList adds a list to a group board.
// POST /groups/{id}/boards/{board_id}/lists
func (b *Boards) CreateGroupBoardList(
	ctx context.Context, req gen.CreateGroupBoardListRequestObject,
) (gen.CreateGroupBoardListResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.addList(ctx, in, req.BoardID, req.Body.LabelID)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupBoardList201JSONResponse(shown), nil
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
