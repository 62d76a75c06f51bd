package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// ApprovedBy returns the users who have approved merge requests, in the order of their approvals.
func (s MergeRequests) ApprovedBy(ctx context.Context, ids []int64) (map[int64][]int64, error) {
	rows, err := query.Find[model.MergeRequestApproval](
		s.db.Read(ctx).Where("merge_request_id IN ?", ids).Order("created_at, user_id"), 0,
	)
	found := map[int64][]int64{}
	for _, row := range rows {
		found[row.MergeRequestID] = append(found[row.MergeRequestID], row.UserID)
	}
	return found, query.Translate(err)
}

// ResetApprovals removes all approvals of a merge request and returns the users who had given them.
func (s MergeRequests) ResetApprovals(ctx context.Context, id int64) ([]int64, error) {
	had, err := s.ApprovedBy(ctx, []int64{id})
	if err != nil || len(had[id]) == 0 {
		return nil, err
	}
	err = s.db.Write(ctx).Where("merge_request_id = ?", id).Delete(&model.MergeRequestApproval{}).Error
	if err == nil {
		err = s.db.Write(ctx).Model(&model.MergeRequestReviewer{}).
			Where("merge_request_id = ? AND user_id IN ? AND state = ?", id, had[id], model.ReviewApproved).
			Update("state", model.ReviewUnapproved).Error
	}
	return had[id], query.Translate(err)
}

// SetCommitters replaces the users who have written or committed commits of a merge request.
func (s MergeRequests) SetCommitters(ctx context.Context, id int64, userIDs []int64) error {
	if err := s.db.Write(ctx).Where("merge_request_id = ?", id).Delete(&model.MergeRequestCommitter{}).Error; err != nil {
		return query.Translate(err)
	}
	if len(userIDs) == 0 {
		return nil
	}
	rows := make([]model.MergeRequestCommitter, len(userIDs))
	for i, user := range userIDs {
		rows[i] = model.MergeRequestCommitter{MergeRequestID: id, UserID: user}
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&rows).Error)
}

// Committers returns the users who have written or committed commits of merge requests.
func (s MergeRequests) Committers(ctx context.Context, ids []int64) (map[int64][]int64, error) {
	rows, err := query.Find[model.MergeRequestCommitter](s.db.Read(ctx).Where("merge_request_id IN ?", ids), 0)
	found := map[int64][]int64{}
	for _, row := range rows {
		found[row.MergeRequestID] = append(found[row.MergeRequestID], row.UserID)
	}
	return found, query.Translate(err)
}

// VersionHeads returns the heads of the newest versions of merge requests.
func (s MergeRequests) VersionHeads(ctx context.Context, ids []int64) (map[int64]string, error) {
	rows, err := query.Find[model.MergeRequestVersion](s.db.Read(ctx).Where("id IN (SELECT max(id) FROM merge_request_versions "+
		"WHERE merge_request_id IN ? GROUP BY merge_request_id)", ids), 0)
	found := map[int64]string{}
	for _, row := range rows {
		found[row.MergeRequestID] = row.HeadSHA
	}
	return found, query.Translate(err)
}
