package adminpages

import (
	"strconv"

	"svc/server/domain/account"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// usersView is one page of the list of users.
type usersView struct {
	Search        string
	State, Factor page.Field
	Users         []listedUser
	Pager         page.Pager
}

// listedUser is a user in the list.
type listedUser struct {
	model.User
	Address string
	Self    bool
	Actions []page.Link
}

// states are the states to filter by, with their names.
var states = []page.Option{
	{Value: "", Label: "All"},
	{Value: "active", Label: "Active"},
	{Value: "pending", Label: "Waiting for approval"},
	{Value: "blocked", Label: "Blocked"},
	{Value: "admins", Label: "Administrators"},
	{Value: "external", Label: "External"},
}

// factors are the states of the second factor to filter by.
var factors = []page.Option{{Value: "", Label: "All"}, {Value: "on", Label: "On"}, {Value: "off", Label: "Off"}}

// users lists and searches users.
// GET /admin/users
func (p *Pages) users(v *page.Visit) error {
	view := usersView{
		Search: v.QueryParam("search"), State: page.Select("state", "State", v.QueryParam("state"), states...),
		Factor: page.Select("two_factor", "Second factor", v.QueryParam("two_factor"), factors...),
	}
	state := view.State.Value
	filter := store.UserFilter{
		Search: view.Search, SearchPrivateEmail: true, WithoutProjectBots: true, ExcludeInternal: true,
		Active: state == "active", Blocked: state == "blocked", Pending: state == "pending", Admins: state == "admins",
		External: state == "external",
	}
	if with := view.Factor.Value; with == "on" || with == "off" {
		on := with == "on"
		filter.TwoFactor = &on
	}
	pager := v.Pager("search", "state", "two_factor")
	rows, total, err := p.Store.Users.List(v.Request().Context(), filter, store.UserOrder{Column: "id", Desc: true}, pager.Page)
	if err != nil {
		return err
	}
	for _, u := range rows {
		view.Users = append(view.Users, listedUser{u, userPath(u.ID), u.ID == v.Actor.User.ID, userActions(u, v.Actor.User.ID)})
	}
	view.Pager = pager.Of(total.More)
	return p.show(v, "users", "Users", view)
}

func userPath(id int64) string { return usersPath + "/" + strconv.FormatInt(id, 10) }

// transitions are the changes of state, by the last part of their addresses.
var transitions = map[string]account.Transition{
	"block": account.Block, "unblock": account.Unblock, "activate": account.Activate, "deactivate": account.Deactivate,
	"ban": account.Ban, "unban": account.Unban,
}

// userActions returns the changes of state that make sense for a user.
func userActions(u model.User, self int64) []page.Link {
	path := userPath(u.ID) + "/"
	switch {
	case u.ID == self:
		return nil
	case u.State == model.UserPendingApproval:
		return []page.Link{{Path: path + "approve", Label: "Approve"}, {Path: path + "block", Label: "Block"}}
	case u.State == model.UserBlocked:
		return []page.Link{{Path: path + "unblock", Label: "Unblock"}}
	case u.State == model.UserBanned:
		return []page.Link{{Path: path + "unban", Label: "Unban"}}
	case u.State == model.UserDeactivated:
		return []page.Link{{Path: path + "activate", Label: "Activate"}, {Path: path + "block", Label: "Block"}}
	case u.State == model.UserActive:
		return []page.Link{{Path: path + "block", Label: "Block"}}
	}
	return nil
}

// moveUser changes the state of a user.
// POST /admin/users/{id}/block, unblock, activate, deactivate, ban, unban
func (p *Pages) moveUser(v *page.Visit, t account.Transition) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	if _, err := account.ApplyTransition(v.Request().Context(), p.Store, v.Actor, id, t); err != nil {
		return err
	}
	return v.Done(usersPath, "The user's state was changed.")
}
