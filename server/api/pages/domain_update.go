package pages

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/site"
	"svc/server/platform/access"
)

// UpdateProjectPagesDomain changes the certificate of a custom domain.
// PUT /projects/{id}/pages/domains/{domain}
func (p *Pages) UpdateProjectPagesDomain(
	ctx context.Context, req gen.UpdateProjectPagesDomainRequestObject,
) (gen.UpdateProjectPagesDomainResponseObject, error) {
	project, d, err := p.find(ctx, req.ID, req.Domain, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	d, err = p.Sites.ChangeDomain(ctx, project, d, site.CertificateChange{
		Certificate: textOrEmpty(req.Body.Certificate), Key: textOrEmpty(req.Body.Key), Auto: req.Body.AutoSslEnabled,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectPagesDomain200JSONResponse(presentDomain(ctx, d)), nil
}

// textOrEmpty returns the text that was sent; null becomes empty.
func textOrEmpty(o wire.Optional[string]) *string {
	if o.IsSet() && o.Ptr() == nil {
		return new(string)
	}
	return o.Ptr()
}

// VerifyProjectPagesDomain looks for the DNS record that proves that the domain belongs to the project.
// PUT /projects/{id}/pages/domains/{domain}/verify
func (p *Pages) VerifyProjectPagesDomain(
	ctx context.Context, req gen.VerifyProjectPagesDomainRequestObject,
) (gen.VerifyProjectPagesDomainResponseObject, error) {
	project, d, err := p.find(ctx, req.ID, req.Domain, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	if d, err = p.Sites.VerifyDomain(ctx, project, d); err != nil {
		return nil, err
	}
	return gen.VerifyProjectPagesDomain200JSONResponse(presentDomain(ctx, d)), nil
}
