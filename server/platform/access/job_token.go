package access

import (
	"context"
	"encoding/hex"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// job finds the user on whose behalf a job runs. The token is valid only while the job runs.
func (a *Authenticator) job(ctx context.Context, digest []byte) (*reqctx.Actor, error) {
	j, err := a.store.Jobs.ByToken(ctx, hex.EncodeToString(digest))
	if err != nil {
		return nil, err
	}
	if j.Status != "running" && j.Status != "canceling" || j.UserID == nil {
		return nil, apierr.Unauthorized()
	}
	u, err := a.store.Users.Get(ctx, *j.UserID)
	if err != nil {
		return nil, err
	}
	return &reqctx.Actor{User: u.Caller(), Kind: reqctx.JobToken, Job: &reqctx.Job{ID: j.ID, ProjectID: j.ProjectID}}, nil
}

// jobReaches reports whether the caller's job token gives access to a project: the job's own project, or a project that
// accepts jobs of that project. A caller without a job token always gets true.
func (a *Access) jobReaches(ctx context.Context, p model.Project) (bool, error) {
	actor := reqctx.Of(ctx).Actor
	if actor == nil || actor.Job == nil || actor.Job.ProjectID == p.ID {
		return true, nil
	}
	return a.store.JobTokenScopes.Allows(ctx, p.ID, actor.Job.ProjectID)
}
