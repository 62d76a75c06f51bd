package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"svc/oauth"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"

	"github.com/labstack/echo/v4"
)

// applicationOwner describes the pages for the OAuth applications of one owner: a user, a group, or the instance.
type applicationOwner struct {
	path, title string
	owner       store.OAuthOwner
}

const (
	ownApplications   = "/-/profile/applications"
	adminApplications = "/admin/applications"
)

// applicationPages lists the pages of a shelf, by the part of the path after its own.
var applicationPages = []struct {
	method, under string
	handle        func(v *Visit, s applicationOwner) error
}{
	{http.MethodGet, "", func(v *Visit, s applicationOwner) error { return v.showApplications(s, nil) }},
	{http.MethodPost, "", (*Visit).addApplication},
	{http.MethodGet, "/:id", (*Visit).application},
	{http.MethodPost, "/:id", (*Visit).changeApplication},
	{http.MethodPost, "/:id/renew", (*Visit).renewApplication},
	{http.MethodPost, "/:id/delete", (*Visit).deleteApplication},
}

// applications adds the pages for registering applications.
func (w *Web) applications(e *echo.Echo) {
	for _, page := range applicationPages {
		add := w.post
		if page.method == http.MethodGet {
			add = w.get
		}
		add(e, ownApplications+page.under, func(v *Visit) error {
			return page.handle(
				v,
				applicationOwner{path: ownApplications, title: "Applications", owner: store.OAuthOwner{UserID: &v.Actor.User.ID}},
			)
		}, members)
		add(e, adminApplications+page.under, func(v *Visit) error {
			return page.handle(v, applicationOwner{path: adminApplications, title: "Applications of the instance"})
		}, admins)
	}
	w.groupApplications(e)
	w.get(e, authorizedPath, w.authorized, members)
	w.post(e, authorizedPath+"/:id/revoke", w.revokeAuthorization, members)
}

// instance reports whether the applications are those of the instance.
func (s applicationOwner) instance() bool { return s.owner.UserID == nil && s.owner.NamespaceID == nil }

