package hooks

import (
	"context"

	"svc/gen"
	"svc/server/domain/webhook"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// TestProjectHook sends a sample to a hook of a project.
// POST /projects/{id}/hooks/{hook_id}/test/{trigger}
func (s *Hooks) TestProjectHook(ctx context.Context, req gen.TestProjectHookRequestObject) (gen.TestProjectHookResponseObject, error) {
	in, row, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	kind, err := kindOf(string(req.Trigger), false)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.Test(ctx, in, req.HookID, webhook.Sample{Kind: kind, Project: &row}); err != nil {
		return nil, err
	}
	return gen.TestProjectHook201JSONResponse{Message: "201 Created"}, nil
}

// TestGroupHook sends a sample to a hook of a group.
// POST /groups/{id}/hooks/{hook_id}/test/{trigger}
func (s *Hooks) TestGroupHook(ctx context.Context, req gen.TestGroupHookRequestObject) (gen.TestGroupHookResponseObject, error) {
	in, row, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	kind, err := kindOf(string(req.Trigger), true)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.Test(ctx, in, req.HookID, webhook.Sample{Kind: kind, Group: &row}); err != nil {
		return nil, err
	}
	return gen.TestGroupHook201JSONResponse{Message: "201 Created"}, nil
}

// TestHook sends a sample to a system hook.
// POST /hooks/{hook_id}
func (s *Hooks) TestHook(ctx context.Context, req gen.TestHookRequestObject) (gen.TestHookResponseObject, error) {
	if _, err := s.instance(ctx); err != nil {
		return nil, err
	}
	sample, err := s.hooks.TestSystem(ctx, req.HookID)
	if err != nil {
		return nil, err
	}
	return gen.TestHook201JSONResponse(sample), nil
}

// kindOf returns the kind of events of a trigger, or a 400.
func kindOf(trigger string, group bool) (model.HookEvents, error) {
	kind, ok := webhook.KindByFlag(trigger, group)
	if !ok {
		return 0, apierr.BadParameter("trigger does not have a valid value")
	}
	return kind.Event, nil
}
