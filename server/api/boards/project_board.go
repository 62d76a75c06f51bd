package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ListProjectBoards lists the boards of a project.
// GET /projects/{id}/boards
func (b *Boards) ListProjectBoards(
	ctx context.Context, req gen.ListProjectBoardsRequestObject,
) (gen.ListProjectBoardsResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.ReadBoard)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.list(ctx, in, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectBoards200JSONResponse{Body: rows, Headers: gen.ListProjectBoards200ResponseHeaders(headers)}, nil
}

// CreateProjectBoard creates a board in a project.
// POST /projects/{id}/boards
func (b *Boards) CreateProjectBoard(
	ctx context.Context, req gen.CreateProjectBoardRequestObject,
) (gen.CreateProjectBoardResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.create(ctx, in, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectBoard201JSONResponse(shown), nil
}

// GetProjectBoard returns a board of a project.
// GET /projects/{id}/boards/{board_id}
func (b *Boards) GetProjectBoard(ctx context.Context, req gen.GetProjectBoardRequestObject) (gen.GetProjectBoardResponseObject, error) {
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

// UpdateProjectBoard changes a board of a project.
// PUT /projects/{id}/boards/{board_id}
func (b *Boards) UpdateProjectBoard(
	ctx context.Context, req gen.UpdateProjectBoardRequestObject,
) (gen.UpdateProjectBoardResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.update(ctx, in, req.BoardID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectBoard200JSONResponse(shown), nil
}

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

// ListProjectBoardLists lists the lists of a project board.
// GET /projects/{id}/boards/{board_id}/lists
func (b *Boards) ListProjectBoardLists(
	ctx context.Context, req gen.ListProjectBoardListsRequestObject,
) (gen.ListProjectBoardListsResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.ReadBoard)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.lists(ctx, in, req.BoardID, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectBoardLists200JSONResponse{Body: rows, Headers: gen.ListProjectBoardLists200ResponseHeaders(headers)}, nil
}

// CreateProjectBoardList adds a list to a project board.
// POST /projects/{id}/boards/{board_id}/lists
func (b *Boards) CreateProjectBoardList(
	ctx context.Context, req gen.CreateProjectBoardListRequestObject,
) (gen.CreateProjectBoardListResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBoard)
	if err != nil {
		return nil, err
	}
	shown, err := b.addList(ctx, in, req.BoardID, req.Body.LabelID)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectBoardList201JSONResponse(shown), nil
}

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
