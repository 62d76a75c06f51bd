package users

import (
	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
)

// filter builds the user filter from the query parameters. Parameters for administrators are ignored silently for
// others, except the lookup by identity, which is refused.
func (u *Users) filter(actor *reqctx.Actor, p gen.ListUsersParams) (store.UserFilter, error) {
	var f store.UserFilter
	if (p.ExternUID == nil) != (p.Provider == nil) {
		return f, apierr.BadParameter("extern_uid, provider provide all or none of parameters")
	}
	if actor == nil && wire.Value(p.Username) == "" {
		return f, apierr.Forbidden("Not authorized to access /api/v4/users")
	}
	f = store.UserFilter{
		Username:           wire.Value(p.Username),
		Search:             wire.Value(p.Search),
		Active:             wire.Value(p.Active),
		Blocked:            wire.Value(p.Blocked),
		External:           wire.Value(p.External),
		ExcludeExternal:    wire.Value(p.ExcludeExternal),
		ExcludeInternal:    wire.Value(p.ExcludeInternal),
		WithoutProjectBots: wire.Value(p.WithoutProjectBots),
		CreatedAfter:       p.CreatedAfter.Std(),
		CreatedBefore:      p.CreatedBefore.Std(),
		Basic:              true,
	}
	if !isAdmin(actor) {
		if p.ExternUID != nil {
			return f, apierr.Forbidden()
		}
		return f, nil
	}
	f.SearchPrivateEmail, f.Basic = true, false
	f.Admins, f.WithoutProjects = wire.Value(p.Admins), wire.Value(p.WithoutProjects)
	if p.ExternUID != nil {
		f.ExternUID, f.Provider = p.ExternUID, p.Provider
	}
	if p.TwoFactor != nil {
		enabled := *p.TwoFactor == gen.UserTwoFactorEnabled
		f.TwoFactor = &enabled
	}
	if p.CustomAttributes != nil {
		f.CustomAttributes = *p.CustomAttributes
	}
	if u.show.Paid {
		f.Auditors, f.SkipLDAP, f.SamlProviderID = wire.Value(p.Auditors), wire.Value(p.SkipLdap), p.SamlProviderID
	}
	return f, nil
}

// orderColumns are the columns by which a list can be ordered.
var orderColumns = map[gen.UserOrder]string{
	gen.UserOrderID: "id", gen.UserOrderName: "name", gen.UserOrderUsername: "username",
	gen.UserOrderCreatedAt: "created_at", gen.UserOrderUpdatedAt: "updated_at",
}

// orderOf returns the requested order.
func orderOf(p gen.ListUsersParams) pagination.Order {
	order := pagination.Order{Column: "id", Desc: p.Sort == nil || *p.Sort == gen.SortDesc}
	if p.OrderBy != nil && orderColumns[*p.OrderBy] != "" {
		order.Column = orderColumns[*p.OrderBy]
	}
	return order
}

func isAdmin(actor *reqctx.Actor) bool { return actor != nil && actor.User.Admin }
