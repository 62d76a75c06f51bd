package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// Jobs holds the jobs and bridges of pipelines.
type Jobs struct{ *base }

const job = "Job"

// Newest returns the jobs and bridges of a pipeline in the order of its stages, without retried ones.
func (s Jobs) Newest(ctx context.Context, pipelineID int64) ([]model.Job, error) {
	rows, err := query.Find[model.Job](
		s.db.Write(ctx).Where("pipeline_id = ? AND NOT retried", pipelineID).Order("stage_index, id"),
		someRows,
	)
	return rows, query.Translate(err)
}

// NewestRows returns the jobs of a pipeline in the order of its stages, with their users, runners and files. Retried
// jobs and bridges are left out.
func (s Jobs) NewestRows(ctx context.Context, p model.Pipeline) ([]model.JobRow, error) {
	jobs, err := s.Newest(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	rows := make([]model.JobRow, 0, len(jobs))
	for _, j := range jobs {
		if !j.Bridge {
			rows = append(rows, model.JobRow{Job: j, Pipeline: p})
		}
	}
	return rows, s.complete(ctx, rows)
}

// CountRetried counts the jobs of a pipeline with a name that newer jobs have replaced.
func (s Jobs) CountRetried(ctx context.Context, pipelineID int64, name string) (n int64, err error) {
	err = s.db.Row(ctx, "SELECT count(*) FROM jobs WHERE pipeline_id = ? AND name = ? AND retried", []any{pipelineID, name}, &n)
	return n, query.Translate(err)
}

// Find returns a job or bridge of any project.
func (s Jobs) Find(ctx context.Context, id int64) (model.Job, error) {
	return s.one(ctx, "j.id = ?", id)
}

// one returns the job that a condition selects.
func (s Jobs) one(ctx context.Context, condition string, value any) (j model.Job, err error) {
	err = s.db.Row(ctx, "SELECT "+jobColumns+" FROM jobs AS j WHERE "+condition, []any{value}, jobFields(&j)...)
	return j, query.Translate(err, job)
}

// GetWithSpec returns a job with its pipeline and its specification from the CI file, which is empty if it is lost.
func (s Jobs) GetWithSpec(ctx context.Context, id int64) (j model.Job, p model.Pipeline, spec string, err error) {
	statement := "SELECT " + jobColumns + ", " + wholePipelineColumns +
		", coalesce(x.spec, '') FROM jobs AS j JOIN pipelines AS p ON p.id = j.pipeline_id " +
		"LEFT JOIN job_specs AS x ON x.pipeline_id = j.pipeline_id AND x.name = j.name WHERE j.id = ?"
	err = s.db.Row(ctx, statement, []any{id}, append(append(jobFields(&j), wholePipelineFields(&p)...), &spec)...)
	return j, p, spec, query.Translate(err, job)
}

// Started returns the jobs of a pipeline that have started, without retried ones and bridges: those with the given
// names or, if names is nil, those in the stages before beforeStage.
func (s Jobs) Started(ctx context.Context, pipelineID, beforeStage int64, names []string) ([]model.Job, error) {
	q := s.db.Read(ctx).
		Where("pipeline_id = ? AND NOT retried AND NOT bridge AND started_at IS NOT NULL", pipelineID).Order("stage_index, id")
	if names != nil {
		q = q.Where("name IN ?", names)
	} else {
		q = q.Where("stage_index < ?", beforeStage)
	}
	rows, err := query.Find[model.Job](q, someRows)
	return rows, query.Translate(err)
}

// GetByName returns the job of a pipeline with the given name. Retried jobs and bridges do not count.
func (s Jobs) GetByName(ctx context.Context, pipelineID int64, name string) (model.Job, error) {
	return query.Take[model.Job](s.db.Read(ctx).Where("pipeline_id = ? AND name = ? AND NOT retried AND NOT bridge", pipelineID, name), job)
}

// Get returns a job of a project. Bridges do not count.
func (s Jobs) Get(ctx context.Context, projectID, id int64) (model.Job, error) {
	return query.Take[model.Job](s.db.Read(ctx).Where("id = ? AND project_id = ? AND NOT bridge", id, projectID), job)
}

// GetAny returns a job or bridge of a project.
func (s Jobs) GetAny(ctx context.Context, projectID, id int64) (model.Job, error) {
	return query.Take[model.Job](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), job)
}

// Spec returns the specification of a job from the CI file, as JSON.
func (s Jobs) Spec(ctx context.Context, pipelineID int64, name string) (string, error) {
	var spec string
	err := s.db.Row(ctx, "SELECT spec FROM job_specs WHERE pipeline_id = ? AND name = ?", []any{pipelineID, name}, &spec)
	return spec, query.Translate(err, "JobSpec")
}

// LatestWithArtifacts returns the newest job with the given name that has an archive, in the newest successful pipeline
// of a ref or in its child pipelines.
func (s Jobs) LatestWithArtifacts(ctx context.Context, projectID int64, ref, name string) (model.Job, error) {
	return query.Take[model.Job](s.db.Read(ctx).Raw(`WITH RECURSIVE family(id) AS (
		SELECT id FROM (SELECT id FROM pipelines WHERE project_id = ? AND ref = ? AND status = 'success' AND NOT child
			ORDER BY id DESC LIMIT 1) AS newest
		UNION ALL
		SELECT p.id FROM family JOIN jobs b ON b.pipeline_id = family.id AND b.bridge
			JOIN pipelines p ON p.upstream_job_id = b.id AND p.child
	) SELECT j.* FROM family JOIN jobs j ON j.pipeline_id = family.id
	WHERE j.name = ? AND NOT j.retried AND NOT j.bridge AND EXISTS (SELECT 1 FROM job_artifacts a WHERE a.job_id = j.id
		AND a.file_type = 'archive')
	ORDER BY j.id DESC LIMIT 1`, projectID, ref, name), job)
}

// recentPipelines is the number of pipelines of a ref that are searched for a job.
const recentPipelines = 1000

// LatestSuccess returns the newest successful job with the given name in the recent pipelines of a ref.
func (s Jobs) LatestSuccess(ctx context.Context, projectID int64, ref, name string) (model.Job, error) {
	return query.Take[model.Job](s.db.Read(ctx).
		Raw(`SELECT j.* FROM (SELECT id FROM pipelines WHERE project_id = ? AND ref = ? ORDER BY id DESC LIMIT ?) AS recent
		JOIN jobs j ON j.pipeline_id = recent.id WHERE j.name = ? AND j.status = 'success' AND NOT j.retried AND NOT j.bridge
		ORDER BY j.id DESC LIMIT 1`, projectID, ref, recentPipelines, name), job)
}
