package store

import (
	"context"

	"svc/store/model"
)

// ListByUser returns one page of what a user was added to directly, of one type or of all, in the order of creation.
func (s Members) ListByUser(ctx context.Context, userID int64, sourceType string, p Page) ([]model.Membership, Total, error) {
	q := s.read(ctx).Table("members m").
		Select("m.source_id, n.name AS source_name, m.source_type, m.access_level").
		Joins("JOIN namespaces n ON n.id = m.source_id AND m.source_type = ?", model.SourceGroup).
		Where("m.user_id = ? AND (m.expires_at IS NULL OR m.expires_at > ?)", userID, today()).
		Order("m.id")
	if sourceType != "" {
		q = q.Where("m.source_type = ?", sourceType)
	}
	return list[model.Membership](q, p)
}
