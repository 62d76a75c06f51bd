package pages

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// GetProjectPages shows the URL and the deployment of a project's Pages site.
// GET /projects/{id}/pages
func (p *Pages) GetProjectPages(ctx context.Context, req gen.GetProjectPagesRequestObject) (gen.GetProjectPagesResponseObject, error) {
	project, err := p.project(ctx, req.ID, access.ReadPagesDomain)
	if err != nil {
		return nil, err
	}
	published, err := p.Store.PagesDeployments.Get(ctx, project.ID)
	if err != nil && !store.IsNotFound(err) {
		return nil, err
	}
	var all []model.PagesDeployment
	if err == nil {
		all = append(all, published)
	}
	return gen.GetProjectPages200JSONResponse(present.PagesSite(p.address(project), p.TLSOnly, all)), nil
}

// address returns the URL of a project's site. Each site has a hostname of its own, so that no other site shares its
// cookies and scripts.
func (p *Pages) address(project model.Project) string {
	return p.URL(p.Names.Of(project.ID, project.Path))
}

// DeleteProjectPages removes the site of a project.
// DELETE /projects/{id}/pages
func (p *Pages) DeleteProjectPages(
	ctx context.Context, req gen.DeleteProjectPagesRequestObject,
) (gen.DeleteProjectPagesResponseObject, error) {
	project, err := p.project(ctx, req.ID, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	if err := p.Sites.Delete(ctx, project, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectPages204Response{}, nil
}
