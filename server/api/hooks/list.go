package hooks

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/webhook"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectHooks lists the hooks of a project.
// GET /projects/{id}/hooks
func (s *Hooks) ListProjectHooks(ctx context.Context, req gen.ListProjectHooksRequestObject) (gen.ListProjectHooksResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := list(ctx, s, in, req.Params.Page, req.Params.PerPage, req.Params.Pagination, present.ProjectHook)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectHooks200JSONResponse{Body: rows, Headers: gen.ListProjectHooks200ResponseHeaders(headers)}, nil
}

// ListGroupHooks lists the hooks of a group.
// GET /groups/{id}/hooks
func (s *Hooks) ListGroupHooks(ctx context.Context, req gen.ListGroupHooksRequestObject) (gen.ListGroupHooksResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := list(ctx, s, in, req.Params.Page, req.Params.PerPage, req.Params.Pagination, present.GroupHook)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupHooks200JSONResponse{Body: rows, Headers: gen.ListGroupHooks200ResponseHeaders(headers)}, nil
}

// ListHooks lists the system hooks.
// GET /hooks
func (s *Hooks) ListHooks(ctx context.Context, req gen.ListHooksRequestObject) (gen.ListHooksResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	rows, headers, err := list(ctx, s, in, req.Params.Page, req.Params.PerPage, req.Params.Pagination, present.SystemHook)
	if err != nil {
		return nil, err
	}
	return gen.ListHooks200JSONResponse{Body: rows, Headers: gen.ListHooks200ResponseHeaders(headers)}, nil
}

func list[T any](
	ctx context.Context, s *Hooks, in webhook.Owner, number, size *int64, paging *gen.Pagination,
	show func(model.Hook, present.HookSecrets, time.Time) T,
) ([]T, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, s.pages, "Hook", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := s.store.Hooks.List(ctx, in.HookOwner, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	shown := make([]T, len(rows))
	for i, row := range rows {
		if shown[i], err = presentOne(ctx, s, row, show); err != nil {
			return nil, pagination.Headers{}, err
		}
	}
	return shown, window.Headers(total), nil
}
