package pages

import (
	"context"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/site"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
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
	shown, err := p.presentSite(ctx, project)
	return gen.GetProjectPages200JSONResponse(shown), err
}

// UpdateProjectPages changes the settings of a project's Pages site.
// PATCH /projects/{id}/pages
func (p *Pages) UpdateProjectPages(
	ctx context.Context, req gen.UpdateProjectPagesRequestObject,
) (gen.UpdateProjectPagesResponseObject, error) {
	project, err := p.project(ctx, req.ID, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	if force := req.Body.PagesHTTPSOnly; force != nil && *force != p.TLSOnly {
		return nil, apierr.BadParameter("pages_https_only follows from the settings of the instance and cannot be changed")
	}
	err = p.Sites.Change(ctx, project, site.Change{
		UniqueDomain: req.Body.PagesUniqueDomainEnabled, PrimaryDomain: textOrEmpty(req.Body.PagesPrimaryDomain),
	})
	if err != nil {
		return nil, err
	}
	shown, err := p.presentSite(ctx, project)
	return gen.UpdateProjectPages200JSONResponse(shown), err
}

// presentSite presents the site of a project with its settings.
func (p *Pages) presentSite(ctx context.Context, project model.Project) (gen.PagesSite, error) {
	var all []model.PagesDeployment
	published, err := p.Store.PagesDeployments.Get(ctx, project.ID)
	if err == nil {
		all = append(all, published)
	} else if !store.IsNotFound(err) {
		return gen.PagesSite{}, err
	}
	settings, err := p.Store.PagesSettings.Get(ctx, project.ID)
	if err != nil {
		return gen.PagesSite{}, err
	}
	shown := present.PagesSite(p.address(project, settings.PagesSetting), p.TLSOnly, all)
	shown.IsUniqueDomainEnabled = settings.PagesSetting.UniqueDomain
	if settings.PrimaryDomain != nil {
		shown.PrimaryDomain = new(p.OwnURL(*settings.PrimaryDomain, wire.Value(settings.PrimarySecure)))
	}
	return shown, nil
}

// address returns the URL of a project's site. Each site has a hostname of its own, so that no other site shares its
// cookies and scripts, unless the project has switched it off.
func (p *Pages) address(project model.Project, settings model.PagesSetting) string {
	if settings.UniqueDomain {
		return p.URL(p.Names.Of(project.ID, project.Path))
	}
	namespace, rest, _ := strings.Cut(project.FullPath, "/")
	return p.URL(strings.ToLower(namespace)) + "/" + rest
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
