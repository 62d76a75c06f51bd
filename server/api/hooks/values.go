package hooks

import (
	"context"

	"svc/gen"
	"svc/server/domain/webhook"
)

// UpdateProjectHookCustomHeader sets a custom header of a hook of a project.
// PUT /projects/{id}/hooks/{hook_id}/custom_headers/{key}
func (s *Hooks) UpdateProjectHookCustomHeader(
	ctx context.Context, req gen.UpdateProjectHookCustomHeaderRequestObject,
) (gen.UpdateProjectHookCustomHeaderResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.SetHeader(ctx, in, req.HookID, webhook.Pair{Key: req.Key, Value: req.Body.Value}); err != nil {
		return nil, err
	}
	return gen.UpdateProjectHookCustomHeader204Response{}, nil
}

// DeleteProjectHookCustomHeader deletes a custom header of a hook of a project.
// DELETE /projects/{id}/hooks/{hook_id}/custom_headers/{key}
func (s *Hooks) DeleteProjectHookCustomHeader(
	ctx context.Context, req gen.DeleteProjectHookCustomHeaderRequestObject,
) (gen.DeleteProjectHookCustomHeaderResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.DeleteHeader(ctx, in, req.HookID, req.Key); err != nil {
		return nil, err
	}
	return gen.DeleteProjectHookCustomHeader204Response{}, nil
}

// UpdateProjectHookURLVariable sets a URL variable of a hook of a project.
// PUT /projects/{id}/hooks/{hook_id}/url_variables/{key}
func (s *Hooks) UpdateProjectHookURLVariable(
	ctx context.Context, req gen.UpdateProjectHookURLVariableRequestObject,
) (gen.UpdateProjectHookURLVariableResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.SetVariable(ctx, in, req.HookID, webhook.Pair{Key: req.Key, Value: req.Body.Value}); err != nil {
		return nil, err
	}
	return gen.UpdateProjectHookURLVariable204Response{}, nil
}

// DeleteProjectHookURLVariable deletes a URL variable of a hook of a project.
// DELETE /projects/{id}/hooks/{hook_id}/url_variables/{key}
func (s *Hooks) DeleteProjectHookURLVariable(
	ctx context.Context, req gen.DeleteProjectHookURLVariableRequestObject,
) (gen.DeleteProjectHookURLVariableResponseObject, error) {
	in, _, err := s.project(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.DeleteVariable(ctx, in, req.HookID, req.Key); err != nil {
		return nil, err
	}
	return gen.DeleteProjectHookURLVariable204Response{}, nil
}

// UpdateGroupHookCustomHeader sets a custom header of a hook of a group.
// PUT /groups/{id}/hooks/{hook_id}/custom_headers/{key}
func (s *Hooks) UpdateGroupHookCustomHeader(
	ctx context.Context, req gen.UpdateGroupHookCustomHeaderRequestObject,
) (gen.UpdateGroupHookCustomHeaderResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.SetHeader(ctx, in, req.HookID, webhook.Pair{Key: req.Key, Value: req.Body.Value}); err != nil {
		return nil, err
	}
	return gen.UpdateGroupHookCustomHeader204Response{}, nil
}

// DeleteGroupHookCustomHeader deletes a custom header of a hook of a group.
// DELETE /groups/{id}/hooks/{hook_id}/custom_headers/{key}
func (s *Hooks) DeleteGroupHookCustomHeader(
	ctx context.Context, req gen.DeleteGroupHookCustomHeaderRequestObject,
) (gen.DeleteGroupHookCustomHeaderResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.DeleteHeader(ctx, in, req.HookID, req.Key); err != nil {
		return nil, err
	}
	return gen.DeleteGroupHookCustomHeader204Response{}, nil
}

// UpdateGroupHookURLVariable sets a URL variable of a hook of a group.
// PUT /groups/{id}/hooks/{hook_id}/url_variables/{key}
func (s *Hooks) UpdateGroupHookURLVariable(
	ctx context.Context, req gen.UpdateGroupHookURLVariableRequestObject,
) (gen.UpdateGroupHookURLVariableResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.SetVariable(ctx, in, req.HookID, webhook.Pair{Key: req.Key, Value: req.Body.Value}); err != nil {
		return nil, err
	}
	return gen.UpdateGroupHookURLVariable204Response{}, nil
}

// DeleteGroupHookURLVariable deletes a URL variable of a hook of a group.
// DELETE /groups/{id}/hooks/{hook_id}/url_variables/{key}
func (s *Hooks) DeleteGroupHookURLVariable(
	ctx context.Context, req gen.DeleteGroupHookURLVariableRequestObject,
) (gen.DeleteGroupHookURLVariableResponseObject, error) {
	in, _, err := s.group(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.DeleteVariable(ctx, in, req.HookID, req.Key); err != nil {
		return nil, err
	}
	return gen.DeleteGroupHookURLVariable204Response{}, nil
}

// UpdateHookCustomHeader sets a custom header of a system hook.
// PUT /hooks/{hook_id}/custom_headers/{key}
func (s *Hooks) UpdateHookCustomHeader(
	ctx context.Context, req gen.UpdateHookCustomHeaderRequestObject,
) (gen.UpdateHookCustomHeaderResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.SetHeader(ctx, in, req.HookID, webhook.Pair{Key: req.Key, Value: req.Body.Value}); err != nil {
		return nil, err
	}
	return gen.UpdateHookCustomHeader204Response{}, nil
}

// DeleteHookCustomHeader deletes a custom header of a system hook.
// DELETE /hooks/{hook_id}/custom_headers/{key}
func (s *Hooks) DeleteHookCustomHeader(
	ctx context.Context, req gen.DeleteHookCustomHeaderRequestObject,
) (gen.DeleteHookCustomHeaderResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.DeleteHeader(ctx, in, req.HookID, req.Key); err != nil {
		return nil, err
	}
	return gen.DeleteHookCustomHeader204Response{}, nil
}

// UpdateHookURLVariable sets a URL variable of a system hook.
// PUT /hooks/{hook_id}/url_variables/{key}
func (s *Hooks) UpdateHookURLVariable(
	ctx context.Context, req gen.UpdateHookURLVariableRequestObject,
) (gen.UpdateHookURLVariableResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.SetVariable(ctx, in, req.HookID, webhook.Pair{Key: req.Key, Value: req.Body.Value}); err != nil {
		return nil, err
	}
	return gen.UpdateHookURLVariable204Response{}, nil
}

// DeleteHookURLVariable deletes a URL variable of a system hook.
// DELETE /hooks/{hook_id}/url_variables/{key}
func (s *Hooks) DeleteHookURLVariable(
	ctx context.Context, req gen.DeleteHookURLVariableRequestObject,
) (gen.DeleteHookURLVariableResponseObject, error) {
	in, err := s.instance(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.hooks.DeleteVariable(ctx, in, req.HookID, req.Key); err != nil {
		return nil, err
	}
	return gen.DeleteHookURLVariable204Response{}, nil
}
