package hooks

import (
	"context"

	"svc/gen"
	"svc/server/platform/present"
)

// CreateProjectHook creates a hook of a project.
// POST /projects/{id}/hooks
func (s *Hooks) CreateProjectHook(
	ctx context.Context, req gen.CreateProjectHookRequestObject,
) (gen.CreateProjectHookResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	made, err := s.hooks.Create(ctx, in, newHook(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := presentOne(ctx, s, made, present.ProjectHook)
	return gen.CreateProjectHook201JSONResponse(shown), err
}

// CreateGroupHook creates a hook of a group.
// POST /groups/{id}/hooks
func (s *Hooks) CreateGroupHook(ctx context.Context, req gen.CreateGroupHookRequestObject) (gen.CreateGroupHookResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	made, err := s.hooks.Create(ctx, in, newHook(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := presentOne(ctx, s, made, present.GroupHook)
	return gen.CreateGroupHook201JSONResponse(shown), err
}

// CreateHook creates a system hook.
// POST /hooks
func (s *Hooks) CreateHook(ctx context.Context, req gen.CreateHookRequestObject) (gen.CreateHookResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	made, err := s.hooks.Create(ctx, in, newHook(*req.Body))
	if err != nil {
		return nil, err
	}
	shown, err := presentOne(ctx, s, made, present.SystemHook)
	return gen.CreateHook201JSONResponse(shown), err
}
