package protections

import (
	"context"

	"svc/gen"
	"svc/server/domain/repository/protection"
	"svc/server/platform/access"
	"svc/server/platform/present"
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
	changed, err := p.rules.ChangeBranch(ctx, row, rule, changeFrom(req.Body))
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectProtectedBranch200JSONResponse(present.ProtectedBranch(changed)), nil
}

func changeFrom(b *gen.UpdateProjectProtectedBranchJSONRequestBody) protection.BranchChange {
	if b == nil {
		return protection.BranchChange{}
	}
	return protection.BranchChange{
		Push: (*model.Access)(b.PushAccessLevel), Merge: (*model.Access)(b.MergeAccessLevel),
		Unprotect: (*model.Access)(b.UnprotectAccessLevel), ForcePush: b.AllowForcePush,
	}
}
