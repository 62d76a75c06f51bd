package protections

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/protection"
	"svc/server/platform/access"
	"svc/store/model"
)

// UpdateProjectProtectedBranch changes a protected branch.
// PATCH /projects/{id}/protected_branches/{name}
func (p *Protections) UpdateProjectProtectedBranch(
	ctx context.Context, req gen.UpdateProjectProtectedBranchRequestObject,
) (gen.UpdateProjectProtectedBranchResponseObject, error) {
	row, rule, err := p.findBranch(ctx, req.ID, req.Name, access.AdminProtectedBranch)
	if err != nil {
		return nil, err
	}
	change, err := changeFrom(req.Body)
	if err != nil {
		return nil, err
	}
	changed, err := p.rules.ChangeBranch(ctx, row, rule, change)
	if err != nil {
		return nil, err
	}
	shown, err := p.presentBranch(ctx, changed)
	return gen.UpdateProjectProtectedBranch200JSONResponse(shown), err
}

func changeFrom(b *gen.UpdateProjectProtectedBranchJSONRequestBody) (protection.BranchChange, error) {
	if b == nil {
		return protection.BranchChange{}, nil
	}
	allowed, err := allowedToPush(b.PushAccessLevel, b.AllowedToPush)
	return protection.BranchChange{
		Push: (*model.Access)(allowed.role), Merge: (*model.Access)(b.MergeAccessLevel),
		Unprotect: (*model.Access)(b.UnprotectAccessLevel), ForcePush: b.AllowForcePush,
		AllowKeys: allowed.keys, ForbidKeys: allowed.removed,
	}, err
}
