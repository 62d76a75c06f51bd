package boards

import (
	"context"
	"errors"
	"fmt"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

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

func (b *Boards) addList(ctx context.Context, in owner, boardID, labelID int64) (gen.BoardList, error) {
	row, err := b.get(ctx, in, boardID)
	if err != nil {
		return gen.BoardList{}, err
	}
	if len(row.Lists) >= maxBoardsAndLists {
		return gen.BoardList{}, apierr.Refused(fmt.Sprintf("Maximum number of lists (%d) exceeded", maxBoardsAndLists))
	}
	labels, err := b.store.Labels.ByID(ctx, in.ResourceOwner, []int64{labelID})
	if err == nil && len(labels) == 0 {
		err = apierr.Refused("Label not found!")
	}
	if err != nil {
		return gen.BoardList{}, err
	}
	made := model.BoardList{BoardID: boardID, LabelID: labelID}
	err = b.store.Boards.AddList(ctx, &made)
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("label_id", "has already been taken")
	}
	return present.BoardList(model.BoardListRow{List: made, Label: labels[0]}), err
}
