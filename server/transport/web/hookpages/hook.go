package hookpages

import (
	"net/http"
	"net/url"

	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// hookView is the content of the page of a hook.
type hookView struct {
	Hook         model.Hook
	State        string
	Form         page.Form
	Test         page.Form
	Remove       page.Button
	Headers      []secretLine
	Variables    []secretLine
	HeaderForm   page.Form
	VariableForm page.Form
	Path         string
	Results      []page.Option
	Deliveries   []deliveryLine
	Pager        page.Pager
	Days         int
	Filtered     bool
}

// secretLine is a custom header or a URL variable, whose value is not shown.
type secretLine struct {
	Key    string
	Remove page.Button
}

// deliveryLine is a line of the delivery log.
type deliveryLine struct {
	model.HookDeliveryRow
	Path, Kind string
	Good       bool
	Resend     page.Button
}

// results are the filters of the delivery log.
var results = []page.Option{
	{Label: "Any result"},
	{Value: "successful", Label: "Successful"},
	{Value: "client_failure", Label: "Refused by the receiver (4xx)"},
	{Value: "server_failure", Label: "Failed (5xx, or no response)"},
}

// hook shows a hook with its delivery log.
// GET /{project}/-/hooks/{id}
// GET /groups/{group}/-/hooks/{id}
func (p *Pages) hook(v *page.Visit, o owner) error {
	found, err := p.find(v, o)
	if err != nil {
		return err
	}
	return p.showHook(v, o, found, nil)
}

func (p *Pages) showHook(v *page.Visit, o owner, found model.Hook, refused error) error {
	open, err := p.Hooks.Open(found)
	if err != nil {
		return err
	}
	path := o.hookPath(found.ID)
	view := hookView{
		Hook: found, State: stateText(v, found), Form: o.form(path+"/edit", "Save", found, &open), Test: o.testForm(path + "/test"),
		Remove:     page.Button{Action: path + "/delete", Label: "Delete the webhook", Class: "danger", Confirm: "Delete it with its log"},
		HeaderForm: pairForm(path+"/headers", header), VariableForm: pairForm(path+"/variables", variable),
		Headers: secretLines(path+"/headers", open.Headers.Keys()), Variables: secretLines(path+"/variables", open.Variables.Keys()),
		Path: path, Days: webhook.LogDays,
	}
	status, err := v.Fill(refused, &view.Form, &view.HeaderForm, &view.VariableForm)
	if err != nil {
		return err
	}
	if err := p.addDeliveries(v, o, &view); err != nil {
		return err
	}
	return p.show(v, o, page.View{Name: "hook", Status: status, Title: "Webhook", Data: view})
}

func secretLines(path string, keys []string) []secretLine {
	var all []secretLine
	for _, key := range keys {
		remove := page.Button{Action: path + "/" + url.PathEscape(key) + "/delete", Label: "Remove", Class: "danger"}
		all = append(all, secretLine{key, remove})
	}
	return all
}

// addDeliveries reads the part of the delivery log that the address asks for.
func (p *Pages) addDeliveries(v *page.Visit, o owner, view *hookView) error {
	ctx, wanted := v.Request().Context(), v.QueryParam("status")
	filter := store.HookDeliveryFilter{Since: v.Now().AddDate(0, 0, -webhook.LogDays)}
	if wanted != "" {
		if filter.Statuses = webhook.LogStatuses(wanted); filter.Statuses == nil {
			return apierr.BadRequest("status does not have a valid value")
		}
	}
	view.Results, view.Filtered = chosen(results, wanted), wanted != ""
	pager := v.Pager("status")
	rows, total, err := p.Store.HookDeliveries.List(ctx, view.Hook.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Deliveries = append(view.Deliveries, o.deliveryLine(view.Hook, row))
	}
	view.Pager = pager.Of(total.More)
	return nil
}

// changeHook changes a hook.
// POST /{project}/-/hooks/{id}/edit
// POST /groups/{group}/-/hooks/{id}/edit
func (p *Pages) changeHook(v *page.Visit, o owner) error {
	found, err := p.find(v, o)
	if err != nil {
		return err
	}
	change, err := o.change(v)
	if err == nil {
		_, err = p.Hooks.Update(v.Request().Context(), o.Owner, found.ID, change)
	}
	if err != nil {
		return p.showHook(v, o, found, err)
	}
	return v.Done(o.hookPath(found.ID), "The webhook was saved.")
}

// deleteHook deletes a hook.
// POST /{project}/-/hooks/{id}/delete
// POST /groups/{group}/-/hooks/{id}/delete
func (p *Pages) deleteHook(v *page.Visit, o owner) error {
	found, err := p.find(v, o)
	if err != nil {
		return err
	}
	if err := p.Hooks.Delete(v.Request().Context(), o.Owner, found.ID, nil); err != nil {
		return err
	}
	return v.Done(o.path, "The webhook was deleted.")
}

// ok reports whether a status of a response is a success.
func ok(status int64) bool { return status >= http.StatusOK && status < http.StatusMultipleChoices }
