package templates

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/template"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
)

// ListTemplatesLicenses lists the licenses.
// GET /templates/licenses
func (t *Templates) ListTemplatesLicenses(
	ctx context.Context, req gen.ListTemplatesLicensesRequestObject,
) (gen.ListTemplatesLicensesResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	p := req.Params
	window, err := pagination.OffsetOnly(ctx, t.pages, "License", p.Page, p.PerPage, p.Pagination)
	if err != nil {
		return nil, err
	}
	all, err := template.ListLicenses(p.Popular)
	if err != nil {
		return nil, err
	}
	rows, total := pagination.PageOf(window, all)
	return gen.ListTemplatesLicenses200JSONResponse{
		Body: present.All(rows, license), Headers: gen.ListTemplatesLicenses200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetTemplatesLicense returns a license.
// GET /templates/licenses/{key}
func (t *Templates) GetTemplatesLicense(
	ctx context.Context, req gen.GetTemplatesLicenseRequestObject,
) (gen.GetTemplatesLicenseResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadTemplate); err != nil {
		return nil, err
	}
	found, err := t.license(ctx, req.Key, wire.Value(req.Params.Fullname), wire.Value(req.Params.Project))
	if err != nil {
		return nil, err
	}
	return gen.GetTemplatesLicense200JSONResponse(found), nil
}

// license returns a license of a copyright holder, who is the caller if no name is given.
func (t *Templates) license(ctx context.Context, key, holder, project string) (gen.License, error) {
	if actor := reqctx.Of(ctx).Actor; holder == "" && actor != nil {
		user, err := t.store.Users.Get(ctx, actor.User.ID)
		if err != nil {
			return gen.License{}, err
		}
		holder = user.Name
	}
	found, err := template.GetLicense(key, holder, project, clock.Now(ctx))
	return license(found), err
}

func license(l template.License) gen.License {
	shown := gen.License{
		Key: l.Key, Name: l.Name, Popular: l.Popular, Featured: l.Popular, HTMLURL: l.PageURL(), Description: l.Description,
		Conditions: l.Conditions, Permissions: template.Permissions, Limitations: template.Limitations, Content: l.Content,
	}
	if l.Source != "" {
		shown.SourceURL = &l.Source
	}
	return shown
}
