// Package boards implements the API operations on issue boards and their lists.
//
//	service.go       construction, and finding a board
//	list.go          list boards
//	get.go           read a board
//	create.go        create a board
//	update.go        change a board
//	delete.go        delete a board
//	lists.go         list the lists of a board
//	lists_get.go     read a list
//	lists_create.go  add a list
//	lists_update.go  move a list
//	lists_delete.go  delete a list
package boards

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
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
	return row, apierr.OrNotFound(err)
}
