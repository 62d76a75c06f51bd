// Package boards implements the API operations on issue boards and their lists.
package boards

import (
	"context"
	"errors"
	"fmt"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// maxBoardsAndLists is the maximum number of boards in a project or group, and of lists in a board.
const maxBoardsAndLists = 100

// Boards implements the operations on boards.
type Boards struct {
	store  *store.Store
	access *access.Access
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the board operations.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, show present.Presenter) *Boards {
	return &Boards{store: st, access: a, pages: pages, show: show}
}

// owner is the project or group of a request, after the permission check.
type owner struct {
	store.ResourceOwner
	show func(model.BoardRow) gen.Board
}

func (b *Boards) project(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	row, err := b.access.Project(ctx, ref, ability)
	return owner{store.OwnedByProject(row.Project), b.show.Board(&row.Project, nil)}, err
}

func (b *Boards) group(ctx context.Context, ref string, ability access.Ability) (owner, error) {
	g, _, err := b.access.Group(ctx, ref, ability)
	return owner{store.OwnedByGroup(g), b.show.Board(nil, &g)}, err
}

func (b *Boards) get(ctx context.Context, in owner, id int64) (model.BoardRow, error) {
	row, err := b.store.Boards.Get(ctx, in.ResourceOwner, id)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return row, err
}

func (b *Boards) list(ctx context.Context, in owner, number, size *int64, paging *gen.Pagination) ([]gen.Board, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "Board"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := b.store.Boards.List(ctx, in.ResourceOwner, window.Page)
	return present.All(rows, in.show), window.Headers(total), err
}

func (b *Boards) create(ctx context.Context, in owner, name string) (gen.Board, error) {
	made := model.Board{ProjectID: in.ProjectID, GroupID: in.GroupID, Name: name}
	room, err := b.store.Boards.Create(ctx, in.ResourceOwner, &made, maxBoardsAndLists)
	if err == nil && !room {
		err = apierr.Refused(fmt.Sprintf("Maximum number of boards (%d) exceeded", maxBoardsAndLists))
	}
	return in.show(model.BoardRow{Board: made}), err
}

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

func (b *Boards) delete(ctx context.Context, in owner, id int64, unmodifiedSince *string) error {
	if _, err := b.get(ctx, in, id); err != nil {
		return err
	}
	return b.store.Boards.Delete(ctx, id, reqctx.UnmodifiedSince(unmodifiedSince))
}

func (b *Boards) lists(
	ctx context.Context, in owner, id int64, number, size *int64, paging *gen.Pagination,
) ([]gen.BoardList, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := b.pages.Offset(ctx, pagination.Kind{Name: "List"}, number, size)
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

func (b *Boards) moveList(ctx context.Context, in owner, boardID, id, position int64) (gen.BoardList, error) {
	if _, err := b.listOf(ctx, in, boardID, id); err != nil {
		return gen.BoardList{}, err
	}
	if err := b.store.Boards.MoveList(ctx, boardID, id, position); err != nil {
		return gen.BoardList{}, err
	}
	return b.listOf(ctx, in, boardID, id)
}

func (b *Boards) deleteList(ctx context.Context, in owner, boardID, id int64, unmodifiedSince *string) error {
	if _, err := b.listOf(ctx, in, boardID, id); err != nil {
		return err
	}
	return b.store.Boards.DeleteList(ctx, boardID, id, reqctx.UnmodifiedSince(unmodifiedSince))
}
