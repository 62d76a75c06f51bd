package triggers

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectTriggers lists the trigger tokens of a project.
// GET /projects/{id}/triggers
func (t *Triggers) ListProjectTriggers(
	ctx context.Context, req gen.ListProjectTriggersRequestObject,
) (gen.ListProjectTriggersResponseObject, error) {
	row, err := t.access.Project(ctx, req.ID, access.ReadTrigger)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, t.pages, "Ci::Trigger", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := t.store.PipelineTriggers.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, one := range rows {
		ids = append(ids, one.OwnerID)
	}
	owners, err := t.store.Users.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectTriggers200JSONResponse{
		Body: present.All(rows, func(one model.PipelineTrigger) gen.Trigger {
			return t.show.Trigger(one, owners[one.OwnerID], one.Hint)
		}),
		Headers: gen.ListProjectTriggers200ResponseHeaders(window.Headers(total)),
	}, nil
}
