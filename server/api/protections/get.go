package protections

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// GetProjectProtectedBranch shows a protected branch.
// GET /projects/{id}/protected_branches/{name}
func (p *Protections) GetProjectProtectedBranch(
	ctx context.Context, req gen.GetProjectProtectedBranchRequestObject,
) (gen.GetProjectProtectedBranchResponseObject, error) {
	_, rule, err := p.findBranch(ctx, req.ID, req.Name, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	shown, err := p.presentBranch(ctx, rule)
	return gen.GetProjectProtectedBranch200JSONResponse(shown), err
}

// GetProjectProtectedTag shows a protected tag.
// GET /projects/{id}/protected_tags/{name}
func (p *Protections) GetProjectProtectedTag(
	ctx context.Context, req gen.GetProjectProtectedTagRequestObject,
) (gen.GetProjectProtectedTagResponseObject, error) {
	_, rule, err := p.findTag(ctx, req.ID, req.Name, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectProtectedTag200JSONResponse(present.ProtectedTag(rule)), nil
}
