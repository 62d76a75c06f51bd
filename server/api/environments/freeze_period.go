package environments

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/freeze"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// findFreezePeriod finds a freeze period of a project and requires the ability in that project.
func (e *Environments) findFreezePeriod(
	ctx context.Context, project string, id int64, ability access.Ability,
) (model.ProjectRow, model.FreezePeriod, error) {
	row, err := e.access.Project(ctx, project, ability)
	if err != nil {
		return row, model.FreezePeriod{}, err
	}
	found, err := e.store.FreezePeriods.Get(ctx, row.Project.ID, id)
	return row, found, apierr.OrNotFound(err)
}

// ListProjectFreezePeriods lists the freeze periods of a project.
// GET /projects/{id}/freeze_periods
func (e *Environments) ListProjectFreezePeriods(
	ctx context.Context, req gen.ListProjectFreezePeriodsRequestObject,
) (gen.ListProjectFreezePeriodsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadFreezePeriod)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, e.pages, "FreezePeriod", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := e.store.FreezePeriods.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectFreezePeriods200JSONResponse{
		Body: present.All(rows, present.FreezePeriod), Headers: gen.ListProjectFreezePeriods200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectFreezePeriod shows a freeze period.
// GET /projects/{id}/freeze_periods/{freeze_period_id}
func (e *Environments) GetProjectFreezePeriod(
	ctx context.Context, req gen.GetProjectFreezePeriodRequestObject,
) (gen.GetProjectFreezePeriodResponseObject, error) {
	_, found, err := e.findFreezePeriod(ctx, req.ID, req.FreezePeriodID, access.ReadFreezePeriod)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectFreezePeriod200JSONResponse(present.FreezePeriod(found)), nil
}

// CreateProjectFreezePeriod creates a freeze period.
// POST /projects/{id}/freeze_periods
func (e *Environments) CreateProjectFreezePeriod(
	ctx context.Context, req gen.CreateProjectFreezePeriodRequestObject,
) (gen.CreateProjectFreezePeriodResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.AdminFreezePeriod)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := e.freezes.Create(ctx, row.Project, freeze.Change{Start: &b.FreezeStart, End: &b.FreezeEnd, Zone: b.CronTimezone})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectFreezePeriod201JSONResponse(present.FreezePeriod(made)), nil
}

// UpdateProjectFreezePeriod changes a freeze period.
// PUT /projects/{id}/freeze_periods/{freeze_period_id}
func (e *Environments) UpdateProjectFreezePeriod(
	ctx context.Context, req gen.UpdateProjectFreezePeriodRequestObject,
) (gen.UpdateProjectFreezePeriodResponseObject, error) {
	row, found, err := e.findFreezePeriod(ctx, req.ID, req.FreezePeriodID, access.AdminFreezePeriod)
	if err != nil {
		return nil, err
	}
	b := req.Body
	changed, err := e.freezes.Apply(ctx, row.Project, found, freeze.Change{Start: b.FreezeStart, End: b.FreezeEnd, Zone: b.CronTimezone})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectFreezePeriod200JSONResponse(present.FreezePeriod(changed)), nil
}

// DeleteProjectFreezePeriod deletes a freeze period.
// DELETE /projects/{id}/freeze_periods/{freeze_period_id}
func (e *Environments) DeleteProjectFreezePeriod(
	ctx context.Context, req gen.DeleteProjectFreezePeriodRequestObject,
) (gen.DeleteProjectFreezePeriodResponseObject, error) {
	row, found, err := e.findFreezePeriod(ctx, req.ID, req.FreezePeriodID, access.AdminFreezePeriod)
	if err != nil {
		return nil, err
	}
	if err := e.freezes.Delete(ctx, row.Project, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectFreezePeriod204Response{}, nil
}
