package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// JobArtifacts holds the files that jobs store.
type JobArtifacts struct{ *base }

const jobArtifact = "Artifact"

// ScheduleRemoval schedules a file for removal at the given time. The file stays if Create stores it before that.
func (s JobArtifacts) ScheduleRemoval(ctx context.Context, key string, due time.Time) error {
	return s.ScheduleBlobRemoval(ctx, key, due)
}

// Create adds a file that was announced. It returns a *ConflictError if the job has a file of the same type, and a
// *NotFoundError if the job is gone.
func (s JobArtifacts) Create(ctx context.Context, a *model.JobArtifact) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.cancelBlobRemoval(ctx, a.Key); err != nil {
			return err
		}
		if err := s.db.Write(ctx).Create(a).Error; err != nil {
			if query.IsGone(err) {
				return &NotFoundError{Resource: job}
			}
			return query.Translate(err)
		}
		if a.FileType != model.ArchiveArtifact {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Model(&model.Job{}).
			Where("id = ?", a.JobID).UpdateColumn("artifacts_expire_at", a.ExpireAt).Error)
	})
}

// Get returns the file of a job with the given type.
func (s JobArtifacts) Get(ctx context.Context, jobID int64, fileType string) (model.JobArtifact, error) {
	return query.Take[model.JobArtifact](s.db.Read(ctx).Where("job_id = ? AND file_type = ?", jobID, fileType), jobArtifact)
}

// OfJobs returns the files of some jobs by job, the oldest first.
func (s JobArtifacts) OfJobs(ctx context.Context, jobIDs []int64) (map[int64][]model.JobArtifact, error) {
	if len(jobIDs) == 0 {
		return nil, nil
	}
	byJob := make(map[int64][]model.JobArtifact, len(jobIDs))
	in := s.inIDs(jobIDs)
	statement := "SELECT id, project_id, job_id, file_type, file_format, filename, size, sha256, key, created_at, " +
		"expire_at FROM job_artifacts WHERE job_id " + in.text + " ORDER BY id"
	err := s.db.Rows(ctx, statement, in.args, func(row query.Scanner) error {
		var a model.JobArtifact
		err := row.Scan(&a.ID, &a.ProjectID, &a.JobID, &a.FileType, &a.FileFormat, &a.Filename, &a.Size, &a.SHA256, &a.Key,
			&a.CreatedAt, &a.ExpireAt)
		byJob[a.JobID] = append(byJob[a.JobID], a)
		return err
	})
	return byJob, query.Translate(err)
}

// DeleteOfJob removes all files of a job. The rows are deleted at once, the data soon after.
func (s JobArtifacts) DeleteOfJob(ctx context.Context, jobID int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Write(ctx).Where("job_id = ?", jobID).Delete(&model.JobArtifact{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", jobID).UpdateColumn("artifacts_expire_at", nil).Error)
	})
}

// notLatest is a condition for the files a of jobs j of pipelines p in projects r. It excludes the files of the newest
// successful pipeline of each branch or tag if the project keeps those.
const notLatest = `NOT (r.keep_latest_artifact AND NOT j.retried AND p.status = 'success' AND NOT EXISTS (
	SELECT 1 FROM pipelines n WHERE n.project_id = p.project_id AND n.ref = p.ref AND n.tag = p.tag AND n.id > p.id
		AND n.status = 'success'))`

// DeleteOfProject removes at most the given number of files of a project that were created before the given time,
// lowest ids first, and returns how many it removed. Files of the newest successful pipeline of a branch or tag stay if
// the project keeps those.
func (s JobArtifacts) DeleteOfProject(ctx context.Context, projectID int64, before time.Time, most int) (int64, error) {
	res := s.db.Write(ctx).Exec(`DELETE FROM job_artifacts WHERE id IN (
		SELECT a.id FROM job_artifacts a JOIN jobs j ON j.id = a.job_id JOIN pipelines p ON p.id = j.pipeline_id
			JOIN projects r ON r.id = a.project_id
		WHERE a.project_id = ? AND a.created_at < ? AND `+notLatest+` ORDER BY a.id LIMIT ?)`, projectID, before, most)
	return res.RowsAffected, query.Translate(res.Error)
}

// ClearExpiry removes the expiry of the files of a job. It returns false if the job has no files.
func (s JobArtifacts) ClearExpiry(ctx context.Context, jobID int64) (kept bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		res := s.db.Write(ctx).Model(&model.JobArtifact{}).Where("job_id = ?", jobID).UpdateColumn("expire_at", nil)
		if kept = res.RowsAffected > 0; res.Error != nil {
			return query.Translate(res.Error)
		}
		return query.Translate(s.db.Write(ctx).Model(&model.Job{}).Where("id = ?", jobID).UpdateColumn("artifacts_expire_at", nil).Error)
	})
	return kept && err == nil, err
}

// DeleteExpired removes at most the given number of expired files and returns how many it removed. Files of the newest
// successful pipeline of a branch or tag stay if the project keeps those.
func (s JobArtifacts) DeleteExpired(ctx context.Context, at time.Time, most int) (int64, error) {
	res := s.db.Write(ctx).Exec(`DELETE FROM job_artifacts WHERE id IN (
		SELECT a.id FROM job_artifacts a JOIN jobs j ON j.id = a.job_id JOIN pipelines p ON p.id = j.pipeline_id
			JOIN projects r ON r.id = a.project_id
		WHERE a.expire_at < ? AND `+notLatest+` ORDER BY a.expire_at, a.id LIMIT ?)`, at, most)
	return res.RowsAffected, query.Translate(res.Error)
}

// ListRemovals returns the keys of at most the given number of files that are due for removal.
func (s JobArtifacts) ListRemovals(ctx context.Context, at time.Time, most int) ([]string, error) {
	var keys []string
	err := s.db.Read(ctx).Model(&model.BlobRemoval{}).Where("due_at < ?", at).Order("due_at, key").Limit(most).Pluck("key", &keys).Error
	return keys, query.Translate(err)
}

// ClearRemovals deletes files from the list of files to be removed, after their data was removed.
func (s JobArtifacts) ClearRemovals(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Where("key IN ?", keys).Delete(&model.BlobRemoval{}).Error)
}

// removeBlobNow schedules a file for removal now.
func (b *base) removeBlobNow(ctx context.Context, key string) error {
	return b.ScheduleBlobRemoval(ctx, key, b.now())
}
