package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// PushRules holds what the commits, branches and files of pushes must look like, by project and by group.
type PushRules struct{ *base }

const pushRule = "Push Rule"

// OfProject returns the push rule of a project, or nil if it has none.
func (s PushRules) OfProject(ctx context.Context, projectID int64) (*model.PushRule, error) {
	return s.first(ctx, "project_id = ?", projectID)
}

// OfGroup returns the push rule of a group, or nil if it has none.
func (s PushRules) OfGroup(ctx context.Context, groupID int64) (*model.PushRule, error) {
	return s.first(ctx, "group_id = ?", groupID)
}

func (s PushRules) first(ctx context.Context, where string, id int64) (*model.PushRule, error) {
	rows, err := query.Find[model.PushRule](s.db.Read(ctx).Where(where, id), 1)
	if err != nil || len(rows) == 0 {
		return nil, query.Translate(err)
	}
	return &rows[0], nil
}

// Create adds a push rule. It returns a *ConflictError if the project or group has one.
func (s PushRules) Create(ctx context.Context, r *model.PushRule) error {
	return query.Translate(s.db.Write(ctx).Create(r).Error)
}

// Save stores a changed push rule.
func (s PushRules) Save(ctx context.Context, r *model.PushRule) error {
	return query.Translate(s.db.Write(ctx).Save(r).Error)
}

// Delete removes a push rule, unless it was changed after the given time.
func (s PushRules) Delete(ctx context.Context, r model.PushRule, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, r, pushRule, unchangedSince)
}

// CopyFromGroups gives a new project the push rule of the nearest group above it that has one.
func (s PushRules) CopyFromGroups(ctx context.Context, projectID, namespaceID int64) error {
	rows, err := query.Find[model.PushRule](s.db.Read(ctx).
		Joins("JOIN namespace_ancestors a ON a.ancestor_id = push_rules.group_id").
		Where("a.descendant_id = ?", namespaceID).Order("a.depth"), 1)
	if err != nil || len(rows) == 0 {
		return query.Translate(err)
	}
	copied := rows[0]
	copied.ID, copied.GroupID, copied.ProjectID = 0, nil, &projectID
	copied.CreatedAt, copied.UpdatedAt = time.Time{}, time.Time{}
	return s.Create(ctx, &copied)
}
