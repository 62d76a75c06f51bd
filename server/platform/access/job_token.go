package access

import (
	"context"
	"encoding/hex"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// job finds the user for whom a job runs. The token is good while it does.
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

// jobReaches tells whether a caller who comes with the token of a job gets at a project: their own, or one that lets the jobs of
// theirs in. Other callers do.
func (a *Access) jobReaches(ctx context.Context, p model.Project) (bool, error) {
	actor := reqctx.Of(ctx).Actor
	if actor == nil || actor.Job == nil || actor.Job.ProjectID == p.ID {
		return true, nil
	}
	return a.store.JobTokenScopes.Allows(ctx, p.ID, actor.Job.ProjectID)
}
