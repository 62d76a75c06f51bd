package store

import (
	"context"
	"database/sql"
	"errors"

	"svc/store/internal/query"
	"svc/store/model"
)

// Endpoint finds the alert endpoint of a project by the project's path, current or former, and the identifier of an
// integration. If the project has no such integration, IntegrationID is 0.
func (s Alerts) Endpoint(ctx context.Context, path, identifier string) (model.AlertEndpoint, error) {
	var e model.AlertEndpoint
	err := s.db.Row(
		ctx,
		`SELECT p.id, p.visibility = ?, p.archived, coalesce(i.id, 0), coalesce(i.active, FALSE), i.digest,
			coalesce(i.mapping, ''), coalesce(t.create_incident, FALSE)
		FROM projects p LEFT JOIN alert_integrations i ON i.project_id = p.id AND i.identifier = `+opaqueText+
			` LEFT JOIN alert_settings t ON t.project_id = p.id
		WHERE p.id = (SELECT id FROM projects WHERE lower(full_path) = lower(`+opaqueText+
			`) UNION ALL SELECT project_id FROM project_redirects WHERE path = lower(`+opaqueText+`) LIMIT 1)`,
		[]any{model.Public, identifier, path, path},
		&e.ProjectID,
		&e.Public,
		&e.Archived,
		&e.IntegrationID,
		&e.Active,
		&e.Digest,
		&e.Mapping,
		&e.WantsIncident,
	)
	return e, query.Translate(err, project)
}

// RecordedAlert is an alert after a report about it was stored.
type RecordedAlert struct {
	ID, IID  int64
	Title    string
	Events   int64
	Incident bool // the alert has an incident or will get one
	Changed  bool // the report has created or resolved the alert
}

const (
	alertReturning = " RETURNING id, iid, title, events, wants_incident OR issue_id IS NOT NULL"
	alertIsOpen    = " WHERE project_id = ? AND fingerprint = ? AND status <> 'resolved'"
)

// lockAlerts makes transactions that write alerts of the same project wait for each other. It returns the last number
// that an alert of the project got.
func (s Alerts) lockAlerts(ctx context.Context, projectID int64) (int64, error) {
	var last int64
	err := s.db.WriteRow(ctx, `INSERT INTO project_counters (project_id, name, last) VALUES (?, ?, 0)
		ON CONFLICT (project_id, name) DO UPDATE SET last = project_counters.last RETURNING last`, []any{projectID, counterAlerts}, &last)
	return last, query.Translate(err)
}

// RecordInOneStatement stores one report in one statement: it counts the report on the unresolved alert with the same
// fingerprint, or creates an alert. It works only on PostgreSQL, and only for a report with a fingerprint that does not
// end the alert and concerns no incident. In other cases it stores nothing and returns false; the caller then uses
// Record. If two processes store the first report of an alert at the same moment, one number may be left out.
func (s Alerts) RecordInOneStatement(ctx context.Context, projectID int64, row model.Alert) (RecordedAlert, bool, error) {
	var found RecordedAlert
	if !s.Postgres() || row.Fingerprint == nil || row.EndedAt != nil || row.WantsIncident {
		return found, false, nil
	}
	at := s.now()
	err := s.db.WriteRow(ctx,
		`WITH given AS (SELECT CAST(? AS bigint) AS project_id, CAST(? AS text) AS fingerprint, CAST(? AS timestamptz) AS at), again AS (
			UPDATE alerts SET events = events + 1, updated_at = at FROM given
			WHERE alerts.project_id = given.project_id AND alerts.fingerprint = given.fingerprint
				AND status <> 'resolved' AND NOT wants_incident AND issue_id IS NULL
			RETURNING id, iid, title, events
		), number AS (
			INSERT INTO project_counters (project_id, name, last) SELECT project_id, ?, 1 FROM given
			WHERE NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.project_id = given.project_id
				AND alerts.fingerprint = given.fingerprint AND status <> 'resolved')
			ON CONFLICT (project_id, name) DO UPDATE SET last = project_counters.last + 1 RETURNING last
		), made AS (
			INSERT INTO alerts (project_id, iid, format, title, description, severity, status, service, monitoring_tool,
				environment, hosts, fingerprint, events,
				payload, started_at, wants_incident, told_status, told_events, created_at, updated_at)
			SELECT project_id, last, ?, ?, ?, ?, 'triggered', ?, ?, ?, ?, fingerprint, 1, ?, ?, FALSE, 'triggered', 1,
				at, at FROM given, number
			ON CONFLICT (project_id, fingerprint) WHERE status <> 'resolved' DO NOTHING RETURNING id, iid, title, events
		)
		SELECT *, FALSE FROM again UNION ALL SELECT *, TRUE FROM made`,
		[]any{
			projectID, *row.Fingerprint, at, counterAlerts,
			row.Format, row.Title, row.Description, row.Severity, row.Service, row.MonitoringTool, row.Environment, row.Hosts,
			row.Payload, row.StartedAt,
		}, &found.ID, &found.IID, &found.Title, &found.Events, &found.Changed)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	}
	return found, err == nil, query.Translate(err)
}

