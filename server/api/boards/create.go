package boards

import (
	"context"
	"fmt"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

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

// CreateGroupBoard creates a board in a group.
// POST /groups/{id}/boards
func (b *Boards) CreateGroupBoard(
	ctx context.Context, req gen.CreateGroupBoardRequestObject,
) (gen.CreateGroupBoardResponseObject, error) {
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

// create creates a board, if there is room for it.
func (b *Boards) create(ctx context.Context, in owner, name string) (gen.Board, error) {
	made := model.Board{ProjectID: in.ProjectID, GroupID: in.GroupID, Name: name}
	room, err := b.store.Boards.Create(ctx, in.ResourceOwner, &made, maxBoardsAndLists)
	if err == nil && !room {
		err = apierr.Refused(fmt.Sprintf("Maximum number of boards (%d) exceeded", maxBoardsAndLists))
	}
	return in.show(model.BoardRow{Board: made}), err
}
