package applications

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/store/model"
)

// RenewApplicationSecret replaces the secret of an application.
// POST /applications/{id}/renew-secret
func (a *Applications) RenewApplicationSecret(
	ctx context.Context, req gen.RenewApplicationSecretRequestObject,
) (gen.RenewApplicationSecretResponseObject, error) {
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
	return gen.RenewApplicationSecret201JSONResponse(present.ApplicationWithSecret(row, secret)), nil
}
