package present

import (
	"encoding/json"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// AlertIntegration presents an alert integration whose key is decrypted. slug is its name in the form that its URL
// contains.
func (p Presenter) AlertIntegration(i model.AlertIntegration, projectPath, slug string) gen.AlertIntegration {
	url := p.Base + "/" + projectPath
	switch {
	case i.Identifier == model.LegacyMetrics:
		url += "/prometheus/alerts/notify.json"
	case i.Legacy():
		url += "/alerts/notify.json"
	default:
		url += "/alerts/notify/" + slug + "/" + i.Identifier + ".json"
	}
	shown := gen.AlertIntegration{
		ID: i.ID, Type: gen.AlertIntegrationType(i.Type), Name: i.Name, Active: i.Active, Legacy: i.Legacy(),
		EndpointIdentifier: i.Identifier, URL: url, Key: i.Key,
		CreatedAt: wire.NewTime(i.CreatedAt), UpdatedAt: wire.NewTime(i.UpdatedAt),
	}
	if i.Sample != nil {
		_ = json.Unmarshal([]byte(*i.Sample), &shown.Sample) // the text was parsed before it was stored
	}
	if i.Mapping != nil {
		_ = json.Unmarshal([]byte(*i.Mapping), &shown.Mapping)
	}
	return shown
}

// AlertSettings presents what the service does when an alert arrives.
func AlertSettings(s model.AlertSetting) gen.AlertSettings {
	return gen.AlertSettings{CreateIncident: s.CreateIncident, CloseIncident: s.CloseIncident}
}

// AlertBasic presents an alert in a list.
func (p Presenter) AlertBasic(r model.AlertRow) gen.AlertBasic {
	a := r.Alert
	hosts := []string{}
	_ = json.Unmarshal([]byte(a.Hosts), &hosts) // the service wrote it
	return gen.AlertBasic{
		ID: a.ID, Iid: a.IID, ProjectID: a.ProjectID, Title: a.Title, Description: textOrNil(a.Description),
		Severity: gen.AlertSeverity(a.Severity), Status: gen.AlertStatus(a.Status),
		Service: textOrNil(a.Service), MonitoringTool: textOrNil(a.MonitoringTool), Hosts: hosts,
		Environment: textOrNil(a.Environment), Fingerprint: a.Fingerprint, Events: a.Events,
		StartedAt: wire.NewTime(a.StartedAt), EndedAt: wire.TimePtr(a.EndedAt), CreatedAt: wire.NewTime(a.CreatedAt),
		UpdatedAt: wire.NewTime(a.UpdatedAt),
		IssueIid:  r.IssueIID, Assignees: All(r.Assignees, p.UserBasic),
	}
}

// AlertDetails holds the parts of an alert's payload that are not properties of the alert.
type AlertDetails struct {
	Runbook, Query, YLabel string
	Other, Payload         map[string]any
}

// Alert presents an alert with all details of its payload.
func (p Presenter) Alert(r model.AlertRow, d AlertDetails) gen.Alert {
	b := p.AlertBasic(r)
	return gen.Alert{
		ID: b.ID, Iid: b.Iid, ProjectID: b.ProjectID, Title: b.Title, Description: b.Description, Severity: b.Severity, Status: b.Status,
		Service: b.Service, MonitoringTool: b.MonitoringTool, Hosts: b.Hosts, Environment: b.Environment,
		Fingerprint: b.Fingerprint, Events: b.Events,
		StartedAt: b.StartedAt, EndedAt: b.EndedAt, CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
		IssueIid: b.IssueIid, Assignees: b.Assignees,
		Runbook: textOrNil(d.Runbook), MetricQuery: textOrNil(d.Query), YLabel: textOrNil(d.YLabel), Details: d.Other, Payload: d.Payload,
	}
}

// textOrNil returns nil for an empty text.
func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
