package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Readers returns active users, found by id or by username, with their roles in a project, in one statement. The caller
// decides what these users may see.
func (s Projects) Readers(ctx context.Context, projectID int64, ids []int64, names []string) ([]model.ProjectReader, error) {
	if len(ids) == 0 && len(names) == 0 {
		return nil, nil
	}
	day := s.today()
	in := gorm.Expr("(SELECT namespace_id FROM projects WHERE id = ?)", projectID)
	roles := "SELECT m.user_id, max(x.level) AS level FROM (" + effectiveBegin + ofGroups + ofInvitedGroups +
		ofProject + effectiveEnd + ") AS x " +
		"JOIN members m ON m.id = x.member_id GROUP BY m.user_id"
	args := []any{in, day, in, day, day, projectID, day, projectID, day, day}
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	q := s.db.Read(ctx).Raw(
		"SELECT u.id AS user_id, u.username, u.admin, u.external, u.kind = 'human' AS human, coalesce(e.level, 0) AS role FROM users u "+
			"LEFT JOIN ("+roles+") AS e ON e.user_id = u.id WHERE u.state = ? AND (u.id IN ? OR lower(u.username) IN ?) ORDER BY u.id",
		append(args, model.UserActive, append(ids, -1), append(lower, ""))...)
	rows, err := query.Find[model.ProjectReader](q, len(ids)+len(names))
	return rows, query.Translate(err)
}
