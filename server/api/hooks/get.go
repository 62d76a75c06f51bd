package hooks

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetProjectHook returns a hook of a project.
// GET /projects/{id}/hooks/{hook_id}
func (s *Hooks) GetProjectHook(ctx context.Context, req gen.GetProjectHookRequestObject) (gen.GetProjectHookResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := get(ctx, s, in, req.HookID, present.ProjectHook)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectHook200JSONResponse(shown), nil
}

// GetGroupHook returns a hook of a group.
// GET /groups/{id}/hooks/{hook_id}
func (s *Hooks) GetGroupHook(ctx context.Context, req gen.GetGroupHookRequestObject) (gen.GetGroupHookResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := get(ctx, s, in, req.HookID, present.GroupHook)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupHook200JSONResponse(shown), nil
}

// GetHook returns a system hook.
// GET /hooks/{hook_id}
func (s *Hooks) GetHook(ctx context.Context, req gen.GetHookRequestObject) (gen.GetHookResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	shown, err := get(ctx, s, in, req.HookID, present.SystemHook)
	if err != nil {
		return nil, err
	}
	return gen.GetHook200JSONResponse(shown), nil
}

func get[T any](
	ctx context.Context, s *Hooks, in webhook.Owner, id int64, show func(model.Hook, present.HookSecrets, time.Time) T,
) (T, error) {
	row, err := s.store.Hooks.Get(ctx, in.HookOwner, id)
	if err != nil {
		var none T
		return none, apierr.OrNotFound(err)
	}
	return presentOne(ctx, s, row, show)
}
