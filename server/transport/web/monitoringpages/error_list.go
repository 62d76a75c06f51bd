package monitoringpages

import (
	"svc/server/platform/access"
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// errorStatuses are the states of errors, with their names.
var errorStatuses = []page.Option{
	{Value: model.ErrorUnresolved, Label: "Unresolved"},
	{Value: model.ErrorResolved, Label: "Resolved"},
	{Value: model.ErrorIgnored, Label: "Ignored"},
}

var errorOrders = []page.Option{
	{Value: "", Label: "Last seen"},
	{Value: "first_seen", Label: "First seen"},
	{Value: "count", Label: "Number of events"},
}

// errorsView is the content of the list of errors.
type errorsView struct {
	Base          string
	Parts         []page.Link
	Search        string
	Status, Order page.Field
	Filtered      bool
	Errors        []model.TrackedError
	Pager         page.Pager
	Setup         string // address of the settings; empty if the caller may not see them
}

// errors lists the errors of a project.
// GET /{project}/-/error_tracking
func (p *Pages) errors(v *page.Visit) error {
	view := errorsView{
		Base: address(v, errorsPattern), Parts: parts(v, errorsPattern), Search: v.QueryParam("search"),
		Status: page.Select("status", "Status", v.QueryParam("status"), append([]page.Option{{Label: "All"}}, errorStatuses...)...),
		Order:  page.Select("order", "Order", v.QueryParam("order"), errorOrders...),
	}
	view.Filtered = view.Search != "" || view.Status.Value != ""
	if v.May(access.ReadErrorTracking) {
		view.Setup = view.Base + "/settings"
	}
	pager := v.Pager("search", "status", "order")
	filter := store.ErrorFilter{Status: view.Status.Value, Search: view.Search, Column: view.Order.Value}
	rows, total, err := p.Store.ErrorTracking.List(v.Request().Context(), v.Project.Project.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	view.Errors, view.Pager = rows, pager.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "errors", Title: "Errors", Tab: page.TabMonitor, Data: view})
}
