package applications

import (
	"context"

	"svc/gen"
	"svc/oauth"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store/model"
)

// CreateApplication creates an application that belongs to the instance.
// POST /applications
func (a *Applications) CreateApplication(
	ctx context.Context, req gen.CreateApplicationRequestObject,
) (gen.CreateApplicationResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	n := oauth.NewApplication{
		Name: req.Body.Name, RedirectURI: req.Body.RedirectURI, Scopes: req.Body.Scopes, Confidential: true,
	}
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
