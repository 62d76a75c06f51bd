package adminpages

import (
	"encoding/json"
	"net/http"
	"time"

	"svc/server/transport/web/page"
	"svc/store"
	"svc/store/model"
)

// entityTypes are the kinds of things that audit events are about.
var entityTypes = []page.Option{
	{Value: "", Label: "All"},
	{Value: "User", Label: "Users"},
	{Value: "Group", Label: "Groups"},
	{Value: "Project", Label: "Projects"},
}

// dayForm is the form of days in filters.
const dayForm = "2006-01-02"

// auditView is the content of the audit log.
type auditView struct {
	Type        page.Field
	From, Until string // days
	Mistake     string
	Events      []auditEvent
	Pager       page.Pager
}

// auditEvent is an event of the log.
type auditEvent struct {
	model.AuditEvent
	Message string
}

// audit shows the audit log, the newest events first.
// GET /admin/audit_log
func (p *Pages) audit(v *page.Visit) error {
	view := auditView{
		Type: page.Select("entity_type", "About", v.QueryParam("entity_type"), entityTypes...),
		From: v.QueryParam("from"), Until: v.QueryParam("until"),
	}
	filter := store.AuditFilter{EntityType: view.Type.Value}
	from, ok := day(view.From)
	until, okUntil := day(view.Until)
	if !ok || !okUntil {
		view.Mistake = "A day is written like this: 2026-11-17."
	}
	if filter.After = from; until != nil {
		end := until.AddDate(0, 0, 1).Add(-time.Microsecond)
		filter.Before = &end
	}
	pager := v.PagerOf(auditRows, "entity_type", "from", "until")
	rows, total, err := p.Store.AuditEvents.List(v.Request().Context(), filter, pager.Page)
	if err != nil {
		return err
	}
	for _, row := range rows {
		view.Events = append(view.Events, auditEvent{row, message(row)})
	}
	view.Pager = pager.Of(total.More)
	status := http.StatusOK
	if view.Mistake != "" {
		status = http.StatusBadRequest
	}
	return v.Show(page.View{Templates: p.templates, Name: "audit", Status: status, Title: "Audit log", Data: view})
}

const auditRows = 50

// day reads a day; an empty text is none.
func day(text string) (*time.Time, bool) {
	if text == "" {
		return nil, true
	}
	t, err := time.Parse(dayForm, text)
	if err != nil {
		return nil, false
	}
	return &t, true
}

// message returns the sentence about an event.
func message(row model.AuditEvent) string {
	var details struct {
		Message string `json:"custom_message"`
		Change  string `json:"change"`
		From    any    `json:"from"`
		To      any    `json:"to"`
		Add     string `json:"add"`
		Remove  string `json:"remove"`
	}
	if json.Unmarshal([]byte(row.Details), &details) != nil {
		return row.EventType
	}
	switch {
	case details.Message != "":
		return details.Message
	case details.Change != "":
		return "Changed " + details.Change
	case details.Add != "":
		return "Added " + details.Add
	case details.Remove != "":
		return "Removed " + details.Remove
	}
	return row.EventType
}
