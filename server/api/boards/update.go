package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

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

// UpdateGroupBoard changes a board of a group.
// PUT /groups/{id}/boards/{board_id}
func (b *Boards) UpdateGroupBoard(
	ctx context.Context, req gen.UpdateGroupBoardRequestObject,
) (gen.UpdateGroupBoardResponseObject, error) {
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

// update changes a board and presents it.
func (b *Boards) update(ctx context.Context, in owner, id int64, body gen.BoardUpdate) (gen.Board, error) {
	if _, err := b.get(ctx, in, id); err != nil {
		return gen.Board{}, err
	}
	set := map[string]any{}
	if body.Name != nil {
		set["name"] = *body.Name
	}
	if body.HideBacklogList != nil {
		set["hide_backlog_list"] = *body.HideBacklogList
	}
	if body.HideClosedList != nil {
		set["hide_closed_list"] = *body.HideClosedList
	}
	if err := b.store.Boards.Update(ctx, id, set); err != nil {
		return gen.Board{}, err
	}
	row, err := b.get(ctx, in, id)
	return in.show(row), err
}
