package adminpages

import (
	"errors"
	"net/http"
	"strings"

	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// userDraft is the form of a user.
type userDraft struct {
	name, username, email, password, note string
	admin, external, canCreateGroup       bool
	confirmed                             bool // the address counts as confirmed
}

func userDraftOf(v *page.Visit) userDraft {
	return userDraft{
		name: strings.TrimSpace(v.Value("name")), username: strings.TrimSpace(v.Value("username")),
		email: strings.TrimSpace(v.Value("email")), password: v.Value("password"), note: v.Value("note"),
		admin: v.Value("admin") != "", external: v.Value("external") != "", canCreateGroup: v.Value("can_create_group") != "",
		confirmed: v.Value("confirmed") != "",
	}
}

// settings returns what the form sets in a user. Without a password, a new user chooses one with the link in a mail.
func (d userDraft) settings(isNew bool) account.Settings {
	in := account.Settings{
		Name: &d.name, Username: &d.username, Email: &d.email, SkipReconfirmation: d.confirmed,
		Texts: map[string]wire.Optional[string]{"note": wire.Some(d.note)},
		Flags: map[string]*bool{"admin": &d.admin, "external": &d.external, "can_create_group": &d.canCreateGroup},
	}
	switch {
	case d.password != "":
		in.Password = &d.password
	case isNew:
		in.RandomPassword, in.SendResetLink = true, true
	}
	return in
}

// form returns the form of a user.
func (d userDraft) form(action, submit string, isNew bool) page.Form {
	hint := "At least 8 characters. The user must change it at the next sign-in. Leave it empty to keep the password."
	confirm := "The address is confirmed: the user need not open the link in a mail"
	if isNew {
		hint = "At least 8 characters. Leave it empty to send the user a link to choose one."
	}
	return page.Form{Action: action, Submit: submit, Fields: []page.Field{
		{Name: "name", Label: "Full name", Type: "text", Value: d.name, Required: true, Autocomplete: "off"},
		{Name: "username", Label: "Username", Type: "text", Value: d.username, Required: true, Autocomplete: "off"},
		{Name: "email", Label: "Mail address", Type: "email", Value: d.email, Required: true, Autocomplete: "off"},
		{Name: "confirmed", Label: confirm, Type: "checkbox", Checked: d.confirmed},
		{Name: "password", Label: "Password", Type: "password", Hint: hint, Autocomplete: "new-password"},
		{Name: "admin", Label: "Administrator", Type: "checkbox", Checked: d.admin},
		{
			Name: "external", Label: "External user", Type: "checkbox", Checked: d.external,
			Hint: "Sees internal projects only as a member, and cannot create projects.",
		},
		{Name: "can_create_group", Label: "Can create groups", Type: "checkbox", Checked: d.canCreateGroup},
		{Name: "note", Label: "Note", Type: "textarea", Value: d.note, Hint: "Only administrators see it."},
	}}
}

func (p *Pages) showUserForm(v *page.Visit, title string, form page.Form) error {
	status := http.StatusOK
	if form.Broken() {
		status = http.StatusUnprocessableEntity
	}
	return v.Show(page.View{Name: "form_page", Status: status, Title: title, Data: page.FormPage{Form: form}})
}

// newUser shows the form of a new user.
// GET /admin/users/new
func (p *Pages) newUser(v *page.Visit) error {
	return p.showUserForm(v, "New user", userDraft{canCreateGroup: true}.form(usersPath+"/new", "Create the user", true))
}

// createUser creates a user.
// POST /admin/users/new
func (p *Pages) createUser(v *page.Visit) error {
	d := userDraftOf(v)
	form := d.form(usersPath+"/new", "Create the user", true)
	id, err := p.Accounts.Create(v.Request().Context(), v.Actor.User.ID, d.settings(true), d.confirmed)
	if refused, ok := form.Refused(err); ok {
		return p.showUserForm(v, "New user", refused)
	}
	if err != nil {
		return err
	}
	return v.Done(userPath(id), "The user was created.")
}

// editUser shows the form to change a user.
// GET /admin/users/{id}/edit
func (p *Pages) editUser(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	d := userDraft{
		name: u.Name, username: u.Username, email: u.Email, admin: u.Admin, external: u.External, canCreateGroup: u.CanCreateGroup,
		note: wire.Value(u.Note), confirmed: true,
	}
	return p.showUserForm(v, "Change "+u.Name, d.form(userPath(u.ID)+"/edit", "Save the user", false))
}

// saveUser changes a user.
// POST /admin/users/{id}/edit
func (p *Pages) saveUser(v *page.Visit) error {
	u, err := p.find(v)
	if err != nil {
		return err
	}
	d := userDraftOf(v)
	form := d.form(userPath(u.ID)+"/edit", "Save the user", false)
	if u.ID == v.Actor.User.ID && !d.admin {
		form.Mistakes = []string{"You cannot take the role of administrator from yourself."}
		return p.showUserForm(v, "Change "+u.Name, form)
	}
	err = p.Accounts.Update(v.Request().Context(), v.Actor, u, d.changes(u))
	if refused, ok := form.Refused(taken(err)); ok {
		return p.showUserForm(v, "Change "+u.Name, refused)
	}
	if err != nil {
		return err
	}
	return v.Done(userPath(u.ID), "The user was saved.")
}

// changes returns the settings that differ from those of a user.
func (d userDraft) changes(u model.User) account.Settings {
	in := d.settings(false)
	if d.name == u.Name {
		in.Name = nil
	}
	if d.username == u.Username {
		in.Username = nil
	}
	if d.email == u.Email {
		in.Email = nil
	}
	return in
}

// taken turns the 404 with which the API answers to a name or address of another user into a refusal with a text.
func taken(err error) error {
	var e *apierr.Error
	if errors.As(err, &e) && e.Status == http.StatusNotFound {
		return apierr.Conflict("The username or the mail address has already been taken")
	}
	return err
}
