package hooks

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// DeleteProjectHook deletes a hook of a project.
// DELETE /projects/{id}/hooks/{hook_id}
func (s *Hooks) DeleteProjectHook(
	ctx context.Context, req gen.DeleteProjectHookRequestObject,
) (gen.DeleteProjectHookResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.Delete(ctx, in, req.HookID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectHook204Response{}, nil
}

// DeleteGroupHook deletes a hook of a group.
// DELETE /groups/{id}/hooks/{hook_id}
func (s *Hooks) DeleteGroupHook(ctx context.Context, req gen.DeleteGroupHookRequestObject) (gen.DeleteGroupHookResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.Delete(ctx, in, req.HookID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteGroupHook204Response{}, nil
}

// DeleteHook deletes a system hook.
// DELETE /hooks/{hook_id}
func (s *Hooks) DeleteHook(ctx context.Context, req gen.DeleteHookRequestObject) (gen.DeleteHookResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.Delete(ctx, in, req.HookID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteHook204Response{}, nil
}
