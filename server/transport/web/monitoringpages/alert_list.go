package monitoringpages

import (
	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// statuses are the states of alerts, with their names.
var statuses = []page.Option{
	{Value: model.AlertTriggered, Label: "Triggered"},
	{Value: model.AlertAcknowledged, Label: "Acknowledged"},
	{Value: model.AlertResolved, Label: "Resolved"},
	{Value: model.AlertIgnored, Label: "Ignored"},
}

// severities are the severities of alerts, the worst first.
var severities = []page.Option{
	{Value: "critical", Label: "Critical"},
	{Value: "high", Label: "High"},
	{Value: "medium", Label: "Medium"},
	{Value: "low", Label: "Low"},
	{Value: "info", Label: "Info"},
	{Value: "unknown", Label: "Unknown"},
}

// alertsView is the content of the list of alerts.
type alertsView struct {
	Base             string
	Parts            []page.Link
	Search           string
	Status, Severity page.Field
	Filtered         bool
	Alerts           []model.AlertRow
	Pager            page.Pager
}

// alerts lists the alerts of a project, the newest first.
// GET /{project}/-/alert_management
func (p *Pages) alerts(v *page.Visit) error {
	all := page.Option{Label: "All"}
	view := alertsView{
		Base: address(v, alertsPattern), Parts: parts(v, alertsPattern), Search: v.QueryParam("search"),
		Status:   page.Select("status", "Status", v.QueryParam("status"), append([]page.Option{all}, statuses...)...),
		Severity: page.Select("severity", "Severity", v.QueryParam("severity"), append([]page.Option{all}, severities...)...),
	}
	view.Filtered = view.Search != "" || view.Status.Value != "" || view.Severity.Value != ""
	pager := v.Pager("search", "status", "severity")
	filter := store.AlertFilter{Status: view.Status.Value, Severity: view.Severity.Value, Search: view.Search}
	rows, total, err := p.Store.Alerts.List(v.Request().Context(), v.Project.Project.ID, filter, pager.Page)
	if err != nil {
		return err
	}
	view.Alerts, view.Pager = rows, pager.Of(total.More)
	return v.Show(page.View{Templates: p.templates, Name: "alerts", Title: "Alerts", Tab: page.TabMonitor, Data: view})
}
