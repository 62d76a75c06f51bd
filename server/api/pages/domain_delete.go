package pages

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
)

// DeleteProjectPagesDomain removes a custom domain from a project's site.
// DELETE /projects/{id}/pages/domains/{domain}
func (p *Pages) DeleteProjectPagesDomain(
	ctx context.Context, req gen.DeleteProjectPagesDomainRequestObject,
) (gen.DeleteProjectPagesDomainResponseObject, error) {
	project, d, err := p.find(ctx, req.ID, req.Domain, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	err = p.Sites.DeleteDomain(ctx, project, d, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectPagesDomain204Response{}, nil
}
