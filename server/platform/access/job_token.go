package access

import (
	"context"
	"encoding/hex"
	"net/http"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
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
	return &reqctx.Actor{
		User: u.Caller(), Kind: reqctx.JobToken,
		Job: &reqctx.Job{ID: j.ID, ProjectID: j.ProjectID, PipelineID: j.PipelineID},
	}, nil
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

// asOutsider lets a job read a project that does not accept its token like every other user: without the role of the
// user of the job, and only if the project is not private.
func asOutsider(ctx context.Context, row model.ProjectRow, r *store.Reader, ability Ability) (model.ProjectRow, bool) {
	row.Direct, row.Inherited, row.Admin = model.NoAccess, model.NoAccess, false
	method := reqctx.Of(ctx).Method
	return row, (method == http.MethodGet || method == http.MethodHead) && seesFor(ability, row, r)
}
