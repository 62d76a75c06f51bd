package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
)

// presentPage presents a page of users. For administrators, it reads the additional tables once for the whole page.
func (u *Users) presentPage(
	ctx context.Context, actor *reqctx.Actor, rows []model.User, attributes bool,
) ([]gen.UserListed, error) {
	if !isAdmin(actor) {
		return present.All(rows, func(row model.User) gen.UserListed { return u.show.UserBasic(row) }), nil
	}
	parts, err := u.parts(ctx, rows, attributes)
	if err != nil {
		return nil, err
	}
	followed, err := u.followed(ctx, rows)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	return present.All(rows, func(row model.User) gen.UserListed {
		return u.show.User(row, parts(row), followed[row.ID], now)
	}), nil
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
func (u *Users) parts(
	ctx context.Context, rows []model.User, attributes bool,
) (func(model.User) present.UserParts, error) {
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

// afterWrite reads a user after a change and presents the fields for administrators.
func (u *Users) afterWrite(ctx context.Context, id int64) (gen.User, error) {
	row, err := u.store.Users.Get(ctx, id)
	if err != nil {
		return gen.User{}, err
	}
	parts, err := u.parts(ctx, []model.User{row}, false)
	if err != nil {
		return gen.User{}, err
	}
	followed, err := u.followed(ctx, []model.User{row})
	if err != nil {
		return gen.User{}, err
	}
	return u.show.User(row, parts(row), followed[row.ID], clock.Now(ctx)), nil
}
