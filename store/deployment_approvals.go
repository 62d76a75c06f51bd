package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// DeploymentApprovals holds what users decided about deployments.
type DeploymentApprovals struct{ *base }

// Of returns the decisions about deployments, by deployment, in the order of creation.
func (s DeploymentApprovals) Of(ctx context.Context, deploymentIDs []int64) (map[int64][]model.DeploymentApproval, error) {
	if len(deploymentIDs) == 0 {
		return nil, nil
	}
	rows, err := query.Find[model.DeploymentApproval](
		s.db.Read(ctx).Where("deployment_id IN ?", deploymentIDs).Order("created_at, id"), 0,
	)
	return groupBy(rows, func(a model.DeploymentApproval) int64 { return a.DeploymentID }), query.Translate(err)
}

// OfJob returns the decisions about the deployment of a job.
func (s DeploymentApprovals) OfJob(ctx context.Context, jobID int64) ([]model.DeploymentApproval, error) {
	rows, err := query.Find[model.DeploymentApproval](s.db.Read(ctx).
		Where("deployment_id IN (SELECT id FROM deployments WHERE job_id = ?)", jobID).Order("created_at, id"), 0)
	return rows, query.Translate(err)
}

// Put stores the decision of a user. It replaces an earlier one of this user about the same deployment.
func (s DeploymentApprovals) Put(ctx context.Context, row *model.DeploymentApproval) error {
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "deployment_id"}, {Name: "user_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"rule_id", "status", "comment", "created_at", "updated_at"}),
	}).Create(row).Error)
}
