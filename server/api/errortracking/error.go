package errortracking

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

// ListProjectErrorTrackingErrors lists the errors of a project.
// GET /projects/{id}/error_tracking/errors
func (e *ErrorTracking) ListProjectErrorTrackingErrors(
	ctx context.Context, req gen.ListProjectErrorTrackingErrorsRequestObject,
) (gen.ListProjectErrorTrackingErrorsResponseObject, error) {
	row, err := e.access.Project(ctx, req.ID, access.ReadTrackedError)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := e.pages.Offset(ctx, pagination.Kind{Name: "ErrorTracking::Error"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	f := store.ErrorFilter{Asc: req.Params.Sort != nil && string(*req.Params.Sort) == "asc"}
	if req.Params.Status != nil {
		f.Status = string(*req.Params.Status)
	}
	if req.Params.Search != nil {
		f.Search = *req.Params.Search
	}
	if req.Params.OrderBy != nil {
		f.Column = string(*req.Params.OrderBy)
	}
	rows, total, err := e.store.ErrorTracking.List(ctx, row.Project.ID, f, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectErrorTrackingErrors200JSONResponse{
		Body: present.All(rows, present.TrackedError), Headers: gen.ListProjectErrorTrackingErrors200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectErrorTrackingError returns an error.
// GET /projects/{id}/error_tracking/errors/{error_id}
func (e *ErrorTracking) GetProjectErrorTrackingError(
	ctx context.Context, req gen.GetProjectErrorTrackingErrorRequestObject,
) (gen.GetProjectErrorTrackingErrorResponseObject, error) {
	found, err := e.find(ctx, req.ID, req.ErrorID, access.ReadTrackedError)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectErrorTrackingError200JSONResponse(present.TrackedError(found)), nil
}

// UpdateProjectErrorTrackingError resolves or ignores an error.
// PUT /projects/{id}/error_tracking/errors/{error_id}
func (e *ErrorTracking) UpdateProjectErrorTrackingError(
	ctx context.Context, req gen.UpdateProjectErrorTrackingErrorRequestObject,
) (gen.UpdateProjectErrorTrackingErrorResponseObject, error) {
	found, err := e.find(ctx, req.ID, req.ErrorID, access.UpdateTrackedError)
	if err == nil {
		found, err = e.store.ErrorTracking.SetStatus(ctx, found, string(req.Body.Status))
	}
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectErrorTrackingError200JSONResponse(present.TrackedError(found)), nil
}

// ListProjectErrorTrackingErrorEvents lists the events of an error.
// GET /projects/{id}/error_tracking/errors/{error_id}/events
func (e *ErrorTracking) ListProjectErrorTrackingErrorEvents(
	ctx context.Context, req gen.ListProjectErrorTrackingErrorEventsRequestObject,
) (gen.ListProjectErrorTrackingErrorEventsResponseObject, error) {
	found, err := e.find(ctx, req.ID, req.ErrorID, access.ReadTrackedError)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := e.pages.Offset(ctx, pagination.Kind{Name: "ErrorTracking::ErrorEvent"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := e.store.ErrorTracking.Events(ctx, found.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectErrorTrackingErrorEvents200JSONResponse{
		Body:    present.All(rows, present.TrackedErrorEvent),
		Headers: gen.ListProjectErrorTrackingErrorEvents200ResponseHeaders(window.Headers(total)),
	}, nil
}

// find finds an error of a project and requires the ability in that project.
func (e *ErrorTracking) find(ctx context.Context, project string, id int64, ability access.Ability) (model.TrackedError, error) {
	row, err := e.access.Project(ctx, project, ability)
	if err != nil {
		return model.TrackedError{}, err
	}
	row2, err := e.store.ErrorTracking.Get(ctx, row.Project.ID, id)
	return row2, apierr.OrNotFound(err)
}
