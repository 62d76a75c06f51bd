package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// SolelyOwned returns the ids of the groups that have no owner other than this user and bots. Of nested groups, it
// returns only the outermost. With active, other owners count only if they are active and their role does not expire.
// Until the transaction ends, nobody can change the owners of a group.
func (s Members) SolelyOwned(ctx context.Context, userID int64, active bool) ([]int64, error) {
	if err := s.db.Lock(ctx, ownersLock); err != nil {
		return nil, err
	}
	counts, args := "", []any{userID, model.SourceGroup, model.Owner, model.UserProjectBot}
	if active {
		counts = "AND other.expires_at IS NULL AND u.state = ?"
		args = append(args, model.UserActive)
	}
	var ids []int64
	err := s.db.Write(ctx).Raw("SELECT m.source_id FROM members m WHERE m.user_id = ? AND m.source_type = ? AND m.access_level >= ? "+
		"AND NOT EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members other ON other.source_id = a.ancestor_id "+
		"JOIN users u ON u.id = other.user_id AND u.kind <> ? "+
		"WHERE a.descendant_id = m.source_id AND other.source_type = m.source_type AND other.access_level >= "+
		"m.access_level AND other.user_id <> m.user_id "+counts+") "+
		"AND NOT EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members above ON above.source_id = a.ancestor_id "+
		"WHERE a.descendant_id = m.source_id AND a.depth > 0 AND above.source_type = m.source_type AND above.user_id "+
		"= m.user_id AND above.access_level >= m.access_level) "+
		"ORDER BY m.source_id", args...).Scan(&ids).Error
	return ids, query.Translate(err)
}
