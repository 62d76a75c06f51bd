package environments

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/protectedenvironment"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// ofGroup returns a group as the owner of protected environments.
func (e *Environments) ofGroup(ctx context.Context, ref string) (protectedenvironment.Owner, error) {
	group, _, err := e.access.Group(ctx, ref, access.AdminGroupProtectedEnvironment)
	return protectedenvironment.Owner{Group: &group}, err
}

// ListGroupProtectedEnvironments lists the protected environments of a group.
// GET /groups/{id}/protected_environments
func (e *Environments) ListGroupProtectedEnvironments(
	ctx context.Context, req gen.ListGroupProtectedEnvironmentsRequestObject,
) (gen.ListGroupProtectedEnvironmentsResponseObject, error) {
	owner, err := e.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := e.listProtected(ctx, owner, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupProtectedEnvironments200JSONResponse{
		Body: rows, Headers: gen.ListGroupProtectedEnvironments200ResponseHeaders(headers),
	}, nil
}

// GetGroupProtectedEnvironment shows a protected environment of a group.
// GET /groups/{id}/protected_environments/{name}
func (e *Environments) GetGroupProtectedEnvironment(
	ctx context.Context, req gen.GetGroupProtectedEnvironmentRequestObject,
) (gen.GetGroupProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := e.presentOne(ctx)(e.protected.Find(ctx, owner, req.Name))
	if err != nil {
		return nil, err
	}
	return gen.GetGroupProtectedEnvironment200JSONResponse(shown), nil
}

// CreateGroupProtectedEnvironment protects a tier of environments of a group.
// POST /groups/{id}/protected_environments
func (e *Environments) CreateGroupProtectedEnvironment(
	ctx context.Context, req gen.CreateGroupProtectedEnvironmentRequestObject,
) (gen.CreateGroupProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	b := req.Body
	change := protectionChange(&b.DeployAccessLevels, b.ApprovalRules, b.RequiredApprovalCount)
	shown, err := e.presentOne(ctx)(e.protected.Create(ctx, owner, string(b.Name), change))
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupProtectedEnvironment201JSONResponse(shown), nil
}

// UpdateGroupProtectedEnvironment changes a protected environment of a group.
// PUT /groups/{id}/protected_environments/{name}
func (e *Environments) UpdateGroupProtectedEnvironment(
	ctx context.Context, req gen.UpdateGroupProtectedEnvironmentRequestObject,
) (gen.UpdateGroupProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := e.updateProtected(ctx, owner, req.Name, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupProtectedEnvironment200JSONResponse(shown), nil
}

// DeleteGroupProtectedEnvironment removes the protection of a tier of environments.
// DELETE /groups/{id}/protected_environments/{name}
func (e *Environments) DeleteGroupProtectedEnvironment(
	ctx context.Context, req gen.DeleteGroupProtectedEnvironmentRequestObject,
) (gen.DeleteGroupProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := e.deleteProtected(ctx, owner, req.Name, since); err != nil {
		return nil, err
	}
	return gen.DeleteGroupProtectedEnvironment204Response{}, nil
}
