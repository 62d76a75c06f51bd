package engine

import (
	"context"

	"svc/server/platform/reqctx"
	"svc/store/model"
)

// MayErase reports whether the caller may erase the log and the artifacts of a job: maintainers may, and developers who
// started the job, unless its ref is protected. The project is as the caller sees it.
func MayErase(ctx context.Context, row model.ProjectRow, job model.Job, protected bool) bool {
	if row.Role() >= model.Maintainer {
		return true
	}
	actor := reqctx.Of(ctx).Actor
	return actor != nil && job.UserID != nil && *job.UserID == actor.User.ID && !protected
}
