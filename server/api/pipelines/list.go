package pipelines

import (
	"context"

	"svc/gen"
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
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "Ci::Pipeline"}, req.Params.Page, req.Params.PerPage)
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

func filter(q gen.ListProjectPipelinesParams) store.PipelineFilter {
	return store.PipelineFilter{
		Scope: text(q.Scope), Status: text(q.Status), Source: text(q.Source), Ref: text(q.Ref), SHA: text(q.Sha),
		Username: text(q.Username),
		Name:     text(q.Name), YamlErrors: q.YamlErrors, UpdatedAfter: q.UpdatedAfter.Std(), UpdatedBefore: q.UpdatedBefore.Std(),
		CreatedAfter: q.CreatedAfter.Std(), CreatedBefore: q.CreatedBefore.Std(), Order: text(q.OrderBy),
		Asc: q.Sort != nil && *q.Sort == gen.SortAsc,
	}
}

func text[T ~string](given *T) string {
	if given == nil {
		return ""
	}
	return string(*given)
}
