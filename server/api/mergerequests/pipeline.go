package mergerequests

import (
	"context"
	"errors"
	"maps"
	"slices"

	"svc/gen"
	"svc/server/domain/ci/launch"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectMergeRequestPipelines lists the pipelines of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/pipelines
func (m *MergeRequests) ListProjectMergeRequestPipelines(
	ctx context.Context, req gen.ListProjectMergeRequestPipelinesRequestObject,
) (gen.ListProjectMergeRequestPipelinesResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Pipeline", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	paths, err := m.viewer.PipelineProjects(ctx, row, found)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.MergeRequests.Pipelines(ctx, found, slices.Collect(maps.Keys(paths)), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestPipelines200JSONResponse{
		Body: present.All(rows, func(p model.Pipeline) gen.PipelineListed {
			return m.show.PipelineListed(paths[p.ProjectID], p)
		}),
		Headers: gen.ListProjectMergeRequestPipelines200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectMergeRequestPipeline runs a pipeline for a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/pipelines
func (m *MergeRequests) CreateProjectMergeRequestPipeline(
	ctx context.Context, req gen.CreateProjectMergeRequestPipelineRequestObject,
) (gen.CreateProjectMergeRequestPipelineResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.RunMergeRequestPipeline)
	if err != nil {
		return nil, err
	}
	made, project, err := m.merger.Pipeline(ctx, row, user, found)
	var no *mergerequest.RefusedError
	if errors.As(err, &no) {
		return nil, apierr.Forbidden()
	}
	if err != nil {
		return nil, launch.APIError(err)
	}
	beside, err := m.store.Pipelines.Details(ctx, made)
	return gen.CreateProjectMergeRequestPipeline201JSONResponse(m.show.PipelineSingle(project.FullPath, made, beside)), err
}
