package monitoringpages

import (
	"encoding/json"
	"strconv"

	"svc/server/domain/monitoring/errortracking/format"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store/model"
)

// errorView is the content of the page of an error.
type errorView struct {
	model.TrackedError
	Buttons []page.Button // to change the status
	Stack   []format.Exception
	Payload string // of the newest event that is listed
	Events  []model.TrackedErrorEvent
	Pager   page.Pager
}

// findError returns the error of an address.
func (p *Pages) findError(v *page.Visit) (model.TrackedError, error) {
	id, err := v.Number("id")
	if err != nil {
		return model.TrackedError{}, page.NotFound()
	}
	row, err := p.Store.ErrorTracking.Get(v.Request().Context(), v.Project.Project.ID, id)
	return row, page.Hide(apierr.OrNotFound(err))
}

func errorAddress(v *page.Visit, id int64) string {
	return address(v, errorsPattern) + "/" + strconv.FormatInt(id, 10)
}

// error shows an error with its events, the newest first, and the stack of the first of them.
// GET /{project}/-/error_tracking/{id}
func (p *Pages) error(v *page.Visit) error {
	row, err := p.findError(v)
	if err != nil {
		return err
	}
	pager := v.Pager()
	events, total, err := p.Store.ErrorTracking.Events(v.Request().Context(), row.ID, pager.Page)
	if err != nil {
		return err
	}
	view := errorView{TrackedError: row, Events: events, Pager: pager.Of(total.More)}
	if len(events) > 0 {
		newest := []byte(events[0].Payload)
		view.Stack = format.ReadStack(newest)
		var payload map[string]any
		if json.Unmarshal(newest, &payload) == nil {
			view.Payload = pretty(payload)
		}
	}
	if v.May(access.UpdateTrackedError) {
		view.Buttons = statusButtons(errorAddress(v, row.ID), row.Status)
	}
	return v.Show(page.View{
		Templates: p.templates, Name: "error", Title: row.Title, Tab: page.TabMonitor, Data: view,
		Crumbs: []page.Link{{Path: address(v, errorsPattern), Label: "Errors"}},
	})
}

// statusButtons returns the buttons that give an error another status.
func statusButtons(action, now string) []page.Button {
	var all []page.Button
	for _, s := range []page.Option{
		{Value: model.ErrorResolved, Label: "Resolve"},
		{Value: model.ErrorIgnored, Label: "Ignore"},
		{Value: model.ErrorUnresolved, Label: "Reopen"},
	} {
		if s.Value != now {
			hidden := []page.Field{{Name: "status", Value: s.Value}}
			all = append(all, page.Button{Action: action, Label: s.Label, Class: "quiet", Hidden: hidden})
		}
	}
	return all
}

// changeError resolves, ignores or reopens an error.
// POST /{project}/-/error_tracking/{id}
func (p *Pages) changeError(v *page.Visit) error {
	row, err := p.findError(v)
	if err != nil {
		return err
	}
	status := v.Value("status")
	if !known(errorStatuses, status) {
		return apierr.BadRequest("The status is not known")
	}
	if _, err := p.Store.ErrorTracking.SetStatus(v.Request().Context(), row, status); err != nil {
		return err
	}
	return v.Done(errorAddress(v, row.ID), "The error is "+status+" now.")
}
