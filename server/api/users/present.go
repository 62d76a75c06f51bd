package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
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
	beside, err := u.store.Users.Beside(ctx, actor.User.ID, rows)
	if err != nil {
		return nil, err
	}
	parts, err := u.parts(ctx, rows, beside, attributes)
	if err != nil {
		return nil, err
	}
	now := clock.Now(ctx)
	return present.All(rows, func(row model.User) gen.UserListed {
		return u.show.User(row, parts(row), beside.Followed[row.ID], now)
	}), nil
}

// parts returns what administrators see of a user in addition to the row. It reads the custom attributes if they are wanted.
func (u *Users) parts(
	ctx context.Context, rows []model.User, beside store.UsersBeside, attributes bool,
) (func(model.User) present.UserParts, error) {
	var attached map[int64][]model.UserCustomAttribute
	if attributes {
		ids := make([]int64, len(rows))
		for i, row := range rows {
			ids[i] = row.ID
		}
		var err error
		if attached, err = u.store.CustomAttributes.ListByUsers(ctx, ids...); err != nil {
			return nil, err
		}
	}
	return func(row model.User) present.UserParts {
		p := present.UserParts{Identities: beside.Identities[row.ID]}
		if attributes {
			p.Attributes = append([]model.UserCustomAttribute{}, attached[row.ID]...)
		}
		if row.CreatedByID != nil {
			if creator, found := beside.Creators[*row.CreatedByID]; found {
				p.Creator = &creator
			}
		}
		return p
	}, nil
}

// afterWrite reads a user after a change and presents the fields for administrators.
func (u *Users) afterWrite(ctx context.Context, id int64) (gen.User, error) {
	row, beside, err := u.store.Users.GetBeside(ctx, id, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return gen.User{}, err
	}
	parts, err := u.parts(ctx, []model.User{row}, beside, false)
	if err != nil {
		return gen.User{}, err
	}
	return u.show.User(row, parts(row), beside.Followed[id], clock.Now(ctx)), nil
}
