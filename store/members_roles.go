package store

import (
	"context"

	"svc/store/model"
)

// Roles are the highest roles that these users have in a project, in itself or from elsewhere; who has none is left out.
func (s Members) Roles(ctx context.Context, projectID int64, userIDs []int64) (map[int64]model.Access, error) {
	roles := make(map[int64]model.Access, len(userIDs))
	if len(userIDs) == 0 {
		return roles, nil
	}
	q := s.effective(s.read(ctx).Table("members"), MemberFilter{SourceType: model.SourceProject, SourceID: projectID}).Where("members.user_id IN ?", userIDs)
	rows, err := find[model.Member](q, len(userIDs))
	for _, m := range rows {
		roles[m.UserID] = m.AccessLevel
	}
	return roles, translate(err)
}
