package pages

import (
	"context"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/clock"
	"svc/store/model"
)

const kind = "PagesDomain"

// ListPagesDomains lists the custom domains of all sites.
// GET /pages/domains
func (p *Pages) ListPagesDomains(ctx context.Context, req gen.ListPagesDomainsRequestObject) (gen.ListPagesDomainsResponseObject, error) {
	_, err := access.Allow(ctx, access.AdminPagesDomain)
	if err == nil {
		err = p.enabled()
	}
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.MaxOffset, kind, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	wanted := strings.ToLower(wire.Value(req.Params.Domain))
	rows, total, err := p.Store.PagesDomains.All(ctx, wanted, window.Page)
	switch {
	case err != nil:
		return nil, err
	case wanted != "" && len(rows) == 0:
		return nil, apierr.NotFound("PagesDomain")
	}
	return gen.ListPagesDomains200JSONResponse{
		Body:    present.All(rows, func(d model.PagesDomain) gen.PagesDomainAdmin { return present.PagesDomainAdmin(d, clock.Now(ctx)) }),
		Headers: gen.ListPagesDomains200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectPagesDomains lists the custom domains of a project's site.
// GET /projects/{id}/pages/domains
func (p *Pages) ListProjectPagesDomains(
	ctx context.Context, req gen.ListProjectPagesDomainsRequestObject,
) (gen.ListProjectPagesDomainsResponseObject, error) {
	project, err := p.project(ctx, req.ID, access.ReadPagesDomain)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.MaxOffset, kind, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.Store.PagesDomains.List(ctx, project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectPagesDomains200JSONResponse{
		Body:    present.All(rows, func(d model.PagesDomain) gen.PagesDomain { return presentDomain(ctx, d) }),
		Headers: gen.ListProjectPagesDomains200ResponseHeaders(window.Headers(total)),
	}, nil
}
