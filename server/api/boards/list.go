package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
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
	return gen.ListProjectBoards200JSONResponse{
		Body: rows, Headers: gen.ListProjectBoards200ResponseHeaders(headers),
	}, nil
}

// ListGroupBoards lists the boards of a group.
// GET /groups/{id}/boards
func (b *Boards) ListGroupBoards(
	ctx context.Context, req gen.ListGroupBoardsRequestObject,
) (gen.ListGroupBoardsResponseObject, error) {
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

func (b *Boards) list(
	ctx context.Context, in owner, number, size *int64, paging *gen.Pagination,
) ([]gen.Board, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, b.pages, "Board", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := b.store.Boards.List(ctx, in.ResourceOwner, window.Page)
	return present.All(rows, in.show), window.Headers(total), err
}
