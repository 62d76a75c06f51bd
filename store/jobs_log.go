package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// LogEnd is the size of a log and the CRC-32 of its content.
type LogEnd struct {
	Size int64
	Sum  uint32
}

// AppendLog records bytes of a log that are already on disk and returns the status of the job. It returns false and
// records nothing if the log does not end at offset or the job is not running.
func (s Jobs) AppendLog(ctx context.Context, id, offset int64, end LogEnd, debug bool) (status string, appended bool, err error) {
	at := s.now()
	err = s.db.WriteRow(ctx, `UPDATE jobs SET log_size = ?, log_sum = ?, debug = debug OR ?, contacted_at = ?
		WHERE id = ? AND log_size = ? AND status IN ('running', 'canceling') RETURNING status`,
		[]any{end.Size, int64(end.Sum), debug, at, id, offset}, &status)
	if IsNotFound(query.Translate(err)) {
		return "", false, nil
	}
	return status, err == nil, query.Translate(err)
}

// EraseLog clears the log of a job and schedules its data for removal.
func (s Jobs) EraseLog(ctx context.Context, id int64, key string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		err := s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", id).UpdateColumns(map[string]any{"log_size": 0, "log_sum": 0}).Error
		if err != nil {
			return query.Translate(err)
		}
		return s.removeBlobNow(ctx, key)
	})
}

// Erase removes the log and all files of a finished job and records when. The key is that of the log. It returns false
// if there is nothing to remove or the job is not finished.
func (s Jobs) Erase(ctx context.Context, id int64, key string) (erased bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		at := s.now()
		res := s.db.Write(ctx).Exec(`UPDATE jobs SET erased_at = ?, updated_at = ?, log_size = 0, log_sum = 0, artifacts_expire_at = NULL
			WHERE id = ? AND erased_at IS NULL AND status IN ('success', 'failed', 'canceled', 'skipped')
			AND (log_size > 0 OR EXISTS (SELECT 1 FROM job_artifacts a WHERE a.job_id = jobs.id))`, at, at, id)
		if erased = res.RowsAffected > 0; res.Error != nil || !erased {
			return query.Translate(res.Error)
		}
		if err := s.db.Write(ctx).Where("job_id = ?", id).Delete(&model.JobArtifact{}).Error; err != nil {
			return query.Translate(err)
		}
		return s.removeBlobNow(ctx, key)
	})
	return erased && err == nil, err
}
