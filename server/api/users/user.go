package users

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
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

// GetUser shows a user, with the fields that the caller may see.
// GET /users/{id}
func (u *Users) GetUser(ctx context.Context, req gen.GetUserRequestObject) (gen.GetUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadUser)
	if err != nil {
		return nil, err
	}
	if actor == nil {
		return nil, apierr.Forbidden("Not authorized!")
	}
	row, err := u.store.Users.Get(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	followed, err := u.followed(ctx, []model.User{row})
	if err != nil {
		return nil, err
	}
	if !isAdmin(actor) {
		profile := !row.PrivateProfile || row.ID == actor.User.ID
		return gen.GetUser200JSONResponse(u.show.UserSingle(row, profile, followed[row.ID], time.Now())), nil
	}
	parts, err := u.parts(ctx, []model.User{row}, wire.Value(req.Params.WithCustomAttributes))
	if err != nil {
		return nil, err
	}
	return gen.GetUser200JSONResponse(u.show.UserDetail(row, parts(row), followed[row.ID], time.Now())), nil
}

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

func (u *Users) keyset(ctx context.Context, f store.UserFilter, p gen.ListUsersParams) ([]model.User, pagination.Headers, error) {
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

// presentPage presents a page of users. For administrators, it reads the additional tables once for the whole page.
func (u *Users) presentPage(ctx context.Context, actor *reqctx.Actor, rows []model.User, attributes bool) ([]gen.User, error) {
	if !isAdmin(actor) {
		return present.All(rows, u.show.UserPublic), nil
	}
	parts, err := u.parts(ctx, rows, attributes)
	if err != nil {
		return nil, err
	}
	followed, err := u.followed(ctx, rows)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return present.All(rows, func(row model.User) gen.User { return u.show.UserAdmin(row, parts(row), followed[row.ID], now) }), nil
}

// followed returns which of the users the caller follows, in one query.
func (u *Users) followed(ctx context.Context, rows []model.User) (map[int64]bool, error) {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return u.store.UserFollows.FollowedAmong(ctx, reqctx.Of(ctx).Actor.User.ID, ids)
}

// parts reads what administrators see in addition to the rows, with one query per table.
func (u *Users) parts(ctx context.Context, rows []model.User, attributes bool) (func(model.User) present.UserParts, error) {
	var ids, creatorIDs []int64
	for _, row := range rows {
		ids = append(ids, row.ID)
		if row.CreatedByID != nil {
			creatorIDs = append(creatorIDs, *row.CreatedByID)
		}
	}
	identities, err := u.store.Identities.ListByUsers(ctx, ids...)
	if err != nil {
		return nil, err
	}
	creators, err := u.store.Users.ByID(ctx, creatorIDs)
	if err != nil {
		return nil, err
	}
	var attached map[int64][]model.UserCustomAttribute
	if attributes {
		if attached, err = u.store.CustomAttributes.ListByUsers(ctx, ids...); err != nil {
			return nil, err
		}
	}
	return func(row model.User) present.UserParts {
		p := present.UserParts{Identities: identities[row.ID]}
		if attributes {
			p.Attributes = append([]model.UserCustomAttribute{}, attached[row.ID]...)
		}
		if row.CreatedByID != nil {
			if creator, found := creators[*row.CreatedByID]; found {
				p.Creator = &creator
			}
		}
		return p
	}, nil
}
