package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// GroupProtectedBranches holds the rules of groups for the branches of their projects.
type GroupProtectedBranches struct{ *base }

// List returns one page of the rules of a group, ordered by name. search is a part of the name.
func (s GroupProtectedBranches) List(
	ctx context.Context, groupID int64, search string, p Page,
) ([]model.GroupProtectedBranch, Total, error) {
	q := s.db.Read(ctx).Where("group_id = ?", groupID).Order("name")
	if search != "" {
		q = q.Where(`lower(name) LIKE lower(?) ESCAPE '\'`, "%"+likeEscaper.Replace(search)+"%")
	}
	return query.List[model.GroupProtectedBranch](q, p)
}

// Get returns the rule of a group with this name.
func (s GroupProtectedBranches) Get(ctx context.Context, groupID int64, name string) (model.GroupProtectedBranch, error) {
	return query.Take[model.GroupProtectedBranch](s.db.Read(ctx).Where("group_id = ? AND name = ?", groupID, name), protectedBranch)
}

// Create adds a rule. It returns a *ConflictError if there is one with that name.
func (s GroupProtectedBranches) Create(ctx context.Context, b *model.GroupProtectedBranch) error {
	return query.Translate(s.db.Write(ctx).Create(b).Error)
}

// Save stores a changed rule.
func (s GroupProtectedBranches) Save(ctx context.Context, b *model.GroupProtectedBranch) error {
	return query.Translate(s.db.Write(ctx).Save(b).Error)
}

// Delete removes a rule, unless it was changed after the given time.
func (s GroupProtectedBranches) Delete(ctx context.Context, b model.GroupProtectedBranch, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, b, protectedBranch, unchangedSince)
}
