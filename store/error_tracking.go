package store

import (
	"context"
	"errors"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// ErrorTracking holds the errors that programs report to projects, and the client keys that they report with.
type ErrorTracking struct{ *base }

const (
	keptEvents   = 100 // events kept per error
	trimEvery    = 50
	maxErrorKeys = 100
	clientKey    = "Client Key"
	trackedError = "Error"
)

// Settings returns the error tracking settings of a project.
func (s ErrorTracking) Settings(ctx context.Context, projectID int64) (model.ErrorTrackingSetting, error) {
	return query.Take[model.ErrorTrackingSetting](s.db.Read(ctx).Where("project_id = ?", projectID), "Error Tracking Setting")
}

// SaveSettings creates or changes the error tracking settings of a project.
func (s ErrorTracking) SaveSettings(ctx context.Context, row *model.ErrorTrackingSetting) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "project_id"}}, DoUpdates: clause.AssignmentColumns([]string{"active", "integrated", "updated_at"}),
	}).Create(row).Error)
}

// Keys returns one page of the client keys of a project, the oldest first, without their digests.
func (s ErrorTracking) Keys(ctx context.Context, projectID int64, p Page) ([]model.ErrorTrackingKey, Total, error) {
	return shortList[model.ErrorTrackingKey]{
		columns: "id, project_id, sealed, created_at", order: "id",
		from: condition{"error_tracking_keys WHERE project_id = ?", []any{projectID}},
		fields: func(k *model.ErrorTrackingKey) []any {
			return []any{&k.ID, &k.ProjectID, &k.Sealed, &k.CreatedAt}
		},
	}.page(ctx, s.base, p)
}

// Key returns a client key of a project.
func (s ErrorTracking) Key(ctx context.Context, projectID, id int64) (model.ErrorTrackingKey, error) {
	return query.Take[model.ErrorTrackingKey](s.db.Read(ctx).Where("project_id = ? AND id = ?", projectID, id), clientKey)
}

// ErrTooMany says that the limit on the number of rows is reached.
var ErrTooMany = errors.New("the maximum number is reached")

// CreateKey adds a client key. It returns ErrTooMany if the project has 100 keys already.
func (s ErrorTracking) CreateKey(ctx context.Context, k *model.ErrorTrackingKey) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		var n int64
		q := s.db.Write(ctx).Model(&model.ErrorTrackingKey{}).Where("project_id = ?", k.ProjectID).Count(&n)
		switch {
		case q.Error != nil:
			return query.Translate(q.Error)
		case n >= maxErrorKeys:
			return ErrTooMany
		}
		return query.Translate(s.db.Write(ctx).Create(k).Error)
	})
}

// DeleteKey removes a client key, unless it was created after the given time.
func (s ErrorTracking) DeleteKey(ctx context.Context, k model.ErrorTrackingKey, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, k, clientKey, unchangedSince)
}

// CheckKey reports whether a project has the client key with the given digest, and whether the project accepts errors.
func (s ErrorTracking) CheckKey(ctx context.Context, projectID int64, digest []byte) (known, open bool, err error) {
	var rows []bool
	err = s.db.Read(ctx).Raw(`SELECT coalesce(t.active AND t.integrated, FALSE) FROM error_tracking_keys k
		LEFT JOIN error_tracking_settings t ON t.project_id = k.project_id WHERE k.digest = ? AND k.project_id = ?`,
		digest, projectID).Scan(&rows).Error
	return len(rows) > 0, len(rows) > 0 && rows[0], query.Translate(err)
}

var errSent = errors.New("the event was already sent")

