package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// PackageProtectionRules holds the rules about who may publish and delete packages.
type PackageProtectionRules struct{ *base }

const packageProtectionRule = "Package protection rule"

// List returns one page of the rules of a project, the oldest first.
func (s PackageProtectionRules) List(ctx context.Context, projectID int64, p Page) ([]model.PackageProtectionRule, Total, error) {
	return query.List[model.PackageProtectionRule](s.db.Read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// OfType returns all rules of a project for a type of packages.
func (s PackageProtectionRules) OfType(ctx context.Context, projectID int64, kind string) ([]model.PackageProtectionRule, error) {
	rows, err := query.Find[model.PackageProtectionRule](
		s.db.Read(ctx).Where("project_id = ? AND package_type = ?", projectID, kind).Order("id"), 0,
	)
	return rows, query.Translate(err)
}

// Get returns a rule of a project.
func (s PackageProtectionRules) Get(ctx context.Context, projectID, id int64) (model.PackageProtectionRule, error) {
	return query.Take[model.PackageProtectionRule](
		s.db.Read(ctx).Where("id = ? AND project_id = ?", id, projectID), packageProtectionRule,
	)
}

// Create adds a rule. It returns a *ConflictError if the project has a rule with this type and pattern.
func (s PackageProtectionRules) Create(ctx context.Context, r *model.PackageProtectionRule) error {
	return query.Translate(s.db.Write(ctx).Create(r).Error)
}

// Save stores a changed rule. It returns a *ConflictError if the project has another rule with this type and pattern.
func (s PackageProtectionRules) Save(ctx context.Context, r *model.PackageProtectionRule) error {
	return query.Translate(s.db.Write(ctx).Save(r).Error)
}

// Delete removes a rule, unless it was changed after the given time.
func (s PackageProtectionRules) Delete(ctx context.Context, r model.PackageProtectionRule, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, r, packageProtectionRule, unchangedSince)
}
