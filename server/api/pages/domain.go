package pages

import (
	"context"
	"strings"

	"svc/gen"
	"svc/server/domain/site/certificate"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

// GetProjectPagesDomain shows a custom domain of a project's site.
// GET /projects/{id}/pages/domains/{domain}
func (p *Pages) GetProjectPagesDomain(
	ctx context.Context, req gen.GetProjectPagesDomainRequestObject,
) (gen.GetProjectPagesDomainResponseObject, error) {
	_, d, err := p.find(ctx, req.ID, req.Domain, access.ReadPagesDomain)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectPagesDomain200JSONResponse(presentDomain(ctx, d)), nil
}

// find returns a custom domain of a project in which the caller has the ability.
func (p *Pages) find(ctx context.Context, id, domain string, ability access.Ability) (model.Project, model.PagesDomain, error) {
	project, err := p.project(ctx, id, ability)
	if err != nil {
		return project, model.PagesDomain{}, err
	}
	d, err := p.Store.PagesDomains.Get(ctx, project.ID, strings.ToLower(domain))
	return project, d, apierr.OrNotFound(err, "PagesDomain")
}

// presentDomain presents a domain. A certificate that cannot be parsed is not shown; stored certificates were parsed before.
func presentDomain(ctx context.Context, d model.PagesDomain) gen.PagesDomain {
	if d.Certificate == nil {
		return present.PagesDomain(d, nil, clock.Now(ctx))
	}
	chain, err := certificate.Parse(*d.Certificate)
	if err != nil {
		return present.PagesDomain(d, nil, clock.Now(ctx))
	}
	return present.PagesDomain(d, chain, clock.Now(ctx))
}