// holds reports whether an application belongs to the owner of the shelf.
func (s applicationOwner) holds(app model.OAuthApplication) bool {
	same := func(a, b *int64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
	return same(app.UserID, s.owner.UserID) && same(app.NamespaceID, s.owner.NamespaceID)
}

// applicationsPage is the list of an owner's applications.
type applicationsPage struct {
	Path         string
	Own          bool // the owner is the current user
	Applications []applicationRow
	Pager        pager
	Form         Form
}

// applicationRow is an application in a list. Redirect URIs may be long, so it only has a few of them, shortened.
type applicationRow struct {
	model.OAuthApplication
	Leads []string
}

const (
	maxLeads = 3
	maxLead  = 100
)

func applicationRows(apps []model.OAuthApplication) []applicationRow {
	rows := make([]applicationRow, len(apps))
	for i, app := range apps {
		rows[i] = applicationRow{OAuthApplication: app}
		for n, uri := range app.RedirectURIs() {
			if n == maxLeads {
				rows[i].Leads = append(rows[i].Leads, "…")
				break
			}
			if len(uri) > maxLead {
				uri = uri[:maxLead] + "…"
			}
			rows[i].Leads = append(rows[i].Leads, uri)
		}
	}
	return rows
}

func (v *Visit) showApplications(s applicationOwner, broken map[string][]string) error {
	at := v.Pager()
	rows, total, err := v.web.store.OAuthApplications.ListByOwner(v.Request().Context(), s.owner, at.Page)
	if err != nil {
		return err
	}
	form := v.applicationForm(s, s.path, "Register", v.applicationInput(s, broken != nil)).With(broken)
	return v.Show(statusOf(broken), "applications", s.title, applicationsPage{
		Path: s.path, Own: s.owner.UserID != nil, Applications: applicationRows(rows), Pager: at.Of(total.More), Form: form,
	})
}

// applicationInput reads the application from the form. If the form was not sent yet, the application is confidential.
func (v *Visit) applicationInput(s applicationOwner, sent bool) oauth.NewApplication {
	n := oauth.NewApplication{
		Name: v.Value("name"), RedirectURI: v.Value("redirect_uri"), Scopes: strings.Join(v.Values("scopes"), " "),
		Confidential: v.Value("confidential") == "1" || !sent, Trusted: s.instance() && v.Value("trusted") == "1",
	}
	n.UserID, n.NamespaceID = s.owner.UserID, s.owner.NamespaceID
	return n
}

func (v *Visit) applicationForm(s applicationOwner, action, submit string, n oauth.NewApplication) Form {
	form := Form{Action: action, Submit: submit, Fields: []Field{
		{Name: "name", Label: "Name", Type: "text", Value: n.Name, Required: true},
		{
			Name: "redirect_uri", Label: "Redirect URI", Type: "textarea", Value: n.RedirectURI,
			Hint: "One per line. With urn:ietf:wg:oauth:2.0:oob, the page shows the code instead.", Required: true,
		},
		{
			Name: "confidential", Label: "Confidential", Type: "checkbox", Checked: n.Confidential,
			Hint: "The application can keep its secret. Apps on phones and in browsers cannot.",
		},
	}}
	if s.instance() {
		form.Fields = append(
			form.Fields,
			Field{Name: "trusted", Label: "Trusted", Type: "checkbox", Checked: n.Trusted, Hint: "Users are not asked for permission."},
		)
	}
	form.Fields = append(form.Fields, Field{
		Name: "scopes", Label: "Scopes", Type: "checkboxes",
		Options: scopeOptions(v.web.oauth.Scopes(), true, strings.Fields(n.Scopes)), Hint: "The scopes that it may request",
	})
	return form
}

// addApplication registers an application; the next page shows its secret once.
func (v *Visit) addApplication(s applicationOwner) error {
	n := v.applicationInput(s, true)
	if broken := v.web.oauth.Check(n); len(broken) > 0 {
		return v.showApplications(s, broken)
	}
	var app model.OAuthApplication
	var key string
	err := v.auditApplication(s, "application_created", "Created application",
		func(ctx context.Context) (row model.OAuthApplication, err error) {
			app, key, err = v.web.oauth.Register(ctx, n)
			return app, err
		})
	if err != nil {
		return err
	}
	return v.tellSecret(s, app.ID, "The application was registered. Copy its secret now: it will not be shown again.", key)
}

func (v *Visit) tellSecret(s applicationOwner, id int64, text, key string) error {
	if err := v.Tell(Flash{Text: text, Secret: key}); err != nil {
		return err
	}
	return v.Redirect(s.path + "/" + strconv.FormatInt(id, 10))
}

// findApplication returns the application of the path, if it belongs to the owner of the shelf.
func (v *Visit) findApplication(ctx context.Context, s applicationOwner) (model.OAuthApplication, error) {
	id, err := v.idParam()
	if err != nil {
		return model.OAuthApplication{}, err
	}
	app, err := v.web.store.OAuthApplications.Get(ctx, id)
	if err != nil {
		return app, err
	}
	if !s.holds(app) {
		return model.OAuthApplication{}, apierr.NotFound("Application")
	}
	return app, nil
}

// applicationPage is the page of one application.
type applicationPage struct {
	Path        string
	Application model.OAuthApplication
	Form        Form
}

func (v *Visit) application(s applicationOwner) error {
	app, err := v.findApplication(v.Request().Context(), s)
	if err != nil {
		return err
	}
	n := oauth.NewApplication{
		Name: app.Name, RedirectURI: app.RedirectURI, Scopes: app.Scopes, Confidential: app.Confidential,
		Trusted: app.Trusted,
	}
	return v.showApplication(s, app, n, nil)
}

func (v *Visit) showApplication(s applicationOwner, app model.OAuthApplication, n oauth.NewApplication, broken map[string][]string) error {
	path := s.path + "/" + strconv.FormatInt(app.ID, 10)
	return v.Show(statusOf(broken), "application", app.Name, applicationPage{
		Path: path, Application: app, Form: v.applicationForm(s, path, "Save", n).With(broken),
	})
}

// changeApplication changes an application.
func (v *Visit) changeApplication(s applicationOwner) error {
	app, err := v.findApplication(v.Request().Context(), s)
	if err != nil {
		return err
	}
	n := v.applicationInput(s, true)
	if broken := v.web.oauth.Check(n); len(broken) > 0 {
		return v.showApplication(s, app, n, broken)
	}
	err = v.auditApplication(s, "application_updated", "Changed application", func(ctx context.Context) (model.OAuthApplication, error) {
		return app, v.web.oauth.Change(ctx, app.ID, n)
	})
	if err != nil {
		return err
	}
	return v.Done(s.path+"/"+strconv.FormatInt(app.ID, 10), "The application was saved.")
}

// renewApplication gives an application a new secret.
func (v *Visit) renewApplication(s applicationOwner) error {
	app, err := v.findApplication(v.Request().Context(), s)
	if err != nil {
		return err
	}
	key := ""
	err = v.auditApplication(s, "application_secret_renewed", "Renewed the secret of application",
		func(ctx context.Context) (_ model.OAuthApplication, err error) {
			key, err = v.web.oauth.RenewSecret(ctx, app.ID)
			return app, err
		})
	if err != nil {
		return err
	}
	return v.tellSecret(s, app.ID, "The old secret no longer works. Copy the new one now: it will not be shown again.", key)
}

// deleteApplication removes an application with all its tokens.
func (v *Visit) deleteApplication(s applicationOwner) error {
	app, err := v.findApplication(v.Request().Context(), s)
	if err != nil {
		return err
	}
	err = v.auditApplication(s, "application_deleted", "Removed application", func(ctx context.Context) (model.OAuthApplication, error) {
		return app, v.web.store.OAuthApplications.Delete(ctx, app.ID, nil)
	})
	if err != nil {
		return err
	}
	return v.Done(s.path, "The application was deleted.")
}

const authorizedPath = "/-/profile/authorized_applications"

// authorizedPage lists the applications that a user has authorized.
type authorizedPage struct {
	Authorized []store.OAuthAuthorized
	Pager      pager
}

// authorized lists the applications that may act for the current user.
func (w *Web) authorized(v *Visit) error {
	at := v.Pager()
	rows, more, err := w.store.OAuthTokens.ListAuthorized(v.Request().Context(), v.Actor.User.ID, at.Page)
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "authorized", "Authorized applications", authorizedPage{rows, at.Of(more)})
}

