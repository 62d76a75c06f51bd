package pages

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

var kind = pagination.Kind{Name: "PagesDomain"}

// ListPagesDomains lists the custom domains of all sites.
// GET /pages/domains
func (p *Pages) ListPagesDomains(ctx context.Context, req gen.ListPagesDomainsRequestObject) (gen.ListPagesDomainsResponseObject, error) {
	_, err := access.Allow(ctx, access.AdminPagesDomain)
	if err == nil {
		err = p.enabled()
	}
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, kind, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	wanted := ""
	if req.Params.Domain != nil {
		wanted = strings.ToLower(*req.Params.Domain)
	}
	rows, total, err := p.Store.PagesDomains.All(ctx, wanted, window.Page)
	switch {
	case err != nil:
		return nil, err
	case wanted != "" && len(rows) == 0:
		return nil, apierr.NotFound("PagesDomain")
	}
	return gen.ListPagesDomains200JSONResponse{
		Body: present.All(rows, present.PagesDomainAdmin), Headers: gen.ListPagesDomains200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectPagesDomains lists the custom domains of a project's site.
// GET /projects/{id}/pages/domains
func (p *Pages) ListProjectPagesDomains(
	ctx context.Context, req gen.ListProjectPagesDomainsRequestObject,
) (gen.ListProjectPagesDomainsResponseObject, error) {
	project, err := p.project(ctx, req.ID, access.ReadPagesDomain)
	if err == nil {
		err = pagination.NoKeyset(req.Params.Pagination)
	}
	if err != nil {
		return nil, err
	}
	window, err := p.pages.Offset(ctx, kind, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.Store.PagesDomains.List(ctx, project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPagesDomains200JSONResponse{
		Body: present.All(rows, presentDomain), Headers: gen.ListProjectPagesDomains200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectPagesDomain shows a custom domain of a project's site.
// GET /projects/{id}/pages/domains/{domain}
func (p *Pages) GetProjectPagesDomain(
	ctx context.Context, req gen.GetProjectPagesDomainRequestObject,
) (gen.GetProjectPagesDomainResponseObject, error) {
	_, d, err := p.find(ctx, req.ID, req.Domain, access.ReadPagesDomain)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectPagesDomain200JSONResponse(presentDomain(d)), nil
}

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
	d := model.PagesDomain{
		ProjectID:        project.ID,
		Domain:           strings.ToLower(strings.TrimSpace(b.Domain)),
		VerificationCode: newVerificationCode(),
	}
	if wrong := p.Host.Check(d.Domain); wrong != "" {
		return nil, apierr.Invalid("domain", wrong)
	}
	set, err := p.columns(d, certificateChange{b.Certificate, b.Key, b.AutoSslEnabled})
	if err != nil {
		return nil, err
	}
	err = p.Store.Tx(ctx, func(ctx context.Context) error {
		if err := p.Store.PagesDomains.Create(ctx, &d); err != nil {
			return err
		}
		if d, err = p.Store.PagesDomains.Update(ctx, d, set); err != nil {
			return err
		}
		return p.audit(ctx, project, d, "pages_domain_created", "Added a domain of the site")
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("domain", "has already been taken")
	}
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectPagesDomain201JSONResponse(presentDomain(d)), nil
}

// newVerificationCode returns a random verification code. The owner of a domain puts it into a DNS record.
func newVerificationCode() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// UpdateProjectPagesDomain changes the certificate of a custom domain.
// PUT /projects/{id}/pages/domains/{domain}
func (p *Pages) UpdateProjectPagesDomain(
	ctx context.Context, req gen.UpdateProjectPagesDomainRequestObject,
) (gen.UpdateProjectPagesDomainResponseObject, error) {
	project, d, err := p.find(ctx, req.ID, req.Domain, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	b := req.Body
	set, err := p.columns(d, certificateChange{textOrEmpty(b.Certificate), textOrEmpty(b.Key), b.AutoSslEnabled})
	if err != nil {
		return nil, err
	}
	err = p.Store.Tx(ctx, func(ctx context.Context) error {
		if d, err = p.Store.PagesDomains.Update(ctx, d, set); err != nil {
			return err
		}
		return p.audit(ctx, project, d, "pages_domain_updated", "Changed a domain of the site")
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectPagesDomain200JSONResponse(presentDomain(d)), nil
}

// DeleteProjectPagesDomain removes a custom domain from a project's site.
// DELETE /projects/{id}/pages/domains/{domain}
func (p *Pages) DeleteProjectPagesDomain(
	ctx context.Context, req gen.DeleteProjectPagesDomainRequestObject,
) (gen.DeleteProjectPagesDomainResponseObject, error) {
	project, d, err := p.find(ctx, req.ID, req.Domain, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	err = p.Store.Tx(ctx, func(ctx context.Context) error {
		if err := p.Store.PagesDomains.Delete(ctx, d, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		return p.audit(ctx, project, d, "pages_domain_deleted", "Removed a domain of the site")
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectPagesDomain204Response{}, nil
}

// UpdateProjectPagesDomainVerify looks for the DNS record that proves that the domain belongs to the project.
// PUT /projects/{id}/pages/domains/{domain}/verify
func (p *Pages) UpdateProjectPagesDomainVerify(
	ctx context.Context, req gen.UpdateProjectPagesDomainVerifyRequestObject,
) (gen.UpdateProjectPagesDomainVerifyResponseObject, error) {
	project, d, err := p.find(ctx, req.ID, req.Domain, access.UpdatePagesDomain)
	if err != nil {
		return nil, err
	}
	if d, err = p.Verifier.Verify(ctx, d); err != nil {
		return nil, err
	}
	if d.VerifiedAt == nil {
		return nil, apierr.Unprocessable("422 Unprocessable Entity - Couldn't verify " + d.Domain)
	}
	if err := p.audit(ctx, project, d, "pages_domain_verified", "Verified a domain of the site"); err != nil {
		return nil, err
	}
	return gen.UpdateProjectPagesDomainVerify200JSONResponse(presentDomain(d)), nil
}

func (p *Pages) audit(ctx context.Context, project model.Project, d model.PagesDomain, what, message string) error {
	return p.Events.Audit(ctx, events.Change{
		Type: what, Entity: events.Project(project),
		Target: events.Target{Type: "PagesDomain", ID: d.ID, Details: d.Domain}, Message: message,
	})
}
