package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// PipelineTriggers holds the trigger tokens of projects.
type PipelineTriggers struct{ *base }

const pipelineTrigger = "Trigger"

// List returns one page of the trigger tokens of a project, in the order of creation.
func (s PipelineTriggers) List(ctx context.Context, projectID int64, p Page) ([]model.PipelineTrigger, Total, error) {
	return query.List[model.PipelineTrigger](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Get returns a trigger token of a project.
func (s PipelineTriggers) Get(ctx context.Context, projectID, id int64) (model.PipelineTrigger, error) {
	return query.Take[model.PipelineTrigger](s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), pipelineTrigger)
}

// FindByDigest returns the trigger token with this digest.
func (s PipelineTriggers) FindByDigest(ctx context.Context, digest []byte) (model.PipelineTrigger, error) {
	return query.Take[model.PipelineTrigger](s.db.Read(ctx).Where("digest = ?", digest), pipelineTrigger)
}

// MarkUsed stores that a trigger token was used now.
func (s PipelineTriggers) MarkUsed(ctx context.Context, id int64) error {
	return query.Translate(s.db.Write(ctx).Model(&model.PipelineTrigger{}).
		Where("id = ?", id).UpdateColumn("last_used_at", s.now()).Error)
}

// Create adds a trigger token.
func (s PipelineTriggers) Create(ctx context.Context, row *model.PipelineTrigger) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// Describe changes the description of a trigger token and returns the token.
func (s PipelineTriggers) Describe(ctx context.Context, row model.PipelineTrigger, description string) (model.PipelineTrigger, error) {
	row.Description = description
	return row, query.Translate(s.db.Write(ctx).Save(&row).Error)
}

// Delete removes a trigger token, unless it was changed after the given time.
func (s PipelineTriggers) Delete(ctx context.Context, row model.PipelineTrigger, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, pipelineTrigger, unchangedSince)
}
