package intake

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"svc/server/domain/issuable"
	"svc/server/domain/monitoring/alert/format"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Incident is the job that updates the incident of an alert: it creates, notes or closes it. Running it twice changes
// nothing the second time, because the alert records what its incident was last told.
type Incident struct {
	AlertID int64 `json:"alert_id"`
}

// Kind returns the name of the job in the queue.
func (Incident) Kind() string { return "alert_incident" }

// Incidents creates and updates the incidents of alerts.
type Incidents struct {
	store  *store.Store
	desk   *issuable.Service
	events *events.Recorder
}

// NewIncidents returns the incident operations.
func NewIncidents(st *store.Store, desk *issuable.Service, rec *events.Recorder) *Incidents {
	return &Incidents{store: st, desk: desk, events: rec}
}

// Run runs the job.
func (i *Incidents) Run(ctx context.Context, job Incident) error {
	bot, err := i.store.Users.AlertBot(ctx)
	if err != nil {
		return err
	}
	err = i.store.Tx(ctx, func(ctx context.Context) error {
		a, err := i.store.Alerts.Lock(ctx, job.AlertID)
		if err != nil {
			return err
		}
		row, err := i.store.Projects.Get(ctx, a.ProjectID, "", &store.Reader{Admin: true})
		if err != nil || row.Project.Archived || !row.ReadsIssues() {
			return err
		}
		if a.IssueID == nil && a.WantsIncident {
			if err := i.open(ctx, row.Project, &a, bot.ID); err != nil {
				return err
			}
		}
		_, err = i.Update(ctx, row.Project, a, bot.ID)
		return err
	})
	if store.IsNotFound(err) { // the alert or its project was deleted
		return nil
	}
	return err
}

// open creates the incident of an alert.
func (i *Incidents) open(ctx context.Context, project model.Project, a *model.Alert, author int64) error {
	text := describe(*a)
	made := model.Issue{
		ProjectID: project.ID, AuthorID: author, Title: a.Title, Description: &text, State: model.Opened,
		IssueType: "incident", Severity: severity(a.Severity),
	}
	if err := i.store.Issues.Create(ctx, &made, nil, nil); err != nil {
		return err
	}
	target := issuable.IssueTarget(project, made, nil)
	if err := i.events.Activity(ctx, project, events.On(author, model.EventCreated, model.OnIssue, made.ID)); err != nil {
		return err
	}
	if err := i.desk.AddMentionTodos(ctx, target, author, text, "", nil); err != nil {
		return err
	}
	if err := i.desk.Notify(ctx, target, author, events.NewIssue, nil); err != nil {
		return err
	}
	if err := i.desk.Hooks.IssueCreated(ctx, project, made.ID, author); err != nil {
		return err
	}
	a.IssueID, a.WantsIncident = &made.ID, false
	return i.store.Alerts.SaveIncidentState(ctx, *a)
}

// Update adds system notes to the incident of an alert, if it has one, about what has changed since the last time. It
// closes the incident when the alert is resolved and the project's settings ask for that. The caller holds the lock of
// the alert.
func (i *Incidents) Update(ctx context.Context, project model.Project, a model.Alert, author int64) (model.Alert, error) {
	changed := a.Status != a.ToldStatus
	if a.IssueID == nil || !changed && a.Events < a.ToldEvents*10 {
		return a, nil
	}
	incident, err := i.store.Issues.Lock(ctx, *a.IssueID)
	if err != nil {
		return a, err
	}
	var notes []issuable.SystemNote
	if a.Events >= a.ToldEvents*10 {
		notes = append(notes, issuable.SimpleNote("alert", fmt.Sprintf("alert %d was reported %d times", a.IID, a.Events)))
		a.ToldEvents = a.Events
	}
	if changed {
		notes = append(notes, issuable.SimpleNote("alert", fmt.Sprintf("alert %d is %s now", a.IID, a.Status)))
		a.ToldStatus = a.Status
	}
	if err := i.desk.AddSystemNotes(ctx, issuable.IssueTarget(project, incident, nil), author, notes...); err != nil {
		return a, err
	}
	if changed && a.Status == model.AlertResolved {
		set, err := i.store.Alerts.Settings(ctx, project.ID)
		if err == nil && set.CloseIncident {
			err = i.closeIncident(ctx, project, incident, author, a)
		}
		if err != nil {
			return a, err
		}
	}
	return a, i.store.Alerts.SaveIncidentState(ctx, a)
}

// severity returns the severity of an incident. Incidents have no severity "info", so it becomes low.
func severity(of string) string {
	if of == format.Info {
		of = format.Low
	}
	return strings.ToUpper(of)
}

// describe returns the description of an incident: a list of the properties of the alert, then its texts. Texts of the
// sender are put in code quotes that they cannot end, except the one that is meant to be Markdown.
func describe(a model.Alert) string {
	d := format.ReadDetails(a.Format, []byte(a.Payload))
	var hosts []string
	_ = json.Unmarshal([]byte(a.Hosts), &hosts) // it was written by this service
	var b strings.Builder
	b.WriteString("#### Summary\n\n")
	for _, line := range []struct{ name, text string }{
		{"Start time", a.StartedAt.UTC().Format(time.RFC3339)},
		{"Severity", a.Severity},
		{"Service", a.Service},
		{"Monitoring tool", a.MonitoringTool},
		{"Hosts", strings.Join(hosts, ", ")},
		{"Environment", a.Environment},
		{"Query", d.Query},
		{"Runbook", d.Runbook},
	} {
		if line.text != "" {
			fmt.Fprintf(&b, "- **%s:** %s\n", line.name, quoted(line.text))
		}
	}
	fmt.Fprintf(&b, "- **Alert:** %d\n", a.IID)
	if a.Description != "" {
		b.WriteString("\n#### Description\n\n" + quoted(a.Description) + "\n")
	}
	if d.Markdown != "" {
		b.WriteString("\n" + d.Markdown + "\n")
	}
	return b.String()
}

// quoted returns a text as inline code on one line, with a fence of more backquotes than the text has in a row.
func quoted(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) == 1 {
		return fence + text + fence
	}
	return fence + " " + text + " " + fence
}

// closeIncident closes the incident of an alert that is resolved.
func (i *Incidents) closeIncident(
	ctx context.Context, project model.Project, incident model.Issue, author int64, a model.Alert,
) error {
	watch, err := i.desk.Hooks.WatchIssue(ctx, project, incident.ID)
	if err != nil {
		return err
	}
	by := fmt.Sprintf("alert %d", a.IID)
	if _, err := i.desk.SetState(ctx, project, incident, author, model.Closed, by); err != nil {
		return err
	}
	return watch.Announce(ctx, author, 0)
}
