package hooks

import (
	"context"

	"svc/gen"
	"svc/server/domain/webhook"
	"svc/server/platform/present"
	"svc/store/model"
)

// UpdateProjectHook changes a hook of a project.
// PUT /projects/{id}/hooks/{hook_id}
func (s *Hooks) UpdateProjectHook(
	ctx context.Context, req gen.UpdateProjectHookRequestObject,
) (gen.UpdateProjectHookResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	changed, err := s.update(ctx, in, req.HookID, *req.Body)
	if err != nil {
		return nil, err
	}
	shown, err := presentOne(ctx, s, changed, present.ProjectHook)
	return gen.UpdateProjectHook200JSONResponse(shown), err
}

// UpdateGroupHook changes a hook of a group.
// PUT /groups/{id}/hooks/{hook_id}
func (s *Hooks) UpdateGroupHook(ctx context.Context, req gen.UpdateGroupHookRequestObject) (gen.UpdateGroupHookResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	changed, err := s.update(ctx, in, req.HookID, *req.Body)
	if err != nil {
		return nil, err
	}
	shown, err := presentOne(ctx, s, changed, present.GroupHook)
	return gen.UpdateGroupHook200JSONResponse(shown), err
}

// UpdateHook changes a system hook.
// PUT /hooks/{hook_id}
func (s *Hooks) UpdateHook(ctx context.Context, req gen.UpdateHookRequestObject) (gen.UpdateHookResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	changed, err := s.update(ctx, in, req.HookID, *req.Body)
	if err != nil {
		return nil, err
	}
	shown, err := presentOne(ctx, s, changed, present.SystemHook)
	return gen.UpdateHook200JSONResponse(shown), err
}

func (s *Hooks) update(ctx context.Context, in webhook.Owner, id int64, body gen.HookUpdate) (model.Hook, error) {
	if err := checkChange(body); err != nil {
		return model.Hook{}, err
	}
	return s.hooks.Update(ctx, in, id, hookChange(body))
}
