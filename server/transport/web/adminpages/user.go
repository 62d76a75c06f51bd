package adminpages

import (
	"net/http"

	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// userView is the content of the page of a user.
type userView struct {
	model.User
	Address  string
	Self     bool
	Leaving  bool // the account is being deleted
	Actions  []page.Link
	Security []page.Button
	Reject   *page.Button
	Tokens   []tokenView
	More     bool // the user has more impersonation tokens
	Delete   *page.Form
}

// find returns the user of an address.
func (p *Pages) find(v *page.Visit) (model.User, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.User{}, err
	}
	u, err := access.UserByID(v.Request().Context(), p.Store, id)
	return u, apierr.OrNotFound(err, "")
}

// user shows a user.
// GET /admin/users/{id}
func (p *Pages) user(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	return p.showUser(v, u, deleteForm(u, false))
}

func (p *Pages) showUser(v *page.Visit, u model.User, remove page.Form) error {
	ctx, self := v.Request().Context(), v.Actor.User.ID
	view := userView{User: u, Address: userPath(u.ID), Self: u.ID == self, Actions: userActions(u, self)}
	var err error
	if view.Leaving, err = p.Store.Users.BeingDeleted(ctx, u.ID); err != nil {
		return err
	}
	if view.Tokens, view.More, err = p.tokensOf(v, u); err != nil {
		return err
	}
	if !view.Self && !u.Internal() && !view.Leaving {
		view.Delete = &remove
		view.Security = append(view.Security, page.Button{
			Action: view.Address + "/reset_password", Label: "Reset the password", Class: "quiet",
			Confirm: "The user is signed out and gets a mail with a link to choose a new password",
		})
	}
	if u.TwoFactor && !u.Admin {
		view.Security = append(view.Security, page.Button{
			Action: view.Address + "/disable_two_factor", Label: "Remove the second factor", Class: "quiet",
			Confirm: "The user signs in with the password alone",
		})
	}
	if u.State == model.UserPendingApproval {
		view.Reject = &page.Button{Action: view.Address + "/reject", Label: "Reject", Class: "danger", Confirm: "Delete the account"}
	}
	status := http.StatusOK
	if remove.Broken() {
		status = http.StatusUnprocessableEntity
	}
	return v.Show(page.View{Templates: p.templates, Name: "user", Status: status, Title: u.Name, Data: view})
}

func deleteForm(u model.User, hard bool) page.Form {
	return page.Form{Action: userPath(u.ID) + "/delete", Submit: "Delete the user", Danger: true, Fields: []page.Field{
		{
			Name: "hard", Label: "Delete contributions and groups that only this user owns, too", Type: "checkbox", Checked: hard,
			Hint: "Otherwise, issues, comments and the like are kept under the name of a ghost user.",
		},
		page.ConfirmField(u.Username),
	}}
}

// deleteUser deletes a user, in the background.
// POST /admin/users/{id}/delete
func (p *Pages) deleteUser(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	hard, broken := v.Value("hard") != "", map[string][]string{}
	form := deleteForm(u, hard)
	if !v.Confirmed(u.Username, broken) {
		return p.showUser(v, u, form.With(broken))
	}
	if u.ID == v.Actor.User.ID {
		return apierr.Forbidden("You cannot delete your own account here")
	}
	err = p.Accounts.Delete(v.Request().Context(), u.ID, hard, nil)
	if refused, ok := form.Refused(err); ok {
		return p.showUser(v, u, refused)
	}
	if err != nil {
		return err
	}
	return v.Done(usersPath, u.Username+" is blocked, and will be deleted in the background.")
}

// approveUser approves a user who waits for approval.
// POST /admin/users/{id}/approve
func (p *Pages) approveUser(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	done, err := account.Approve(v.Request().Context(), p.Store, id)
	if err == nil && !done {
		err = apierr.NotFound("User")
	}
	if err != nil {
		return err
	}
	return v.Done(usersPath, "The user was approved.")
}

// rejectUser deletes a user who waits for approval.
// POST /admin/users/{id}/reject
func (p *Pages) rejectUser(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	if err := p.Accounts.Reject(v.Request().Context(), u); err != nil {
		return err
	}
	return v.Done(usersPath, "The request of "+u.Username+" was rejected.")
}

// resetPassword gives a user a random password, and sends a link to choose another one.
// POST /admin/users/{id}/reset_password
func (p *Pages) resetPassword(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	if u.ID == v.Actor.User.ID {
		return apierr.Forbidden("Change your own password in your settings")
	}
	err = p.Accounts.Update(v.Request().Context(), v.Actor, u, account.Settings{RandomPassword: true, SendResetLink: true})
	if err != nil {
		return err
	}
	return v.Done(userPath(u.ID), "The password was reset. "+u.Username+" gets a mail with a link to choose a new one.")
}

// disableTwoFactor removes the second factor of a user who lost it. That of an administrator is removed on the server only.
// POST /admin/users/{id}/disable_two_factor
func (p *Pages) disableTwoFactor(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	if u.Admin {
		return apierr.Forbidden("The second factor of an administrator can be removed with svc admin reset-second-factor only")
	}
	had, err := p.Accounts.DisableTwoFactor(v.Request().Context(), u)
	if err != nil {
		return err
	}
	if !had {
		return v.Done(userPath(u.ID), u.Username+" has no second factor.")
	}
	return v.Done(userPath(u.ID), "The second factor was removed.")
}
