package pipelines

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// CreateProjectPipeline creates and starts a pipeline.
// POST /projects/{id}/pipeline
func (p *Pipelines) CreateProjectPipeline(
	ctx context.Context, req gen.CreateProjectPipelineRequestObject,
) (gen.CreateProjectPipelineResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.CreatePipeline)
	if err != nil {
		return nil, err
	}
	given := variables(req.Body.Variables)
	if err := launch.CheckVariables(row, given); err != nil {
		return nil, err
	}
	user, err := p.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return nil, err
	}
	order, err := p.launch.ResolveRef(ctx, launch.Request{Project: row, User: user, Source: "api", Variables: given}, req.Body.Ref)
	if err != nil {
		return nil, launch.APIError(err)
	}
	made, err := p.launch.Launch(ctx, order)
	if err != nil {
		return nil, launch.APIError(err)
	}
	shown, err := p.presentOne(ctx, row.Project, made)
	return gen.CreateProjectPipeline201JSONResponse(shown), err
}

func variables(given *[]gen.PipelineVariableCreate) []model.PipelineVariable {
	if given == nil {
		return nil
	}
	rows := make([]model.PipelineVariable, len(*given))
	for i, v := range *given {
		rows[i] = model.PipelineVariable{Key: v.Key, Value: v.Value, VariableType: model.VariableEnv, Raw: v.Raw != nil && *v.Raw}
		if v.VariableType != nil {
			rows[i].VariableType = string(*v.VariableType)
		}
	}
	return rows
}

// GetProjectPipelinesLatest shows the newest pipeline of a ref.
// GET /projects/{id}/pipelines/latest
func (p *Pipelines) GetProjectPipelinesLatest(
	ctx context.Context, req gen.GetProjectPipelinesLatestRequestObject,
) (gen.GetProjectPipelinesLatestResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadPipeline)
	if err != nil {
		return nil, err
	}
	ref := text(req.Params.Ref)
	if ref == "" {
		ref = row.Project.DefaultBranch
	}
	repo, err := p.repos.OpenProject(row.Project.RepositoryStorage, row.Project.ID, row.Project.EmptyRepo)
	if err != nil {
		return nil, err
	}
	sha, err := repo.Resolve(ctx, ref)
	if err != nil {
		return nil, apierr.RecordNotFound()
	}
	found, err := p.store.Pipelines.Latest(ctx, row.Project.ID, ref, sha)
	if store.IsNotFound(err) {
		return nil, apierr.RecordNotFound()
	}
	if err != nil {
		return nil, err
	}
	shown, err := p.presentOne(ctx, row.Project, found)
	return gen.GetProjectPipelinesLatest200JSONResponse(shown), err
}

// GetProjectPipeline shows a pipeline.
// GET /projects/{id}/pipelines/{pipeline_id}
func (p *Pipelines) GetProjectPipeline(
	ctx context.Context, req gen.GetProjectPipelineRequestObject,
) (gen.GetProjectPipelineResponseObject, error) {
	row, found, err := p.find(ctx, req.ID, req.PipelineID, access.ReadPipeline)
	if err != nil {
		return nil, err
	}
	shown, err := p.presentOne(ctx, row.Project, found)
	return gen.GetProjectPipeline200JSONResponse(shown), err
}

// DeleteProjectPipeline deletes a pipeline.
// DELETE /projects/{id}/pipelines/{pipeline_id}
func (p *Pipelines) DeleteProjectPipeline(
	ctx context.Context, req gen.DeleteProjectPipelineRequestObject,
) (gen.DeleteProjectPipelineResponseObject, error) {
	_, found, err := p.find(ctx, req.ID, req.PipelineID, access.DestroyPipeline)
	if err != nil {
		return nil, err
	}
	err = p.store.Tx(ctx, func(ctx context.Context) error {
		if err := p.store.Pipelines.Delete(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		return p.launch.ReleaseCommit(ctx, found.ProjectID, found.ID)
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectPipeline204Response{}, nil
}

// ListProjectPipelineVariables lists the variables that a pipeline was started with.
// GET /projects/{id}/pipelines/{pipeline_id}/variables
func (p *Pipelines) ListProjectPipelineVariables(
	ctx context.Context, req gen.ListProjectPipelineVariablesRequestObject,
) (gen.ListProjectPipelineVariablesResponseObject, error) {
	row, found, err := p.find(ctx, req.ID, req.PipelineID, access.ReadPipelineVariable)
	if err != nil {
		return nil, err
	}
	own := found.UserID != nil && *found.UserID == reqctx.Of(ctx).Actor.User.ID
	if !own && row.Role() < model.Maintainer {
		return nil, apierr.Forbidden()
	}
	rows, err := p.store.Pipelines.Variables(ctx, found.ID)
	return gen.ListProjectPipelineVariables200JSONResponse(present.All(rows, present.PipelineVariable)), err
}