// Record stores an event and counts it on its error, which becomes unresolved again. An event that was sent before
// changes nothing. Of one error, about the last 100 events are kept.
func (s ErrorTracking) Record(ctx context.Context, e model.TrackedError, v model.TrackedErrorEvent) error {
	err := s.Tx(ctx, func(ctx context.Context) error {
		var id, count int64
		q := s.db.Write(
			ctx,
		).Raw(
			`INSERT INTO tracked_errors AS t (project_id, fingerprint, title, description, culprit, platform, level,
				status, events_count, first_seen_at, last_seen_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)
			ON CONFLICT (project_id, fingerprint) DO UPDATE SET events_count = t.events_count + 1,
				description = excluded.description, level = excluded.level,
			last_seen_at = CASE WHEN excluded.last_seen_at > t.last_seen_at THEN excluded.last_seen_at ELSE t.last_seen_at END,
			status = CASE WHEN t.status = 'resolved' THEN 'unresolved' ELSE t.status END, resolved_at = NULL
			RETURNING id, events_count`,
			e.ProjectID,
			e.Fingerprint,
			e.Title,
			e.Description,
			e.Culprit,
			e.Platform,
			e.Level,
			model.ErrorUnresolved,
			v.OccurredAt,
			v.OccurredAt,
		)
		if err := query.ScanFirst(q, &id, &count); err != nil {
			return query.Translate(err)
		}
		v.ErrorID = id
		res := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&v)
		switch {
		case res.Error != nil:
			return query.Translate(res.Error)
		case res.RowsAffected == 0:
			return errSent
		case count%trimEvery != 0 || count <= keptEvents:
			return nil
		}
		return query.Translate(s.db.Write(ctx).Exec(`DELETE FROM tracked_error_events WHERE error_id = ? AND id <= (
			SELECT id FROM tracked_error_events WHERE error_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`, id, id, keptEvents).Error)
	})
	if errors.Is(err, errSent) {
		return nil
	}
	return err
}

// ErrorFilter narrows a list of errors.
type ErrorFilter struct {
	Status, Search, Column string
	Asc                    bool
}

var errorOrders = map[string]string{"last_seen": "last_seen_at", "first_seen": "first_seen_at", "count": "events_count"}

// List returns one page of the errors of a project.
func (s ErrorTracking) List(ctx context.Context, projectID int64, f ErrorFilter, p Page) ([]model.TrackedError, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID)
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	if f.Search != "" {
		part := "%" + likeEscaper.Replace(f.Search) + "%"
		q = q.Where(`lower(title) LIKE lower(?) ESCAPE '\' OR lower(description) LIKE lower(?) ESCAPE '\'`, part, part)
	}
	column := errorOrders[f.Column]
	if column == "" {
		column = "last_seen_at"
	}
	for _, c := range []string{column, "id"} {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: c}, Desc: !f.Asc})
	}
	return query.ListFiltered[model.TrackedError](q, p)
}

// Get returns an error of a project.
func (s ErrorTracking) Get(ctx context.Context, projectID, id int64) (model.TrackedError, error) {
	return query.Take[model.TrackedError](s.db.Read(ctx).Where("project_id = ? AND id = ?", projectID, id), trackedError)
}

// SetStatus changes the status of an error and returns the new row.
func (s ErrorTracking) SetStatus(ctx context.Context, e model.TrackedError, status string) (model.TrackedError, error) {
	set := map[string]any{"status": status, "resolved_at": nil}
	if status == model.ErrorResolved {
		set["resolved_at"] = s.now()
	}
	res := s.db.Write(ctx).Model(&model.TrackedError{}).Where("id = ? AND status <> ?", e.ID, status).Updates(set)
	if res.Error != nil {
		return e, query.Translate(res.Error)
	}
	return query.Take[model.TrackedError](s.db.Write(ctx).Where("id = ?", e.ID), trackedError)
}

// Events returns one page of the events of an error, the newest first.
func (s ErrorTracking) Events(ctx context.Context, errorID int64, p Page) ([]model.TrackedErrorEvent, Total, error) {
	return query.List[model.TrackedErrorEvent](s.db.Read(ctx).Where("error_id = ?", errorID).Order("id DESC"), p)
}

// DeleteOld removes the events that were stored before the given time and the errors that were last seen before it.
func (s ErrorTracking) DeleteOld(ctx context.Context, since time.Time) error {
	events := s.db.Write(ctx).Where("created_at < ?", since).Delete(&model.TrackedErrorEvent{}).Error
	errs := s.db.Write(ctx).Where("last_seen_at < ?", since).Delete(&model.TrackedError{}).Error
	return query.Translate(errors.Join(events, errs))
}
