package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

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
	return gen.ListProjectBoardLists200JSONResponse{
		Body: rows, Headers: gen.ListProjectBoardLists200ResponseHeaders(headers),
	}, nil
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
	return gen.ListGroupBoardLists200JSONResponse{
		Body: rows, Headers: gen.ListGroupBoardLists200ResponseHeaders(headers),
	}, nil
}

func (b *Boards) lists(
	ctx context.Context, in owner, id int64, number, size *int64, paging *gen.Pagination,
) ([]gen.BoardList, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, b.pages, "List", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	row, err := b.get(ctx, in, id)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	from := min(window.Page.Offset, len(row.Lists))
	to := min(from+window.Page.Limit, len(row.Lists))
	total := store.Total{Count: int64(len(row.Lists)), Known: true, More: to < len(row.Lists)}
	return present.All(row.Lists[from:to], present.BoardList), window.Headers(total), nil
}
