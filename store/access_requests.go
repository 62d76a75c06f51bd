package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// AccessRequests holds the requests of users to become members of groups and projects.
type AccessRequests struct{ *base }

const accessRequest = "Access Request"

// Create adds an access request. It returns a *ConflictError if the user has already asked.
func (s AccessRequests) Create(ctx context.Context, r *model.AccessRequest) error {
	return query.Translate(s.db.Write(ctx).Create(r).Error)
}

// List returns one page of the access requests of a group or project with their users, the oldest first.
func (s AccessRequests) List(ctx context.Context, sourceType string, sourceID int64, p Page) ([]model.AccessRequestRow, Total, error) {
	rows, total, err := query.List[model.AccessRequest](s.db.Read(ctx).Where("source_type = ? AND source_id = ?", sourceType, sourceID).
		Order("id"), p)
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

// Approve replaces the access request of a user by the membership m. It returns a *NotFoundError if there is no
// request, for example because another caller has handled it.
func (s AccessRequests) Approve(ctx context.Context, m *model.Member) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.Delete(ctx, m.SourceType, m.SourceID, m.UserID, nil); err != nil {
			return err
		}
		return Members(s).Add(ctx, m)
	})
}

// Delete removes the access request of a user, unless it was changed after the given time.
func (s AccessRequests) Delete(ctx context.Context, sourceType string, sourceID, userID int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.AccessRequest](ctx, s.db, accessRequest, unchangedSince,
		"source_type = ? AND source_id = ? AND user_id = ?", sourceType, sourceID, userID)
}
