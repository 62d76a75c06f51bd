package hooks

import (
	"context"

	"svc/gen"
	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
)

// ListProjectHookEvents lists the deliveries of a hook of a project.
// GET /projects/{id}/hooks/{hook_id}/events
func (s *Hooks) ListProjectHookEvents(
	ctx context.Context, req gen.ListProjectHookEventsRequestObject,
) (gen.ListProjectHookEventsResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := s.events(ctx, in, req.HookID, p.Status, p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectHookEvents200JSONResponse{Body: rows, Headers: gen.ListProjectHookEvents200ResponseHeaders(headers)}, nil
}

// ResendProjectHookEvent sends a delivery of a hook of a project again.
// POST /projects/{id}/hooks/{hook_id}/events/{event_id}/resend
func (s *Hooks) ResendProjectHookEvent(
	ctx context.Context, req gen.ResendProjectHookEventRequestObject,
) (gen.ResendProjectHookEventResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	status, err := s.hooks.Resend(ctx, in, req.HookID, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.ResendProjectHookEvent201JSONResponse{ResponseStatus: status}, nil
}

// ListGroupHookEvents lists the deliveries of a hook of a group.
// GET /groups/{id}/hooks/{hook_id}/events
func (s *Hooks) ListGroupHookEvents(
	ctx context.Context, req gen.ListGroupHookEventsRequestObject,
) (gen.ListGroupHookEventsResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	p := req.Params
	rows, headers, err := s.events(ctx, in, req.HookID, p.Status, p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupHookEvents200JSONResponse{Body: rows, Headers: gen.ListGroupHookEvents200ResponseHeaders(headers)}, nil
}

// ResendGroupHookEvent sends a delivery of a hook of a group again.
// POST /groups/{id}/hooks/{hook_id}/events/{event_id}/resend
func (s *Hooks) ResendGroupHookEvent(
	ctx context.Context, req gen.ResendGroupHookEventRequestObject,
) (gen.ResendGroupHookEventResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	status, err := s.hooks.Resend(ctx, in, req.HookID, req.EventID)
	if err != nil {
		return nil, err
	}
	return gen.ResendGroupHookEvent201JSONResponse{ResponseStatus: status}, nil
}

func (s *Hooks) events(
	ctx context.Context, in webhook.Owner, hookID int64, statuses *[]string, number, size *int64, paging *gen.Pagination,
) ([]gen.HookEvent, pagination.Headers, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	if _, err := s.store.Hooks.Get(ctx, in.HookOwner, hookID); err != nil {
		return nil, pagination.Headers{}, apierr.OrNotFound(err)
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "Hook event"}, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	filter := store.HookDeliveryFilter{Since: clock.Now(ctx).AddDate(0, 0, -webhook.LogDays)}
	if statuses != nil {
		for _, status := range *statuses {
			filter.Statuses = append(filter.Statuses, webhook.LogStatuses(status)...)
		}
	}
	rows, total, err := s.store.HookDeliveries.List(ctx, hookID, filter, window.Page)
	return present.All(rows, present.HookEvent), window.Headers(total), err
}
