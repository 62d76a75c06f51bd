package members

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

var kind = pagination.Kind{Name: "Member"}

// listQuery holds the filter and the pagination parameters of a list of members.
type listQuery struct {
	inherited    bool
	query        *string
	userIDs      *[]int64
	number, size *int64
}

func (m *Members) list(ctx context.Context, find finder, w listQuery) ([]gen.Member, pagination.Headers, error) {
	in, err := find(ctx, read)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, kind, w.number, w.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f := in.filter(w.inherited)
	if w.query != nil {
		f.Query = *w.query
	}
	if w.userIDs != nil {
		f.UserIDs = *w.userIDs
	}
	rows, total, err := m.store.Members.List(ctx, f, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, m.show.Member(seesEmail(ctx))), window.Headers(total), nil
}

func (m *Members) get(ctx context.Context, find finder, userID int64, inherited bool) (gen.Member, error) {
	in, err := find(ctx, read)
	if err != nil {
		return gen.Member{}, err
	}
	return m.shown(ctx, in, userID, inherited)
}

func (m *Members) shown(ctx context.Context, in source, userID int64, inherited bool) (gen.Member, error) {
	row, err := m.store.Members.Get(ctx, in.filter(inherited), userID)
	if err != nil {
		return gen.Member{}, apierr.OrNotFound(err)
	}
	return m.show.Member(seesEmail(ctx))(row), nil
}

func (m *Members) update(ctx context.Context, find finder, userID int64, b gen.MemberUpdate) (gen.Member, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.Member{}, err
	}
	role := model.Access(b.AccessLevel)
	if err := in.checkGrant(role); err != nil {
		return gen.Member{}, err
	}
	if err := in.checkTarget(userID); err != nil {
		return gen.Member{}, err
	}
	set := map[string]any{"access_level": role}
	if b.ExpiresAt.IsSet() {
		day, err := expiry(b.ExpiresAt.Ptr())
		if err != nil {
			return gen.Member{}, err
		}
		set["expires_at"] = day
	}
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		before, err := m.store.Members.Get(ctx, in.filter(false), userID)
		if err != nil {
			return err
		}
		if err := m.store.Members.Update(ctx, in.kind, in.id, userID, in.role, set); err != nil {
			return err
		}
		if err := m.store.Members.CheckInherited(ctx, in.kind, in.id, userID, role); err != nil {
			return err
		}
		c := in.change(before.User, "member_updated", "Changed the role of a member")
		c.Field, c.From, c.To = "access_level", before.Member.AccessLevel.String(), role.String()
		return m.recordChange(ctx, in, userID, c, "")
	})
	if err != nil {
		return gen.Member{}, apierr.OrNotFound(explain(err))
	}
	return m.shown(ctx, in, userID, false)
}

// remove ends a membership. If below is true, it also ends the memberships in the subgroups and projects.
func (m *Members) remove(ctx context.Context, find finder, userID int64, below bool, unmodifiedSince *string) error {
	own, what := isCaller(ctx, userID), manage
	if own {
		what = leave
	}
	in, err := find(ctx, what)
	if err != nil {
		return err
	}
	if err := in.checkTarget(userID); err != nil {
		return err
	}
	most := in.role
	if own {
		most = model.Owner
	}
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		before, err := m.store.Members.Get(ctx, in.filter(false), userID)
		if err != nil {
			return err
		}
		if err := m.store.Members.Remove(ctx, in.kind, in.id, userID, most, reqctx.UnmodifiedSince(unmodifiedSince)); err != nil {
			return err
		}
		c := in.change(before.User, "member_destroyed", "Removed member")
		if c.Remove = before.Member.AccessLevel.String(); below {
			c.Message += " from the group and its subgroups and projects"
		}
		if err := m.recordChange(ctx, in, userID, c, model.EventLeft); err != nil || !below {
			return err
		}
		return m.leaveBelow(ctx, in, userID)
	})
	return apierr.OrNotFound(explain(err))
}

// explain turns errors of the store into API errors.
func explain(err error) error {
	var last *store.LastOwnerError
	var higher *store.HigherRoleError
	var lower *store.LowerRoleError
	switch {
	case errors.As(err, &last):
		return apierr.Forbidden("The last owner of a group cannot be removed")
	case errors.As(err, &higher):
		return apierr.Forbidden()
	case errors.As(err, &lower):
		return apierr.Invalid("access_level", tooLow(lower))
	}
	return err
}

func tooLow(e *store.LowerRoleError) string {
	return "should be greater than or equal to " + e.Inherited.String() + " inherited membership from group " + e.Group
}

// isCaller reports whether a user is the caller.
func isCaller(ctx context.Context, userID int64) bool {
	actor := reqctx.Of(ctx).Actor
	return actor != nil && actor.User.ID == userID
}

// seesEmail reports whether the caller can see the email addresses of members. Only administrators can.
func seesEmail(ctx context.Context) bool {
	actor := reqctx.Of(ctx).Actor
	return actor != nil && actor.User.Admin
}
