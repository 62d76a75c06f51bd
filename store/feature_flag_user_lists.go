package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// FeatureFlagUserLists holds the user lists that strategies of feature flags can name.
type FeatureFlagUserLists struct{ *base }

const featureFlagUserList = "Feature Flag User List"

// List returns one page of the user lists of a project whose names contain a text, the oldest first.
func (s FeatureFlagUserLists) List(
	ctx context.Context, projectID int64, search string, p Page,
) ([]model.FeatureFlagUserList, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID)
	if search != "" {
		q = q.Where(`lower(name) LIKE lower(?) ESCAPE '\'`, "%"+likeEscaper.Replace(search)+"%")
	}
	return query.List[model.FeatureFlagUserList](q.Order("iid"), p)
}

// Get returns a user list of a project by its number.
func (s FeatureFlagUserLists) Get(ctx context.Context, projectID, iid int64) (model.FeatureFlagUserList, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND iid = ?", projectID, iid)
	return query.Take[model.FeatureFlagUserList](q, featureFlagUserList)
}

// OfProject returns all user lists of a project, the oldest first.
func (s FeatureFlagUserLists) OfProject(ctx context.Context, projectID int64) ([]model.FeatureFlagUserList, error) {
	rows, err := query.Find[model.FeatureFlagUserList](s.db.Read(ctx).Where("project_id = ?", projectID).Order("iid"), 0)
	return rows, query.Translate(err)
}

// Create adds a user list and gives it a number. It returns a *LimitError if the project already has most lists, and a
// *ConflictError if it has one with this name. The caller holds the lock of FeatureFlags.
func (s FeatureFlagUserLists) Create(ctx context.Context, list *model.FeatureFlagUserList, most int) error {
	var n int64
	err := s.db.Write(ctx).Model(&model.FeatureFlagUserList{}).Where("project_id = ?", list.ProjectID).Count(&n).Error
	if err != nil {
		return query.Translate(err)
	}
	if n >= int64(most) {
		return &LimitError{Most: most}
	}
	if list.IID, err = s.next(ctx, list.ProjectID, counterFeatureFlagUserLists); err != nil {
		return err
	}
	return query.Translate(s.db.Write(ctx).Create(list).Error)
}

// Save stores a changed user list. It returns a *ConflictError if the project has another one with this name.
func (s FeatureFlagUserLists) Save(ctx context.Context, list *model.FeatureFlagUserList) error {
	return query.Translate(s.db.Write(ctx).Save(list).Error)
}

// Used reports whether a strategy names a user list.
func (s FeatureFlagUserLists) Used(ctx context.Context, id int64) (bool, error) {
	var n int64
	err := s.db.Read(ctx).Model(&model.FeatureFlagStrategy{}).Where("user_list_id = ?", id).Limit(1).Count(&n).Error
	return n > 0, query.Translate(err)
}

// Delete removes a user list, unless it was changed after the given time.
func (s FeatureFlagUserLists) Delete(ctx context.Context, list model.FeatureFlagUserList, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, list, featureFlagUserList, unchangedSince)
}
