package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Pipelines holds the pipelines and their variables.
type Pipelines struct{ *base }

const pipeline = "Pipeline"

// NewPipeline is a pipeline with its jobs, job specs and variables. Create sets the ids of the rows.
type NewPipeline struct {
	Pipeline  model.Pipeline
	Jobs      []model.Job
	Specs     []model.JobSpec
	Variables []model.PipelineVariable
}

// Create stores a pipeline. The number of statements is the same for one job and for a hundred.
func (s Pipelines) Create(ctx context.Context, n *NewPipeline) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if n.Pipeline.IID == 0 {
			var err error
			if n.Pipeline.IID, err = s.NextIID(ctx, n.Pipeline.ProjectID); err != nil {
				return err
			}
			query.OnRollback(ctx, func() { n.Pipeline.IID = 0 })
		}
		db := s.db.Write(ctx)
		if err := db.Create(&n.Pipeline).Error; err != nil {
			return query.Translate(err)
		}
		for i := range n.Jobs {
			n.Jobs[i].PipelineID = n.Pipeline.ID
		}
		for i := range n.Specs {
			n.Specs[i].PipelineID = n.Pipeline.ID
		}
		for i := range n.Variables {
			n.Variables[i].PipelineID = n.Pipeline.ID
		}
		if len(n.Jobs) > 0 {
			if err := db.CreateInBatches(&n.Jobs, someRows).Error; err != nil {
				return query.Translate(err)
			}
		}
		if len(n.Specs) > 0 {
			if err := db.CreateInBatches(&n.Specs, someRows).Error; err != nil {
				return query.Translate(err)
			}
		}
		if len(n.Variables) > 0 {
			return query.Translate(db.CreateInBatches(&n.Variables, someRows).Error)
		}
		return nil
	})
}

// NextIID reserves the next iid for a pipeline of a project. A caller that does not use it leaves a gap.
func (s Pipelines) NextIID(ctx context.Context, projectID int64) (int64, error) {
	return s.next(ctx, projectID, counterPipelines)
}

// GetByOrigin returns the pipeline with this origin. At most one pipeline exists for each origin.
func (s Pipelines) GetByOrigin(ctx context.Context, origin string) (model.Pipeline, error) {
	return query.Take[model.Pipeline](s.db.Write(ctx).Where("origin = ?", origin), pipeline)
}

// Lock returns a pipeline and locks its row for the transaction. Every transaction that changes a pipeline or its jobs
// locks the pipeline first.
func (s Pipelines) Lock(ctx context.Context, id int64) (model.Pipeline, error) {
	q := s.db.Write(ctx).Where("id = ?", id)
	if s.Postgres() {
		q = q.Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate})
	}
	return query.Take[model.Pipeline](q, pipeline)
}

// Get returns a pipeline of a project.
func (s Pipelines) Get(ctx context.Context, projectID, id int64) (model.Pipeline, error) {
	return query.Take[model.Pipeline](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), pipeline)
}

// GetByIID returns a pipeline of a project by its number in the project.
func (s Pipelines) GetByIID(ctx context.Context, projectID, iid int64) (model.Pipeline, error) {
	return query.Take[model.Pipeline](s.db.Read(ctx).Where("iid = ? AND project_id = ?", iid, projectID), pipeline)
}

// UpdateStatus stores the status, the failure reason and the times of a pipeline.
func (s Pipelines) UpdateStatus(ctx context.Context, p *model.Pipeline) error {
	p.UpdatedAt = s.now()
	return query.Translate(s.db.Write(ctx).Model(p).
		Select("status", "started_at", "finished_at", "duration", "failure_reason", "updated_at").Updates(p).Error)
}

// Find returns a pipeline, whichever project it belongs to.
func (s Pipelines) Find(ctx context.Context, id int64) (model.Pipeline, error) {
	var p model.Pipeline
	err := s.db.Row(ctx, "SELECT "+wholePipelineColumns+" FROM pipelines AS p WHERE p.id = ?", []any{id}, wholePipelineFields(&p)...)
	return p, query.Translate(err, pipeline)
}

// Older lists the older pipelines of the same branch that a new pipeline may make redundant, newest first. It lists
// pipelines of other commits that are not finished and were not started by another pipeline.
func (s Pipelines) Older(ctx context.Context, id int64, most int) ([]int64, error) {
	newer, err := s.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []int64
	err = s.db.Read(ctx).Model(&model.Pipeline{}).
		Where("project_id = ? AND ref = ? AND NOT tag AND id < ? AND sha <> ?", newer.ProjectID, newer.Ref, id, newer.SHA).
		Where(
			"upstream_job_id IS NULL AND status IN ('created', 'waiting_for_resource', 'preparing', 'pending', "+
				"'running', 'scheduled', 'manual')",
		).
		Order("id DESC").Limit(most).Pluck("id", &ids).Error
	return ids, query.Translate(err)
}
