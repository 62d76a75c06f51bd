package agents

import (
	"context"
	"errors"
	"regexp"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// CreateProjectClusterAgent registers an agent.
// POST /projects/{id}/cluster_agents
func (a *Agents) CreateProjectClusterAgent(
	ctx context.Context, req gen.CreateProjectClusterAgentRequestObject,
) (gen.CreateProjectClusterAgentResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminClusterAgent)
	if err == nil {
		err = checkName(req.Body.Name)
	}
	if err != nil {
		return nil, err
	}
	userID := reqctx.Of(ctx).Actor.User.ID
	agent := model.ClusterAgent{ProjectID: row.Project.ID, UserID: &userID, Name: req.Body.Name}
	err = events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		err := a.store.ClusterAgents.Create(ctx, &agent)
		return agentChange(row.Project, agent, "cluster_agent_created", "Created cluster agent"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("name", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectClusterAgent201JSONResponse(present.ClusterAgent(row.Project, agent)), nil
}

const maxName = 63

var nameFormat = regexp.MustCompile(`\A[a-z0-9]([-a-z0-9]*[a-z0-9])?\z`)

// checkName validates a name with the rules for names in clusters.
func checkName(name string) error {
	switch {
	case name == "":
		return apierr.Invalid("name", "can't be blank")
	case len(name) > maxName:
		return apierr.Invalid("name", "is too long (maximum is 63 characters)")
	case !nameFormat.MatchString(name):
		return apierr.Invalid("name", "can contain only lowercase letters, digits, and '-', but cannot start or end with '-'")
	}
	return nil
}
