package pipelines

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListProjectPipelines lists the pipelines of a project.
// GET /projects/{id}/pipelines
func (p *Pipelines) ListProjectPipelines(
	ctx context.Context, req gen.ListProjectPipelinesRequestObject,
) (gen.ListProjectPipelinesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadPipeline)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.pages, "Ci::Pipeline", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.Pipelines.List(ctx, row.Project.ID, filter(req.Params), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPipelines200JSONResponse{
		Body: present.All(rows, func(one model.Pipeline) gen.PipelineListed {
			return p.show.PipelineListed(row.Project.FullPath, one)
		}),
		Headers: gen.ListProjectPipelines200ResponseHeaders(window.Headers(total)),
	}, nil
}

// filter reads the query parameters.
func filter(q gen.ListProjectPipelinesParams) store.PipelineFilter {
	return store.PipelineFilter{
		Scope: string(wire.Value(q.Scope)), Status: string(wire.Value(q.Status)), Source: string(wire.Value(q.Source)),
		Ref: wire.Value(q.Ref), SHA: wire.Value(q.Sha), Username: wire.Value(q.Username), Name: wire.Value(q.Name),
		YamlErrors: q.YamlErrors, UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
		CreatedAfter: q.CreatedAfter.Std(), CreatedBefore: q.CreatedBefore.Std(), Order: string(wire.Value(q.OrderBy)),
		Asc: wire.Value(q.Sort) == gen.SortAsc,
	}
}
