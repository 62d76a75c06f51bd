package users

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListUsers lists users, with the fields that the caller may see.
// GET /users
func (u *Users) ListUsers(ctx context.Context, req gen.ListUsersRequestObject) (gen.ListUsersResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadUser)
	if err != nil {
		return nil, err
	}
	filter, err := u.filter(actor, req.Params)
	if err != nil {
		return nil, err
	}
	var rows []model.User
	var headers pagination.Headers
	if req.Params.Pagination != nil && *req.Params.Pagination == gen.PaginationKeyset {
		rows, headers, err = u.keyset(ctx, filter, req.Params)
	} else {
		rows, headers, err = u.offset(ctx, filter, actor, req.Params)
	}
	if err != nil {
		return nil, err
	}
	shown, err := u.presentPage(ctx, actor, rows, wire.Value(req.Params.WithCustomAttributes))
	if err != nil {
		return nil, err
	}
	return gen.ListUsers200JSONResponse{Body: shown, Headers: gen.ListUsers200ResponseHeaders(headers)}, nil
}

// offset returns a page of users by number.
func (u *Users) offset(
	ctx context.Context, f store.UserFilter, actor *reqctx.Actor, p gen.ListUsersParams,
) ([]model.User, pagination.Headers, error) {
	window, err := u.pages.Offset(ctx, pagination.Kind{Name: "User", Keyset: true}, p.Page, p.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	order := pagination.Order{Column: "id", Desc: true}
	if isAdmin(actor) {
		order = orderOf(p)
	}
	rows, total, err := u.store.Users.List(ctx, f, store.UserOrder(order), window.Page)
	return rows, window.Headers(total), err
}

// keysetOrders are the orders that have a database index.
var keysetOrders = []pagination.Order{
	{Column: "id"},
	{Column: "id", Desc: true},
	{Column: "name"},
	{Column: "name", Desc: true},
	{Column: "username"},
	{Column: "username", Desc: true},
}

// keyset returns the page of users that follows the cursor.
func (u *Users) keyset(
	ctx context.Context, f store.UserFilter, p gen.ListUsersParams,
) ([]model.User, pagination.Headers, error) {
	cursor, err := pagination.Keyset(ctx, orderOf(p), keysetOrders, p.PerPage, p.Cursor)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, more, err := u.store.Users.After(ctx, f, cursor.Keyset)
	if err != nil || len(rows) == 0 {
		return rows, pagination.Headers{}, err
	}
	last := rows[len(rows)-1]
	key := store.Key{ID: last.ID}
	switch cursor.Column {
	case "name":
		key.Value = last.Name
	case "username":
		key.Value = last.Username
	}
	return rows, pagination.Headers{Link: cursor.Link(more, key)}, nil
}
