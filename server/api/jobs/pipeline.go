package jobs

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectPipelineJobs lists the jobs of a pipeline.
// GET /projects/{id}/pipelines/{pipeline_id}/jobs
func (j *Jobs) ListProjectPipelineJobs(
	ctx context.Context, req gen.ListProjectPipelineJobsRequestObject,
) (gen.ListProjectPipelineJobsResponseObject, error) {
	q := req.Params
	filter := store.JobFilter{PipelineID: req.PipelineID, Retried: wire.Value(q.IncludeRetried), Scope: scope(q.Scope)}
	row, rows, headers, err := j.listOfPipeline(ctx, req.ID, filter, q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPipelineJobs200JSONResponse{
		Body:    present.All(rows, j.presenter(ctx, row.Project).Job),
		Headers: gen.ListProjectPipelineJobs200ResponseHeaders(headers),
	}, nil
}

// ListProjectPipelineBridges lists the bridges of a pipeline.
// GET /projects/{id}/pipelines/{pipeline_id}/bridges
func (j *Jobs) ListProjectPipelineBridges(
	ctx context.Context, req gen.ListProjectPipelineBridgesRequestObject,
) (gen.ListProjectPipelineBridgesResponseObject, error) {
	q := req.Params
	filter := store.JobFilter{PipelineID: req.PipelineID, Bridges: true, Scope: scope(q.Scope)}
	row, rows, headers, err := j.listOfPipeline(ctx, req.ID, filter, q.Page, q.PerPage, q.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPipelineBridges200JSONResponse{
		Body:    present.All(rows, j.presenter(ctx, row.Project).Bridge),
		Headers: gen.ListProjectPipelineBridges200ResponseHeaders(headers),
	}, nil
}

// listOfPipeline reads one page of the jobs or bridges of a pipeline.
func (j *Jobs) listOfPipeline(
	ctx context.Context, project string, f store.JobFilter, number, size *int64, paging *gen.Pagination,
) (model.ProjectRow, []model.JobRow, pagination.Headers, error) {
	row, err := j.access.Project(ctx, project, access.ReadPipeline)
	if err != nil {
		return row, nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, j.pages, "Ci::Build", number, size, paging)
	if err != nil {
		return row, nil, pagination.Headers{}, err
	}
	if _, err := j.store.Pipelines.Get(ctx, row.Project.ID, f.PipelineID); err != nil {
		return row, nil, pagination.Headers{}, apierr.OrNotFound(err)
	}
	f.ProjectID = row.Project.ID
	rows, total, err := j.store.Jobs.List(ctx, f, window.Page)
	return row, rows, window.Headers(total), err
}
