package jobs

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// GetJobAllowedAgents returns the agents that the job of the job token may use, with its pipeline, project, user and
// environment.
// GET /job/allowed_agents
func (j *Jobs) GetJobAllowedAgents(
	ctx context.Context, _ gen.GetJobAllowedAgentsRequestObject,
) (gen.GetJobAllowedAgentsResponseObject, error) {
	row, project, err := j.tokenJob(ctx, access.ReadOwnJob)
	if err != nil {
		return nil, err
	}
	if !j.show.Paid {
		return nil, apierr.TierTooLow()
	}
	agents, err := j.store.ClusterAgents.All(ctx, project.ID)
	if err != nil {
		return nil, err
	}
	groups, err := j.store.Namespaces.GroupsAbove(ctx, project.NamespaceID)
	if err != nil {
		return nil, err
	}
	var place *model.Environment
	if row.Job.Environment != nil {
		found, err := j.store.Environments.GetByName(ctx, project.ID, *row.Job.Environment)
		if err != nil && !store.IsNotFound(err) {
			return nil, err
		}
		if err == nil {
			place = &found
		}
	}
	return gen.GetJobAllowedAgents200JSONResponse(j.show.AllowedAgents(project, row, present.JobAgents{
		Agents: agents, Groups: groups, Environment: place,
	})), nil
}
