package web

import (
	"net/http"
	"net/url"
	"strconv"

	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

const adminUsersPath = "/admin/users"

// administration adds the pages of administrators.
func (w *Web) administration(e *echo.Echo) {
	w.get(e, adminUsersPath, w.adminUsers, admins)
	for verb, t := range map[string]account.Transition{
		"block": account.Block, "unblock": account.Unblock, "activate": account.Activate,
		"deactivate": account.Deactivate,
	} {
		w.post(e, adminUsersPath+"/:id/"+verb, func(v *Visit) error { return v.moveUser(t) }, admins)
	}
	w.post(e, adminUsersPath+"/:id/approve", w.approveUser, admins)
}

// adminUsersPage is one page of the list of users.
type adminUsersPage struct {
	Search, State string
	States        []Option
	Users         []adminUser
	Pager         pager
}

type adminUser struct {
	model.User
	Self    bool
	Actions []navLink
}

// adminUsers lists and searches users.
func (w *Web) adminUsers(v *Visit) error {
	page := adminUsersPage{Search: v.QueryParam("search"), State: v.QueryParam("state")}
	at := v.pager(url.Values{"search": {page.Search}, "state": {page.State}})
	filter := store.UserFilter{
		Search: page.Search, SearchPrivateEmail: true, WithoutProjectBots: true, ExcludeInternal: true,
		Active: page.State == "active", Blocked: page.State == "blocked", Pending: page.State == "pending", Admins: page.State == "admins",
	}
	for _, o := range []Option{
		{Value: "", Label: "All"},
		{Value: "active", Label: "Active"},
		{Value: "pending", Label: "Waiting for approval"},
		{Value: "blocked", Label: "Blocked"},
		{Value: "admins", Label: "Administrators"},
	} {
		o.Chosen = o.Value == page.State
		page.States = append(page.States, o)
	}
	rows, total, err := w.store.Users.List(v.Request().Context(), filter, store.UserOrder{Column: "id", Desc: true}, at.page)
	if err != nil {
		return err
	}
	for _, u := range rows {
		page.Users = append(page.Users, adminUser{User: u, Self: u.ID == v.Actor.User.ID, Actions: userActions(u, v.Actor.User.ID)})
	}
	page.Pager = at.of(total.More)
	return v.Show(http.StatusOK, "admin_users", "Users", page)
}

// userActions returns the actions of an administrator for a user.
func userActions(u model.User, self int64) []navLink {
	path := adminUsersPath + "/" + strconv.FormatInt(u.ID, 10) + "/"
	switch {
	case u.ID == self:
		return nil
	case u.State == model.UserPendingApproval:
		return []navLink{{Path: path + "approve", Label: "Approve"}, {Path: path + "block", Label: "Block"}}
	case u.State == model.UserBlocked:
		return []navLink{{Path: path + "unblock", Label: "Unblock"}}
	case u.State == model.UserDeactivated:
		return []navLink{{Path: path + "activate", Label: "Activate"}, {Path: path + "block", Label: "Block"}}
	case u.State == model.UserActive:
		return []navLink{{Path: path + "block", Label: "Block"}}
	}
	return nil
}

// moveUser changes the state of a user.
func (v *Visit) moveUser(t account.Transition) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	if _, err := account.ApplyTransition(v.Request().Context(), v.web.store, v.Actor, id, t); err != nil {
		return err
	}
	return v.done(adminUsersPath, "The user's state was changed.")
}

// approveUser approves a user who waits for approval.
func (w *Web) approveUser(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	done, err := account.Approve(v.Request().Context(), w.store, id)
	if err == nil && !done {
		err = apierr.NotFound("User")
	}
	if err != nil {
		return err
	}
	return v.done(adminUsersPath, "The user was approved.")
}
