package monitoringpages

import (
	"net/http"
	"strconv"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/naming"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// setupView is the content of the settings of error tracking.
type setupView struct {
	Active    bool
	Keys      []clientKey
	Pager     page.Pager
	MayChange bool
	Switch    page.Button
	Create    page.Form
}

// clientKey is a key with which programs send errors.
type clientKey struct {
	model.ErrorTrackingKey
	DSN    string // the address that programs are configured with
	Delete page.Button
}

func setupAddress(v *page.Visit) string { return address(v, errorsPattern) + "/settings" }

// setup shows whether error tracking is on, and the client keys.
// GET /{project}/-/error_tracking/settings
func (p *Pages) setup(v *page.Visit) error { return p.showSetup(v, createForm(v)) }

func createForm(v *page.Visit) page.Form {
	return page.Form{Action: setupAddress(v) + "/keys", Submit: "Create a client key"}
}

func (p *Pages) showSetup(v *page.Visit, create page.Form) error {
	ctx, project := v.Request().Context(), v.Project.Project
	set, err := p.Store.ErrorTracking.Settings(ctx, project.ID)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	view := setupView{Active: set.Active && set.Integrated, MayChange: v.May(access.AdminErrorTracking), Create: create}
	view.Switch = page.Button{Action: setupAddress(v), Label: "Turn error tracking on", Hidden: []page.Field{{Name: "active", Value: "1"}}}
	if view.Active {
		view.Switch.Label, view.Switch.Class, view.Switch.Hidden[0].Value = "Turn error tracking off", "danger", ""
	}
	pager := v.Pager()
	keys, total, err := p.Store.ErrorTracking.Keys(ctx, project.ID, pager.Page)
	if err != nil {
		return err
	}
	view.Pager = pager.Of(total.More)
	for _, key := range keys {
		if key, err = p.Errors.Decrypt(key); err != nil {
			return err
		}
		view.Keys = append(view.Keys, clientKey{key, naming.CollectorURL(p.URL, key.Key, key.ProjectID), page.Button{
			Action: setupAddress(v) + "/keys/" + strconv.FormatInt(key.ID, 10) + "/delete", Label: "Delete", Class: "danger",
			Confirm: "Programs with this key can no longer send errors",
		}})
	}
	status := http.StatusOK
	if create.Broken() {
		status = http.StatusUnprocessableEntity
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "setup", Status: status, Title: "Error tracking", Tab: page.TabMonitor, Data: view,
		Crumbs: []page.Link{{Path: address(v, errorsPattern), Label: "Errors"}},
	})
}

// changeSetup turns error tracking on or off.
// POST /{project}/-/error_tracking/settings
func (p *Pages) changeSetup(v *page.Visit) error {
	active := v.Value("active") != ""
	if _, err := p.Errors.ReplaceSettings(v.Request().Context(), v.Project.Project, active, true); err != nil {
		return err
	}
	if active {
		return v.Done(setupAddress(v), "Error tracking is on.")
	}
	return v.Done(setupAddress(v), "Error tracking is off. Errors that programs send are refused.")
}

// createKey creates a client key.
// POST /{project}/-/error_tracking/settings/keys
func (p *Pages) createKey(v *page.Visit) error {
	_, err := p.Errors.CreateKey(v.Request().Context(), v.Project.Project)
	if refused, ok := createForm(v).Refused(err); ok {
		return p.showSetup(v, refused)
	}
	if err != nil {
		return err
	}
	return v.Done(setupAddress(v), "The client key was created.")
}

// deleteKey deletes a client key.
// POST /{project}/-/error_tracking/settings/keys/{id}/delete
func (p *Pages) deleteKey(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return page.NotFound()
	}
	ctx, project := v.Request().Context(), v.Project.Project
	key, err := p.Store.ErrorTracking.Key(ctx, project.ID, id)
	if err != nil {
		return page.Hide(apierr.OrNotFound(err))
	}
	if err := p.Errors.DeleteKey(ctx, project, key, nil); err != nil {
		return err
	}
	return v.Done(setupAddress(v), "The client key was deleted.")
}
