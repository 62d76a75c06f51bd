package protections

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/repository/protection"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// presentGroupBranch presents a rule of a group.
func presentGroupBranch(b model.GroupProtectedBranch) gen.ProtectedBranch {
	return present.ProtectedBranch(b.AsBranch(), nil)
}

// ListGroupProtectedBranches lists the branches that a group protects in its projects.
// GET /groups/{id}/protected_branches
func (p *Protections) ListGroupProtectedBranches(
	ctx context.Context, req gen.ListGroupProtectedBranchesRequestObject,
) (gen.ListGroupProtectedBranchesResponseObject, error) {
	group, _, err := p.access.Group(ctx, req.ID, access.AdminGroupProtection)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.pages, "ProtectedBranch", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.GroupProtectedBranches.List(ctx, group.ID, wire.Value(req.Params.Search), window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupProtectedBranches200JSONResponse{
		Body:    present.All(rows, presentGroupBranch),
		Headers: gen.ListGroupProtectedBranches200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetGroupProtectedBranch shows a branch that a group protects.
// GET /groups/{id}/protected_branches/{name}
func (p *Protections) GetGroupProtectedBranch(
	ctx context.Context, req gen.GetGroupProtectedBranchRequestObject,
) (gen.GetGroupProtectedBranchResponseObject, error) {
	_, rule, err := p.findGroupBranch(ctx, req.ID, req.Name)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupProtectedBranch200JSONResponse(presentGroupBranch(rule)), nil
}

// CreateGroupProtectedBranch protects a branch in all projects of a group.
// POST /groups/{id}/protected_branches
func (p *Protections) CreateGroupProtectedBranch(
	ctx context.Context, req gen.CreateGroupProtectedBranchRequestObject,
) (gen.CreateGroupProtectedBranchResponseObject, error) {
	group, _, err := p.access.Group(ctx, req.ID, access.AdminGroupProtection)
	if err != nil {
		return nil, err
	}
	b := req.Body
	rule, err := p.rules.ProtectInGroup(ctx, group, b.Name, protection.GroupBranchChange{
		Push: (*model.Access)(b.PushAccessLevel), Merge: (*model.Access)(b.MergeAccessLevel),
		Unprotect: (*model.Access)(b.UnprotectAccessLevel), ForcePush: b.AllowForcePush,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupProtectedBranch201JSONResponse(presentGroupBranch(rule)), nil
}

// UpdateGroupProtectedBranch changes a rule of a group.
// PATCH /groups/{id}/protected_branches/{name}
func (p *Protections) UpdateGroupProtectedBranch(
	ctx context.Context, req gen.UpdateGroupProtectedBranchRequestObject,
) (gen.UpdateGroupProtectedBranchResponseObject, error) {
	group, rule, err := p.findGroupBranch(ctx, req.ID, req.Name)
	if err != nil {
		return nil, err
	}
	change := protection.GroupBranchChange{}
	if b := req.Body; b != nil {
		change = protection.GroupBranchChange{
			Push: (*model.Access)(b.PushAccessLevel), Merge: (*model.Access)(b.MergeAccessLevel),
			Unprotect: (*model.Access)(b.UnprotectAccessLevel), ForcePush: b.AllowForcePush,
		}
	}
	changed, err := p.rules.ChangeInGroup(ctx, group, rule, change)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupProtectedBranch200JSONResponse(presentGroupBranch(changed)), nil
}

// DeleteGroupProtectedBranch removes a rule of a group.
// DELETE /groups/{id}/protected_branches/{name}
func (p *Protections) DeleteGroupProtectedBranch(
	ctx context.Context, req gen.DeleteGroupProtectedBranchRequestObject,
) (gen.DeleteGroupProtectedBranchResponseObject, error) {
	group, rule, err := p.findGroupBranch(ctx, req.ID, req.Name)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := p.rules.UnprotectInGroup(ctx, group, rule, since); err != nil {
		return nil, err
	}
	return gen.DeleteGroupProtectedBranch204Response{}, nil
}

// findGroupBranch finds a rule of a group that the caller may administer.
func (p *Protections) findGroupBranch(ctx context.Context, ref, name string) (model.Namespace, model.GroupProtectedBranch, error) {
	group, _, err := p.access.Group(ctx, ref, access.AdminGroupProtection)
	if err != nil {
		return group, model.GroupProtectedBranch{}, err
	}
	rule, err := p.store.GroupProtectedBranches.Get(ctx, group.ID, name)
	return group, rule, apierr.OrNotFound(err)
}
