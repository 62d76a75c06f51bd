package applications

import (
	"context"

	"svc/gen"
	"svc/oauth"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListApplications lists the applications of the instance and of all users and groups.
// GET /applications
func (a *Applications) ListApplications(
	ctx context.Context, req gen.ListApplicationsRequestObject,
) (gen.ListApplicationsResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := a.pages.Offset(ctx, pagination.Kind{Name: "Application"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := a.store.OAuthApplications.List(ctx, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListApplications200JSONResponse{
		Body:    present.All(rows, present.Application),
		Headers: gen.ListApplications200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateApplication creates an application that belongs to the instance.
// POST /applications
func (a *Applications) CreateApplication(
	ctx context.Context, req gen.CreateApplicationRequestObject,
) (gen.CreateApplicationResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	n := oauth.NewApplication{Name: req.Body.Name, RedirectURI: req.Body.RedirectURI, Scopes: req.Body.Scopes, Confidential: true}
	if given := req.Body.Confidential; given != nil {
		n.Confidential = *given
	}
	if req.Body.Trusted != nil {
		n.Trusted = *req.Body.Trusted
	}
	if broken := a.provider.Check(n); len(broken) > 0 {
		return nil, apierr.InvalidFields(broken)
	}
	var row model.OAuthApplication
	var secret string
	err := events.Audited(ctx, a.store, func(ctx context.Context) (c events.Change, err error) {
		row, secret, err = a.provider.Register(ctx, n)
		return events.Application(events.Instance, row, "application_created", "Created application"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateApplication201JSONResponse(present.ApplicationWithSecret(row, secret)), nil
}

// DeleteApplication deletes an application and all its tokens.
// DELETE /applications/{id}
func (a *Applications) DeleteApplication(
	ctx context.Context, req gen.DeleteApplicationRequestObject,
) (gen.DeleteApplicationResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	err := events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		row, err := a.store.OAuthApplications.Get(ctx, req.ID)
		if err != nil {
			return events.Change{}, err
		}
		err = a.store.OAuthApplications.Delete(ctx, req.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return events.Application(events.Instance, row, "application_deleted", "Removed application"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteApplication204Response{}, nil
}

// RenewSecretApplication replaces the secret of an application.
// POST /applications/{id}/renew-secret
func (a *Applications) RenewSecretApplication(
	ctx context.Context, req gen.RenewSecretApplicationRequestObject,
) (gen.RenewSecretApplicationResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	var row model.OAuthApplication
	var secret string
	err := events.Audited(ctx, a.store, func(ctx context.Context) (c events.Change, err error) {
		if secret, err = a.provider.RenewSecret(ctx, req.ID); err != nil {
			return c, err
		}
		row, err = a.store.OAuthApplications.Get(ctx, req.ID)
		return events.Application(events.Instance, row, "application_secret_renewed", "Renewed the secret of application"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.RenewSecretApplication201JSONResponse(present.ApplicationWithSecret(row, secret)), nil
}
