package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// ProjectStars holds the stars that users give to projects, and keeps the star counts of projects up to date.
type ProjectStars struct{ *base }

// Create stars a project for a user. It returns false if the user had already starred it.
func (s ProjectStars) Create(ctx context.Context, userID, projectID int64) (bool, error) {
	changed := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		row := model.ProjectStar{UserID: userID, ProjectID: projectID}
		res := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		changed = res.RowsAffected == 1
		if res.Error != nil || !changed {
			return query.Translate(res.Error)
		}
		return s.count(ctx, 1, projectID)
	})
	return changed && err == nil, err
}

// Delete removes a user's star. It returns false if there was none.
func (s ProjectStars) Delete(ctx context.Context, userID, projectID int64) (bool, error) {
	changed := false
	err := s.Tx(ctx, func(ctx context.Context) error {
		res := s.db.Write(ctx).Where("user_id = ? AND project_id = ?", userID, projectID).Delete(&model.ProjectStar{})
		changed = res.RowsAffected == 1
		if res.Error != nil || !changed {
			return query.Translate(res.Error)
		}
		return s.count(ctx, -1, projectID)
	})
	return changed && err == nil, err
}

// DeleteAllOf removes all stars of a user. Code that deletes a user must call it first, in the same transaction.
func (s ProjectStars) DeleteAllOf(ctx context.Context, userID int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		var rows []model.ProjectStar
		if err := s.db.Write(ctx).Clauses(clause.Returning{}).Where("user_id = ?", userID).Delete(&rows).Error; err != nil {
			return query.Translate(err)
		}
		ids := make([]int64, len(rows))
		for i, row := range rows {
			ids[i] = row.ProjectID
		}
		return s.count(ctx, -1, ids...)
	})
}

func (s ProjectStars) count(ctx context.Context, by int64, ids ...int64) error {
	return query.Translate(s.db.Write(ctx).Exec("UPDATE projects SET star_count = star_count + ? WHERE id IN ?", by, ids).Error)
}

// List returns one page of the users who starred a project, the latest first. Users with a private profile and blocked
// users are shown only to themselves and to administrators.
func (s ProjectStars) List(ctx context.Context, projectID int64, search string, r *Reader, p Page) ([]model.Starrer, Total, error) {
	q := s.db.Read(ctx).Table("users").Select("users.*, star.created_at AS since").
		Joins("JOIN project_stars star ON star.user_id = users.id").Where("star.project_id = ?", projectID)
	open := []model.UserState{model.UserActive, model.UserDeactivated}
	switch {
	case r == nil:
		q = q.Where("NOT users.private_profile AND users.state IN ?", open)
	case !r.Admin:
		q = q.Where("(users.id = ? OR (NOT users.private_profile AND users.state IN ?))", r.UserID, open)
	}
	q = namedLike(q, search)
	return query.List[model.Starrer](q.Order("star.created_at DESC").Order("users.id DESC"), p)
}
