package protections

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectProtectedBranch removes the protection of a branch.
// DELETE /projects/{id}/protected_branches/{name}
func (p *Protections) DeleteProjectProtectedBranch(
	ctx context.Context, req gen.DeleteProjectProtectedBranchRequestObject,
) (gen.DeleteProjectProtectedBranchResponseObject, error) {
	row, rule, err := p.findBranch(ctx, req.ID, req.Name, access.AdminProtectedBranch)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := p.rules.UnprotectBranch(ctx, row, rule, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectProtectedBranch204Response{}, nil
}

// DeleteProjectProtectedTag removes the protection of a tag.
// DELETE /projects/{id}/protected_tags/{name}
func (p *Protections) DeleteProjectProtectedTag(
	ctx context.Context, req gen.DeleteProjectProtectedTagRequestObject,
) (gen.DeleteProjectProtectedTagResponseObject, error) {
	project, rule, err := p.findTag(ctx, req.ID, req.Name, access.AdminProject)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := p.rules.UnprotectTag(ctx, project, rule, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectProtectedTag204Response{}, nil
}
