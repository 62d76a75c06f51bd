package triggers

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// authorize finds the owner of the token, and reads the project as that user. A token that does not fit the project is
// answered with 404.
func (t *Triggers) authorize(ctx context.Context, project, token string) (launch.Request, error) {
	o := launch.Request{Source: "trigger"}
	var userID, projectID int64
	var job *reqctx.Job
	row, err := t.store.PipelineTriggers.FindByDigest(ctx, secret.Digest(token))
	switch {
	case err == nil:
		userID, projectID = row.OwnerID, row.ProjectID
	case !store.IsNotFound(err):
		return o, err
	default:
		actor, err := t.tokens.Job(ctx, token)
		var no *apierr.Error
		if errors.As(err, &no) && no.Status == http.StatusUnauthorized {
			return o, apierr.NotFound("")
		}
		if err != nil {
			return o, err
		}
		userID, o.Source, job = actor.User.ID, "pipeline", actor.Job
	}
	if o.User, err = t.store.Users.Get(ctx, userID); err != nil {
		return o, err
	}
	if o.Project, err = t.project(ctx, project, o.User); err != nil {
		return o, err
	}
	if job != nil && job.ProjectID != o.Project.Project.ID {
		allowed, err := t.store.JobTokenScopes.Allows(ctx, o.Project.Project.ID, job.ProjectID)
		if err == nil && !allowed {
			err = apierr.NotFound("")
		}
		if err != nil {
			return o, err
		}
	}
	if projectID != 0 {
		if o.Project.Project.ID != projectID {
			return o, apierr.NotFound("")
		}
		err = t.store.PipelineTriggers.MarkUsed(ctx, row.ID)
	}
	if err == nil && (o.User.State != model.UserActive || o.Project.Role() < model.Developer ||
		!o.Project.ReadsJobs() || o.Project.Project.Archived) {
		err = apierr.Forbidden()
	}
	return o, err
}

// project reads a project as the owner of the token.
func (t *Triggers) project(ctx context.Context, ref string, user model.User) (model.ProjectRow, error) {
	reader := launch.Reader(user)
	id, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		id = 0
	}
	row, err := t.store.Projects.Get(ctx, id, ref, reader)
	if store.IsNotFound(err) || err == nil && !access.SeesProject(row, reader) {
		return row, apierr.NotFound("")
	}
	return row, err
}
