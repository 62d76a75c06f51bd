package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// RemoteMirrors holds the repositories on other servers that projects push to.
type RemoteMirrors struct{ *base }

// PullMirrors holds the repositories on other servers that projects pull from.
type PullMirrors struct{ *base }

const (
	remoteMirror = "Remote Mirror"
	pullMirror   = "Pull Mirror"
)

// List returns one page of the mirrors of a project, the oldest first.
func (s RemoteMirrors) List(ctx context.Context, projectID int64, p Page) ([]model.RemoteMirror, Total, error) {
	return query.List[model.RemoteMirror](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Get returns a mirror of a project.
func (s RemoteMirrors) Get(ctx context.Context, projectID, id int64) (model.RemoteMirror, error) {
	return query.Take[model.RemoteMirror](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), remoteMirror)
}

// Find returns a mirror, read through the writing pool.
func (s RemoteMirrors) Find(ctx context.Context, id int64) (model.RemoteMirror, error) {
	return query.Take[model.RemoteMirror](s.db.Write(ctx).Where("id = ?", id), remoteMirror)
}

// Create adds a mirror. It returns a *LimitError if the project already has most mirrors.
func (s RemoteMirrors) Create(ctx context.Context, row *model.RemoteMirror, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "mirrors of project "+strconv.FormatInt(row.ProjectID, 10)); err != nil {
			return err
		}
		var n int64
		count := s.db.Write(ctx).Raw("SELECT count(*) FROM remote_mirrors WHERE project_id = ?", row.ProjectID)
		if err := query.ScanFirst(count, &n); err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// Update sets columns of a mirror.
func (s RemoteMirrors) Update(ctx context.Context, id int64, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.RemoteMirror{}).Where("id = ?", id).Updates(set).Error)
}

// Delete removes a mirror, unless it was changed after the given time.
func (s RemoteMirrors) Delete(ctx context.Context, row model.RemoteMirror, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, remoteMirror, unchangedSince)
}

// MarkChanged stores that a project was pushed to, for its mirrors.
func (s RemoteMirrors) MarkChanged(ctx context.Context, projectID int64) error {
	return query.Translate(s.db.Write(ctx).Model(&model.RemoteMirror{}).Where("project_id = ? AND enabled", projectID).
		UpdateColumns(map[string]any{"changed_at": s.now()}).Error)
}

// idle is the condition for a mirror without an update that is queued or running: none has begun, or it began before a
// time at which it must have ended.
const idle = "(update_status <> '" + model.MirrorStarted + "' OR last_update_started_at < ?)"

// Claim marks a mirror as being updated, and reports whether it did: not if an update is queued or running already that has
// begun after the given time. The caller queues the update in the same transaction.
func (s RemoteMirrors) Claim(ctx context.Context, id int64, running time.Time) (bool, error) {
	return claim(s.db.Write(ctx).Model(&model.RemoteMirror{}), id, running, s.now())
}

func claim(q *gorm.DB, id int64, running, now time.Time) (bool, error) {
	done := q.Where("id = ? AND enabled AND "+idle, id, running.UTC()).UpdateColumns(map[string]any{
		"update_status": model.MirrorStarted, "last_update_started_at": now,
	})
	return done.RowsAffected > 0, query.Translate(done.Error)
}

// Mirrored is the result of the update of a mirror.
type Mirrored struct {
	ID        int64
	Began, At time.Time
	Status    string
	Error     *string
	Failures  int64
	NextAt    time.Time
}

// End stores the result of an update. A mirror whose update is tried again keeps its mark; another waits for the next push.
func (s RemoteMirrors) End(ctx context.Context, r Mirrored) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		set := map[string]any{
			"update_status": r.Status, "last_update_at": r.At, "last_error": r.Error, "failures": r.Failures, "next_at": r.NextAt,
		}
		if r.Status == model.MirrorFinished {
			set["last_successful_update_at"] = r.At
		}
		if err := s.Update(ctx, r.ID, set); err != nil {
			return err
		}
		mark := s.db.Write(ctx).Model(&model.RemoteMirror{})
		if r.Status == model.MirrorToRetry {
			mark = mark.Where("id = ? AND changed_at IS NULL", r.ID).UpdateColumns(map[string]any{"changed_at": r.Began.UTC()})
		} else {
			mark = mark.Where("id = ? AND changed_at <= ?", r.ID, r.Began.UTC()).UpdateColumns(map[string]any{"changed_at": nil})
		}
		return query.Translate(mark.Error)
	})
}

// Due returns enabled mirrors that wait for an update and may be updated at a time. An update that has begun after the
// second time is still running.
func (s RemoteMirrors) Due(ctx context.Context, at, running time.Time, most int) ([]model.RemoteMirror, error) {
	q := s.db.Read(ctx).Where("changed_at IS NOT NULL AND enabled AND (next_at IS NULL OR next_at <= ?) AND "+idle, at.UTC(), running.UTC())
	rows, err := query.Find[model.RemoteMirror](q.Order("changed_at, id").Limit(most), 0)
	return rows, query.Translate(err)
}

// Of returns the mirror that a project pulls from.
func (s PullMirrors) Of(ctx context.Context, projectID int64) (model.PullMirror, error) {
	return query.Take[model.PullMirror](s.db.Read(ctx).Where("project_id = ?", projectID), pullMirror)
}

// Find returns the mirror that a project pulls from, read through the writing pool.
func (s PullMirrors) Find(ctx context.Context, projectID int64) (model.PullMirror, error) {
	return query.Take[model.PullMirror](s.db.Write(ctx).Where("project_id = ?", projectID), pullMirror)
}

// Create adds the mirror that a project pulls from.
func (s PullMirrors) Create(ctx context.Context, row *model.PullMirror) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// Update sets columns of the mirror that a project pulls from.
func (s PullMirrors) Update(ctx context.Context, id int64, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.PullMirror{}).Where("id = ?", id).Updates(set).Error)
}

// Claim is RemoteMirrors.Claim for a mirror that is pulled from.
func (s PullMirrors) Claim(ctx context.Context, id int64, running time.Time) (bool, error) {
	return claim(s.db.Write(ctx).Model(&model.PullMirror{}), id, running, s.now())
}

// Due returns enabled mirrors whose next pull is due. A pull that has begun after the second time is still running.
func (s PullMirrors) Due(ctx context.Context, at, running time.Time, most int) ([]model.PullMirror, error) {
	q := s.db.Read(ctx).Where("next_at <= ? AND enabled AND "+idle, at.UTC(), running.UTC())
	rows, err := query.Find[model.PullMirror](q.Order("next_at, id").Limit(most), 0)
	return rows, query.Translate(err)
}
