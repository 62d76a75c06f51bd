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

const accessRequestColumns = "r.id, r.source_type, r.source_id, r.user_id, r.created_at, r.updated_at, " +
	"u.id, u.username, u.name, u.state, u.kind, u.locked_at, u.avatar"

func accessRequestFields(row *model.AccessRequestRow) []any {
	r, u := &row.Request, &row.User
	return []any{
		&r.ID, &r.SourceType, &r.SourceID, &r.UserID, &r.CreatedAt, &r.UpdatedAt,
		&u.ID, &u.Username, &u.Name, &u.State, &u.Kind, &u.LockedAt, &u.Avatar,
	}
}

// List returns one page of the access requests of a group or project, the oldest first, with what a list shows of their users.
func (s AccessRequests) List(ctx context.Context, sourceType string, sourceID int64, p Page) ([]model.AccessRequestRow, Total, error) {
	const from = "access_requests r JOIN users u ON u.id = r.user_id WHERE r.source_type = ? AND r.source_id = ?"
	return shortList[model.AccessRequestRow]{
		columns: accessRequestColumns, from: condition{from, []any{sourceType, sourceID}}, order: "r.id", fields: accessRequestFields,
	}.page(ctx, s.base, p)
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