// Record stores reports about a project in the given order. A report whose fingerprint is that of an unresolved alert
// increases its count, or resolves it if the report has an end time. Any other report creates an alert.
func (s Alerts) Record(ctx context.Context, projectID int64, rows []model.Alert) ([]RecordedAlert, error) {
	recorded := make([]RecordedAlert, len(rows))
	err := s.Tx(ctx, func(ctx context.Context) error {
		before, err := s.lockAlerts(ctx, projectID)
		if err != nil {
			return err
		}
		last := before
		for i, row := range rows {
			row.ProjectID = projectID
			if recorded[i], err = s.record(ctx, row, &last); err != nil {
				return err
			}
		}
		if last == before {
			return nil
		}
		return query.Translate(s.db.Write(ctx).
			Exec("UPDATE project_counters SET last = ? WHERE project_id = ? AND name = ?", last, projectID, counterAlerts).Error)
	})
	return recorded, err
}

func (s Alerts) record(ctx context.Context, row model.Alert, last *int64) (RecordedAlert, error) {
	if row.Fingerprint != nil {
		found, err := s.applyToUnresolved(ctx, row)
		if !errors.Is(err, sql.ErrNoRows) {
			return found, query.Translate(err)
		}
	}
	at := s.now()
	row.Status, row.IID = model.AlertTriggered, *last+1
	if row.EndedAt != nil {
		row.Status = model.AlertResolved
	}
	found := RecordedAlert{Changed: true}
	err := s.db.WriteRow(
		ctx,
		`INSERT INTO alerts (project_id, iid, format, title, description, severity, status, service, monitoring_tool,
			environment, hosts, fingerprint, events,
		payload, started_at, ended_at, wants_incident, told_status, told_events, created_at, updated_at) VALUES (?, ?,
			?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 'triggered', 1, ?, ?)
		ON CONFLICT (project_id, fingerprint) WHERE status <> 'resolved' DO UPDATE SET events = alerts.events + 1,
			updated_at = excluded.updated_at`+
			" RETURNING id, iid, title, events, wants_incident",
		[]any{
			row.ProjectID, row.IID, row.Format, row.Title, row.Description, row.Severity, row.Status, row.Service,
			row.MonitoringTool, row.Environment, row.Hosts, row.Fingerprint,
			row.Payload, row.StartedAt, row.EndedAt, row.WantsIncident, at, at,
		},
		&found.ID,
		&found.IID,
		&found.Title,
		&found.Events,
		&found.Incident,
	)
	if err == nil && found.IID == row.IID {
		*last = row.IID
	}
	return found, query.Translate(err)
}

// applyToUnresolved applies a report to the unresolved alert with the same fingerprint: it increases the count or resolves the
// alert. It returns sql.ErrNoRows if there is no such alert. A report that ends an alert which is already resolved
// changes nothing, unless the reported alert started after that one ended; then it counts as a new alert.
func (s Alerts) applyToUnresolved(ctx context.Context, row model.Alert) (RecordedAlert, error) {
	var found RecordedAlert
	into := []any{&found.ID, &found.IID, &found.Title, &found.Events, &found.Incident}
	if row.EndedAt == nil {
		err := s.db.WriteRow(ctx, "UPDATE alerts SET events = events + 1, updated_at = ?"+alertIsOpen+alertReturning,
			[]any{s.now(), row.ProjectID, *row.Fingerprint}, into...)
		return found, err
	}
	err := s.db.WriteRow(ctx, "UPDATE alerts SET status = 'resolved', ended_at = ?, updated_at = ?"+alertIsOpen+alertReturning,
		[]any{*row.EndedAt, s.now(), row.ProjectID, *row.Fingerprint}, into...)
	if !errors.Is(err, sql.ErrNoRows) {
		found.Changed = true
		return found, err
	}
	var ended sql.NullTime
	err = s.db.WriteRow(ctx, "SELECT id, iid, title, events, FALSE, ended_at FROM alerts WHERE project_id = ? AND "+
		"fingerprint = ? AND status = 'resolved' ORDER BY id DESC LIMIT 1",
		[]any{row.ProjectID, *row.Fingerprint}, append(into, &ended)...)
	if err == nil && ended.Valid && row.StartedAt.After(ended.Time) {
		return RecordedAlert{}, sql.ErrNoRows
	}
	return found, err
}
