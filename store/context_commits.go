package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// ContextCommits holds the commits that reviewers of merge requests should know.
type ContextCommits struct{ *base }

// List returns one page of the context commits of a merge request, the newest first.
func (s ContextCommits) List(ctx context.Context, mergeRequestID int64, p Page) ([]model.ContextCommit, Total, error) {
	q := s.db.Read(ctx).Where("merge_request_id = ?", mergeRequestID).Order("committed_at DESC").Order("id DESC")
	return query.List[model.ContextCommit](q, p)
}

// SHAs returns the IDs of the context commits of a merge request.
func (s ContextCommits) SHAs(ctx context.Context, mergeRequestID int64) ([]string, error) {
	var found []string
	err := s.db.Write(ctx).Model(&model.ContextCommit{}).Where("merge_request_id = ?", mergeRequestID).Pluck("sha", &found).Error
	return found, query.Translate(err)
}

// Create adds context commits. It returns a *ConflictError if the merge request has one of them.
func (s ContextCommits) Create(ctx context.Context, rows []model.ContextCommit) error {
	return query.Translate(s.db.Write(ctx).Create(&rows).Error)
}

// Delete removes context commits of a merge request.
func (s ContextCommits) Delete(ctx context.Context, mergeRequestID int64, shas []string) error {
	return query.Translate(s.db.Write(ctx).Where("merge_request_id = ? AND sha IN ?", mergeRequestID, shas).
		Delete(&model.ContextCommit{}).Error)
}
