package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Alerts holds the alerts that monitoring programs report to projects, and the integrations that receive them.
type Alerts struct{ *base }

const (
	alert            = "Alert"
	alertIntegration = "Alert Integration"
	maxIntegrations  = 100
)

// Integrations returns one page of the alert integrations of a project, the oldest first.
func (s Alerts) Integrations(ctx context.Context, projectID int64, p Page) ([]model.AlertIntegration, Total, error) {
	return query.List[model.AlertIntegration](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Integration returns an alert integration of a project.
func (s Alerts) Integration(ctx context.Context, projectID, id int64) (model.AlertIntegration, error) {
	return query.Take[model.AlertIntegration](s.db.Read(ctx).Where("project_id = ? AND id = ?", projectID, id), alertIntegration)
}

// CreateIntegration adds an alert integration. It returns ErrTooMany if the project has 100 integrations already or,
// unless several are allowed, one of the same type. Concurrent calls for a project wait for each other, so the limit
// holds.
func (s Alerts) CreateIntegration(ctx context.Context, i *model.AlertIntegration, several bool) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if _, err := s.lockAlerts(ctx, i.ProjectID); err != nil {
			return err
		}
		q, most := s.db.Write(ctx).Model(&model.AlertIntegration{}).Where("project_id = ?", i.ProjectID), int64(maxIntegrations)
		if !several {
			q, most = q.Where("type = ?", i.Type), 1
		}
		var n int64
		if err := q.Count(&n).Error; err != nil {
			return query.Translate(err)
		}
		if n >= most {
			return ErrTooMany
		}
		return query.Translate(s.db.Write(ctx).Create(i).Error)
	})
}

// UpdateIntegration changes columns of an alert integration and returns the new row.
func (s Alerts) UpdateIntegration(ctx context.Context, i model.AlertIntegration, set map[string]any) (model.AlertIntegration, error) {
	if len(set) > 0 {
		set["updated_at"] = s.now()
		if err := s.db.Write(ctx).Model(&model.AlertIntegration{}).Where("id = ?", i.ID).UpdateColumns(set).Error; err != nil {
			return i, query.Translate(err)
		}
	}
	return query.Take[model.AlertIntegration](s.db.Write(ctx).Where("id = ?", i.ID), alertIntegration)
}

// DeleteIntegration removes an alert integration, unless it was changed after the given time.
func (s Alerts) DeleteIntegration(ctx context.Context, i model.AlertIntegration, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, i, alertIntegration, unchangedSince)
}

// Settings returns the alert settings of a project, or the defaults if it has none.
func (s Alerts) Settings(ctx context.Context, projectID int64) (model.AlertSetting, error) {
	row, err := query.Take[model.AlertSetting](s.db.Read(ctx).Where("project_id = ?", projectID), "Alert Setting")
	if IsNotFound(err) {
		return model.AlertSetting{ProjectID: projectID, CloseIncident: true}, nil
	}
	return row, err
}

// SaveSettings creates or changes the alert settings of a project.
func (s Alerts) SaveSettings(ctx context.Context, row *model.AlertSetting) error {
	row.UpdatedAt = s.now() // GORM keeps the time of a row that was read before
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "project_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"create_incident", "close_incident", "updated_at"}),
	}).Create(row).Error)
}

// AlertFilter narrows a list of alerts.
type AlertFilter struct {
	Status, Severity, Search string
	AssigneeID               int64
	ByIID, Asc               bool
}

// shownAlert lists the columns of an alert in lists: all but the payload, which may be large.
const shownAlert = "alerts.id, alerts.project_id, alerts.iid, format, alerts.title, alerts.description, " +
	"alerts.severity, status, service, monitoring_tool, environment, hosts, " +
	"fingerprint, events, started_at, ended_at, alerts.created_at, alerts.updated_at, (SELECT iid FROM issues WHERE " +
	"issues.id = alerts.issue_id) AS issue_iid"

// List returns one page of the alerts of a project.
func (s Alerts) List(ctx context.Context, projectID int64, f AlertFilter, p Page) ([]model.AlertRow, Total, error) {
	q := s.db.Read(ctx).Select(shownAlert).Where("project_id = ?", projectID)
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.Severity != "" {
		q = q.Where("severity = ?", f.Severity)
	}
	if f.AssigneeID != 0 {
		q = q.Where("id IN (SELECT alert_id FROM alert_assignees WHERE user_id = ?)", f.AssigneeID)
	}
	if f.Search != "" {
		part := "%" + likeEscaper.Replace(f.Search) + "%"
		like := ` LIKE lower(?) ESCAPE '\'`
		q = q.Where("lower(title)"+like+" OR lower(description)"+like+" OR lower(service)"+like+" OR lower(monitoring_tool)"+like,
			part, part, part, part)
	}
	columns := []string{"started_at", "id"}
	if f.ByIID {
		columns = []string{"iid"}
	}
	for _, c := range columns {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: c}, Desc: !f.Asc})
	}
	rows, total, err := query.ListFiltered[model.AlertRow](q, p)
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.assignees(ctx, rows)
}

