package protections

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// CreateProjectProtectedBranch protects a branch, or all branches that match a wildcard.
// POST /projects/{id}/protected_branches
func (p *Protections) CreateProjectProtectedBranch(
	ctx context.Context, req gen.CreateProjectProtectedBranchRequestObject,
) (gen.CreateProjectProtectedBranchResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	b := req.Body
	allowed, err := allowedToPush(b.PushAccessLevel, b.AllowedToPush)
	if err != nil {
		return nil, err
	}
	push := level(allowed.role)
	if allowed.role == nil && len(allowed.keys) > 0 {
		push = model.NoAccess // only the keys may push
	}
	rule, err := p.rules.ProtectBranch(ctx, row.Project, model.ProtectedBranch{
		Name: b.Name, PushAccessLevel: push, MergeAccessLevel: level(b.MergeAccessLevel),
		UnprotectAccessLevel: level(b.UnprotectAccessLevel), AllowForcePush: wire.Value(b.AllowForcePush),
	}, allowed.keys)
	if err != nil {
		return nil, err
	}
	shown, err := p.presentBranch(ctx, rule)
	return gen.CreateProjectProtectedBranch201JSONResponse(shown), err
}

// CreateProjectProtectedTag protects a tag, or all tags that match a wildcard.
// POST /projects/{id}/protected_tags
func (p *Protections) CreateProjectProtectedTag(
	ctx context.Context, req gen.CreateProjectProtectedTagRequestObject,
) (gen.CreateProjectProtectedTagResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminProject)
	if err != nil {
		return nil, err
	}
	rule, err := p.rules.ProtectTag(ctx, row.Project, model.ProtectedTag{
		Name: req.Body.Name, CreateAccessLevel: level(req.Body.CreateAccessLevel),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectProtectedTag201JSONResponse(present.ProtectedTag(rule)), nil
}

// level returns the given role, or maintainer by default.
func level[T ~int64](given *T) model.Access {
	if given == nil {
		return model.Maintainer
	}
	return model.Access(*given)
}
