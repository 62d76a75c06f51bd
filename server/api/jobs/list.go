package jobs

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

var keysetOrders = []pagination.Order{{Column: "id", Desc: true}}

// ListProjectJobs lists the jobs of a project.
// GET /projects/{id}/jobs
func (j *Jobs) ListProjectJobs(
	ctx context.Context, req gen.ListProjectJobsRequestObject,
) (gen.ListProjectJobsResponseObject, error) {
	row, err := j.access.Project(ctx, req.ID, access.ReadJob)
	if err != nil {
		return nil, err
	}
	q := req.Params
	filter := store.JobFilter{ProjectID: row.Project.ID, Retried: true, Scope: scope(q.Scope)}
	show := j.presenter(ctx, row.Project).Job
	if q.Pagination != nil && *q.Pagination == gen.PaginationKeyset {
		// The default order is the newest job first.
		order := pagination.Order{
			Column: string(valueOr(q.OrderBy, "id")), Desc: valueOr(q.Sort, gen.SortDesc) == gen.SortDesc,
		}
		cursor, err := pagination.Keyset(ctx, order, keysetOrders, q.PerPage, q.Cursor)
		if err != nil {
			return nil, err
		}
		if cursor.After != nil {
			filter.Before = cursor.After.ID
		}
		rows, more, err := j.store.Jobs.Before(ctx, filter, cursor.Limit)
		if err != nil {
			return nil, err
		}
		last := store.Key{}
		if len(rows) > 0 {
			last.ID = rows[len(rows)-1].Job.ID
		}
		return gen.ListProjectJobs200JSONResponse{
			Body: present.All(rows, show), Headers: gen.ListProjectJobs200ResponseHeaders(cursor.Headers(more, last)),
		}, nil
	}
	window, err := j.pages.Offset(ctx, pagination.Kind{Name: "Ci::Build", Keyset: true}, q.Page, q.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := j.store.Jobs.ListUncounted(ctx, filter, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectJobs200JSONResponse{
		Body: present.All(rows, show), Headers: gen.ListProjectJobs200ResponseHeaders(window.Headers(total)),
	}, nil
}

func scope(given *gen.JobScope) []string {
	if given == nil {
		return nil
	}
	all := make([]string, len(*given))
	for i, status := range *given {
		all[i] = string(status)
	}
	return all
}

func valueOr[T any](given *T, otherwise T) T {
	if given == nil {
		return otherwise
	}
	return *given
}
