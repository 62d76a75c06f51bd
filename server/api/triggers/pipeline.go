package triggers

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// CreateProjectTriggerPipeline starts a pipeline with a trigger token or a job token.
// POST /projects/{id}/trigger/pipeline
func (t *Triggers) CreateProjectTriggerPipeline(
	ctx context.Context, req gen.CreateProjectTriggerPipelineRequestObject,
) (gen.CreateProjectTriggerPipelineResponseObject, error) {
	shown, err := t.run(ctx, req.ID, req.Body.Ref, req.Body.Token, req.Body.Variables)
	return gen.CreateProjectTriggerPipeline201JSONResponse(shown), err
}

// CreateProjectRefTriggerPipeline starts a pipeline with a trigger token or a job token, on the ref in the path.
// POST /projects/{id}/ref/{ref}/trigger/pipeline
func (t *Triggers) CreateProjectRefTriggerPipeline(
	ctx context.Context, req gen.CreateProjectRefTriggerPipelineRequestObject,
) (gen.CreateProjectRefTriggerPipelineResponseObject, error) {
	shown, err := t.run(ctx, req.ID, req.Ref, req.Body.Token, req.Body.Variables)
	return gen.CreateProjectRefTriggerPipeline201JSONResponse(shown), err
}

func (t *Triggers) run(ctx context.Context, project, ref, token string, given *map[string]string) (gen.Pipeline, error) {
	order, err := t.authorize(ctx, project, token)
	if err != nil {
		return gen.Pipeline{}, err
	}
	if given != nil {
		for key, value := range *given {
			order.Variables = append(order.Variables, model.PipelineVariable{Key: key, Value: value, VariableType: model.VariableEnv})
		}
		slices.SortFunc(order.Variables, func(a, b model.PipelineVariable) int { return cmp.Compare(a.Key, b.Key) })
	}
	if err := launch.CheckVariables(order.Project, order.Variables); err != nil {
		return gen.Pipeline{}, err
	}
	ready, err := t.launch.ResolveRef(ctx, order, ref)
	if err != nil {
		return gen.Pipeline{}, launch.APIError(err)
	}
	made, err := t.launch.Launch(ctx, ready)
	if err != nil {
		return gen.Pipeline{}, launch.APIError(err)
	}
	beside, err := t.store.Pipelines.Details(ctx, made)
	return t.show.PipelineSingle(ready.Project.Project.FullPath, made, beside), err
}

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
		actor, err := t.jobActor(ctx, token)
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
