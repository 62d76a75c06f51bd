package alerts

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ListProjectAlerts lists the alerts of a project.
// GET /projects/{id}/alerts
func (s *Alerts) ListProjectAlerts(
	ctx context.Context, req gen.ListProjectAlertsRequestObject,
) (gen.ListProjectAlertsResponseObject, error) {
	row, err := s.access.Project(ctx, req.ID, access.ReadAlert)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, "AlertManagement::Alert", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.Alerts.List(ctx, row.Project.ID, filter(req.Params), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAlerts200JSONResponse{
		Body: present.All(rows, s.show.AlertBasic), Headers: gen.ListProjectAlerts200ResponseHeaders(window.Headers(total)),
	}, nil
}

// filter reads the query parameters of the list.
func filter(p gen.ListProjectAlertsParams) store.AlertFilter {
	return store.AlertFilter{
		Asc:        p.Sort != nil && *p.Sort == gen.ListProjectAlertsParamsSortAsc,
		ByIID:      p.OrderBy != nil && *p.OrderBy == gen.ListProjectAlertsParamsOrderByIid,
		Status:     string(wire.Value(p.Status)),
		Severity:   string(wire.Value(p.Severity)),
		AssigneeID: wire.Value(p.AssigneeID),
		Search:     wire.Value(p.Search),
	}
}
