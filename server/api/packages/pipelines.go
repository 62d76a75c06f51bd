package packages

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// pipelineOrders are the orders of keyset pagination.
var pipelineOrders = []pagination.Order{{Column: "id", Desc: true}}

// ListProjectPackagePipelines lists the pipelines that published a package.
// GET /projects/{id}/packages/{package_id}/pipelines
func (p *Packages) ListProjectPackagePipelines(
	ctx context.Context, req gen.ListProjectPackagePipelinesRequestObject,
) (gen.ListProjectPackagePipelinesResponseObject, error) {
	row, found, err := p.find(ctx, req.ID, req.PackageID, access.ReadPackagePipeline)
	if err == nil && !row.ReadsJobs() {
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	q := req.Params
	if q.Pagination != nil && *q.Pagination != gen.PaginationKeyset || q.Page != nil && *q.Page > 1 {
		return nil, apierr.Pagination("Offset pagination is not available for this type of request")
	}
	order := pagination.Order{Column: "id", Desc: q.Sort == nil || *q.Sort == gen.SortDesc}
	cursor, err := pagination.Keyset(ctx, order, pipelineOrders, q.PerPage, q.Cursor)
	if err != nil {
		return nil, err
	}
	var before int64
	if cursor.After != nil {
		before = cursor.After.ID
	}
	rows, more, err := p.store.Packages.Pipelines(ctx, found.Package.ID, before, cursor.Limit)
	if err != nil {
		return nil, err
	}
	last := store.Key{}
	if len(rows) > 0 {
		last.ID = rows[len(rows)-1].Pipeline.ID
	}
	return gen.ListProjectPackagePipelines200JSONResponse{
		Body: present.All(rows, func(pipeline model.PackagePipelineRow) gen.PackagePipeline {
			return p.show.PackagePipeline(row.Project.FullPath, pipeline)
		}),
		Headers: gen.ListProjectPackagePipelines200ResponseHeaders{Link: cursor.Link(more, last)},
	}, nil
}
