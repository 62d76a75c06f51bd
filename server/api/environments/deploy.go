package environments

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/environment"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// CreateProjectDeployment records a deployment.
// POST /projects/{id}/deployments
func (e *Environments) CreateProjectDeployment(
	ctx context.Context, req gen.CreateProjectDeploymentRequestObject,
) (gen.CreateProjectDeploymentResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.CreateDeployment)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := e.environments.Deploy(ctx, row.Project, environment.NewDeployment{
		Environment: b.Environment, SHA: b.Sha, Ref: b.Ref, Tag: b.Tag, Status: string(b.Status),
	})
	if err != nil {
		return nil, err
	}
	shown, err := e.presentDeployment(ctx, row.Project, made)
	return gen.CreateProjectDeployment201JSONResponse(shown), err
}

// UpdateProjectDeployment changes the status of a deployment.
// PUT /projects/{id}/deployments/{deployment_id}
func (e *Environments) UpdateProjectDeployment(
	ctx context.Context, req gen.UpdateProjectDeploymentRequestObject,
) (gen.UpdateProjectDeploymentResponseObject, error) {
	row, found, err := e.findDeployment(ctx, req.ID, req.DeploymentID, access.CreateDeployment)
	if err != nil {
		return nil, err
	}
	changed, err := e.environments.Move(ctx, row.Project, found, string(req.Body.Status))
	if err != nil {
		return nil, err
	}
	shown, err := e.presentDeployment(ctx, row.Project, changed)
	return gen.UpdateProjectDeployment200JSONResponse(shown), err
}

// DeleteProjectDeployment deletes a deployment.
// DELETE /projects/{id}/deployments/{deployment_id}
func (e *Environments) DeleteProjectDeployment(
	ctx context.Context, req gen.DeleteProjectDeploymentRequestObject,
) (gen.DeleteProjectDeploymentResponseObject, error) {
	row, found, err := e.findDeployment(ctx, req.ID, req.DeploymentID, access.DeleteDeployment)
	if err != nil {
		return nil, err
	}
	err = e.environments.DeleteDeployment(ctx, row.Project, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectDeployment204Response{}, nil
}

// findDeployment finds a deployment of a project and requires the ability in that project.
func (e *Environments) findDeployment(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.DeploymentRow, error) {
	row, err := e.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.DeploymentRow{}, err
	}
	found, err := e.store.Deployments.Get(ctx, row.Project.ID, id)
	return row, found, err
}

// presentDeployment presents a single deployment, with its approvals.
func (e *Environments) presentDeployment(ctx context.Context, p model.Project, row model.DeploymentRow) (gen.Deployment, error) {
	shown := e.presenter(ctx, p).Deployment(row)
	err := e.addApprovals(ctx, &shown, row)
	return shown, err
}
