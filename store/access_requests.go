package store

import (
	"context"
	"time"

	"svc/store/model"
)

// AccessRequests are users who ask to become members.
type AccessRequests struct{ *base }

const accessRequest = "Access Request"

// Create notes that a user asks; a *ConflictError when they have.
func (s AccessRequests) Create(ctx context.Context, r *model.AccessRequest) error {
	return translate(s.write(ctx).Create(r).Error)
}

// List returns one page of who asks for a role in a group or project, in the order of asking, with the users.
func (s AccessRequests) List(ctx context.Context, sourceType string, sourceID int64, p Page) ([]model.AccessRequestRow, Total, error) {
	rows, total, err := list[model.AccessRequest](s.read(ctx).Where("source_type = ? AND source_id = ?", sourceType, sourceID).Order("id"), p)
	if err != nil {
		return nil, Total{}, err
	}
	ids := make([]int64, len(rows))
	for i, r := range rows {
		ids[i] = r.UserID
	}
	users, err := Users(s).ByID(ctx, ids)
	if err != nil {
		return nil, Total{}, err
	}
	out := make([]model.AccessRequestRow, len(rows))
	for i, r := range rows {
		out[i] = model.AccessRequestRow{Request: r, User: users[r.UserID]}
	}
	return out, total, nil
}

// Approve makes who asked a member; a *NotFoundError when they have not, or somebody else was faster.
func (s AccessRequests) Approve(ctx context.Context, m *model.Member) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.Delete(ctx, m.SourceType, m.SourceID, m.UserID, nil); err != nil {
			return err
		}
		return Members(s).Add(ctx, m)
	})
}

// Delete forgets that a user asks, unless that was changed after the given time.
func (s AccessRequests) Delete(ctx context.Context, sourceType string, sourceID, userID int64, unchangedSince *time.Time) error {
	return deleteWhere[model.AccessRequest](ctx, s.base, accessRequest, unchangedSince,
		"source_type = ? AND source_id = ? AND user_id = ?", sourceType, sourceID, userID)
}
