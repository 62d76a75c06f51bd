package pipelines

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

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

// GetProjectPipelinesLatest shows the newest pipeline of a ref.
// GET /projects/{id}/pipelines/latest
func (p *Pipelines) GetProjectPipelinesLatest(
	ctx context.Context, req gen.GetProjectPipelinesLatestRequestObject,
) (gen.GetProjectPipelinesLatestResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadPipeline)
	if err != nil {
		return nil, err
	}
	ref := wire.Value(req.Params.Ref)
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
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	shown, err := p.presentOne(ctx, row.Project, found)
	return gen.GetProjectPipelinesLatest200JSONResponse(shown), err
}
