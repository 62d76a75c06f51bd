package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"
)

// developersOfProject selects the users who have at least the Developer role in a project, directly or through groups. Its
// arguments are those of usersOfProject.
var developersOfProject = strings.NewReplacer(
	"access_level >= 10", "access_level >= 30", "'Project' AND", "'Project' AND m.access_level >= 30 AND",
).Replace(usersOfProject)

// DevelopersAmong returns the active users, out of the given ones, who have at least the Developer role in a project.
func (s Projects) DevelopersAmong(ctx context.Context, id int64, userIDs []int64) (map[int64]bool, error) {
	day := s.today()
	return among(userIDs, func(some []int64) (ids []int64, err error) {
		q := s.db.Read(ctx).Table("users").Where("id IN ? AND state = ?", some, model.UserActive).
			Where("(admin OR id IN ("+developersOfProject+"))", id, day, id, day, id, day, day, id, day, day)
		return ids, query.Translate(q.Pluck("id", &ids).Error)
	})
}
