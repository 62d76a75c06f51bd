package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// DeployKeys returns the deploy keys that may push to protected branches, by rule, in the order in which they were added.
func (s Protections) DeployKeys(ctx context.Context, ruleIDs []int64) (map[int64][]model.ProtectedBranchKeyRow, error) {
	if len(ruleIDs) == 0 {
		return nil, nil
	}
	q := s.db.Read(ctx).Table("protected_branch_deploy_keys x").Select("x.*, deploy_keys.title").
		Joins("JOIN deploy_keys ON deploy_keys.id = x.deploy_key_id").Where("x.protected_branch_id IN ?", ruleIDs).Order("x.id")
	rows, err := query.Find[model.ProtectedBranchKeyRow](q, 0)
	return groupBy(rows, func(r model.ProtectedBranchKeyRow) int64 { return r.Key.ProtectedBranchID }), query.Translate(err)
}

// RulesOfDeployKey returns the ids of the rules of a project that allow a deploy key to push.
func (s Protections) RulesOfDeployKey(ctx context.Context, projectID, keyID int64) (ids []int64, err error) {
	err = s.db.Read(ctx).Table("protected_branch_deploy_keys").Where("deploy_key_id = ? AND project_id = ?", keyID, projectID).
		Pluck("protected_branch_id", &ids).Error
	return ids, query.Translate(err)
}

// AllowDeployKeys allows deploy keys to push to protected branches. It returns a *NotFoundError unless each is a key of
// the project that may push.
func (s Protections) AllowDeployKeys(ctx context.Context, b model.ProtectedBranch, keyIDs []int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		for _, id := range keyIDs {
			_, canPush, err := DeployKeys(s).Access(ctx, id, b.ProjectID)
			if err != nil {
				return err
			}
			if !canPush {
				return &NotFoundError{Resource: deployKey}
			}
			row := model.ProtectedBranchDeployKey{ProtectedBranchID: b.ID, DeployKeyID: id, ProjectID: b.ProjectID}
			err = s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
			if query.IsGone(err) {
				return &NotFoundError{Resource: deployKey}
			}
			if err != nil {
				return query.Translate(err)
			}
		}
		return nil
	})
}

// ForbidDeployKeys takes back what AllowDeployKeys gave, by the ids of its rows. It returns a *NotFoundError if the rule
// has no such row.
func (s Protections) ForbidDeployKeys(ctx context.Context, b model.ProtectedBranch, ids []int64) error {
	for _, id := range ids {
		res := s.db.Write(ctx).Where("id = ? AND protected_branch_id = ?", id, b.ID).Delete(&model.ProtectedBranchDeployKey{})
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		if res.RowsAffected == 0 {
			return &NotFoundError{Resource: deployKey}
		}
	}
	return nil
}
