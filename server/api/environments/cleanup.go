package environments

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/environment"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// StopProjectEnvironmentsStale stops the environments that have not been used for a while.
// POST /projects/{id}/environments/stop_stale
func (e *Environments) StopProjectEnvironmentsStale(
	ctx context.Context, req gen.StopProjectEnvironmentsStaleRequestObject,
) (gen.StopProjectEnvironmentsStaleResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	if err := e.environments.StopStale(ctx, row, *req.Body.Before.Std()); err != nil {
		return nil, err
	}
	return gen.StopProjectEnvironmentsStale200JSONResponse{Message: "The stale environments were stopped"}, nil
}

// DeleteProjectEnvironmentsReviewApps schedules the deletion of stopped review apps.
// DELETE /projects/{id}/environments/review_apps
func (e *Environments) DeleteProjectEnvironmentsReviewApps(
	ctx context.Context, req gen.DeleteProjectEnvironmentsReviewAppsRequestObject,
) (gen.DeleteProjectEnvironmentsReviewAppsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminEnvironment)
	if err != nil {
		return nil, err
	}
	which := environment.ReviewApps{Before: req.Params.Before.Std(), Most: 100, DryRun: true}
	if req.Params.Limit != nil {
		which.Most = int(*req.Params.Limit)
	}
	if req.Params.DryRun != nil {
		which.DryRun = *req.Params.DryRun
	}
	scheduled, refused, err := e.environments.DeleteReviewApps(ctx, row.Project, which)
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectEnvironmentsReviewApps200JSONResponse{
		ScheduledEntries:     present.All(scheduled, present.EnvironmentReference),
		UnprocessableEntries: present.All(refused, present.EnvironmentReference),
	}, nil
}