// Get returns an alert of a project by its number in the project.
func (s Alerts) Get(ctx context.Context, projectID, iid int64) (model.AlertRow, error) {
	return s.one(ctx, s.db.Read(ctx).Where("project_id = ? AND iid = ?", projectID, iid))
}

func (s Alerts) one(ctx context.Context, q *gorm.DB) (model.AlertRow, error) {
	row, err := query.Take[model.AlertRow](q.Select(shownAlert+", payload, wants_incident, issue_id, told_status, told_events"), alert)
	if err != nil {
		return row, err
	}
	rows := []model.AlertRow{row}
	err = s.assignees(ctx, rows)
	return rows[0], err
}

// alertAssignee is an assignee of an alert.
type alertAssignee struct {
	AlertID int64
	User    model.User `gorm:"embedded"`
}

// assignees adds the assignees to alerts, in one statement.
func (s Alerts) assignees(ctx context.Context, rows []model.AlertRow) error {
	if len(rows) == 0 {
		return nil
	}
	ids, at := make([]int64, len(rows)), make(map[int64]*model.AlertRow, len(rows))
	for i := range rows {
		ids[i] = rows[i].Alert.ID
		at[ids[i]] = &rows[i]
	}
	people, err := query.Find[alertAssignee](s.db.Read(ctx).Table("users").Select("x.alert_id, users.*").
		Joins("JOIN alert_assignees x ON x.user_id = users.id").
		Where("x.alert_id IN ?", ids).Order("x.alert_id, users.id"), 0)
	for _, p := range people {
		at[p.AlertID].Assignees = append(at[p.AlertID].Assignees, p.User)
	}
	return query.Translate(err)
}

// Lock reads an alert that the transaction is about to change. Other transactions that lock it wait.
func (s Alerts) Lock(ctx context.Context, id int64) (model.Alert, error) {
	q := s.db.Write(ctx).Where("id = ?", id)
	if s.Postgres() {
		q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	return query.Take[model.Alert](q, alert)
}

// SetStatus changes the status of a locked alert. It returns a *ConflictError if there would be two unresolved alerts
// with the same fingerprint.
func (s Alerts) SetStatus(ctx context.Context, a model.Alert, status string) (model.Alert, error) {
	if a.Status == status {
		return a, nil
	}
	a.Status, a.EndedAt = status, nil
	if status == model.AlertResolved {
		ended := s.now()
		a.EndedAt = &ended
	}
	return a, query.Translate(s.db.Write(ctx).Model(&model.Alert{}).Where("id = ?", a.ID).
		UpdateColumns(map[string]any{"status": a.Status, "ended_at": a.EndedAt, "updated_at": s.now()}).Error)
}

// Assign replaces the assignees of an alert.
func (s Alerts) Assign(ctx context.Context, alertID int64, users []int64) error {
	if err := s.db.Write(ctx).Where("alert_id = ?", alertID).Delete(&model.AlertAssignee{}).Error; err != nil {
		return query.Translate(err)
	}
	rows := make([]model.AlertAssignee, len(users))
	for i, id := range users {
		rows[i] = model.AlertAssignee{AlertID: alertID, UserID: id}
	}
	if len(rows) > 0 {
		if err := s.db.Write(ctx).Create(&rows).Error; err != nil {
			return query.Translate(err)
		}
	}
	return query.Translate(s.db.Write(ctx).Model(&model.Alert{}).Where("id = ?", alertID).UpdateColumn("updated_at", s.now()).Error)
}

// SaveIncidentState stores the incident of a locked alert, and the status and the number of events that the incident already shows.
func (s Alerts) SaveIncidentState(ctx context.Context, a model.Alert) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Alert{}).Where("id = ?", a.ID).UpdateColumns(map[string]any{
		"issue_id": a.IssueID, "wants_incident": a.WantsIncident, "told_status": a.ToldStatus, "told_events": a.ToldEvents,
	}).Error)
}