// revokeAuthorization revokes the authorization of an application.
func (w *Web) revokeAuthorization(v *Visit) error {
	id, err := v.idParam()
	if err != nil {
		return err
	}
	err = events.Audited(v.Request().Context(), w.store, func(ctx context.Context) (events.Change, error) {
		app, err := w.store.OAuthApplications.Get(ctx, id)
		if err != nil && !store.IsNotFound(err) {
			return events.Change{}, err
		}
		in := events.User(v.Actor.User.ID, v.Actor.User.Username)
		return events.Application(in, app, "application_authorization_revoked", "Revoked the authorization of application"),
			w.store.OAuthTokens.RevokeApplication(ctx, v.Actor.User.ID, id)
	})
	if err != nil {
		return err
	}
	return v.Done(authorizedPath, "The application can no longer act for you.")
}

// auditApplication changes an application and writes the audit event.
func (v *Visit) auditApplication(
	s applicationOwner,
	kind, message string,
	write func(ctx context.Context) (model.OAuthApplication, error),
) error {
	st := v.web.store
	return events.Audited(v.Request().Context(), st, func(ctx context.Context) (events.Change, error) {
		in := events.Instance
		switch {
		case s.owner.UserID != nil:
			in = events.User(v.Actor.User.ID, v.Actor.User.Username)
		case s.owner.NamespaceID != nil:
			group, _, err := st.Namespaces.GetGroup(ctx, *s.owner.NamespaceID, "", nil)
			if err != nil {
				return events.Change{}, err
			}
			in = events.Group(group)
		}
		row, err := write(ctx)
		return events.Application(in, row, kind, message), err
	})
}
