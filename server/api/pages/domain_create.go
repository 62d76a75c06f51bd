package pages

import (
	"context"

	"svc/gen"
	"svc/server/domain/site"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// CreateProjectPagesDomain adds a custom domain to a project's site.
// POST /projects/{id}/pages/domains
func (p *Pages) CreateProjectPagesDomain(
	ctx context.Context, req gen.CreateProjectPagesDomainRequestObject,
) (gen.CreateProjectPagesDomainResponseObject, error) {
	project, err := p.project(ctx, req.ID, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	b := req.Body
	if (b.Certificate == nil) != (b.Key == nil) {
		return nil, apierr.BadParameter("certificate, key provide all or none of parameters")
	}
	d, err := p.Sites.CreateDomain(ctx, project, b.Domain, site.CertificateChange{
		Certificate: b.Certificate, Key: b.Key, Auto: b.AutoSslEnabled,
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectPagesDomain201JSONResponse(presentDomain(ctx, d)), nil
}
