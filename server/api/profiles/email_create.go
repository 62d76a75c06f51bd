package profiles

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

// CreateCurrentUserEmail adds an email address to the caller's account.
// POST /user/emails
func (p *Profiles) CreateCurrentUserEmail(
	ctx context.Context, req gen.CreateCurrentUserEmailRequestObject,
) (gen.CreateCurrentUserEmailResponseObject, error) {
	actor, err := access.Allow(ctx, access.CreateOwnEmail)
	if err != nil {
		return nil, err
	}
	shown, err := p.addEmail(ctx, actor.User.ID, req.Body.Email, false)
	return gen.CreateCurrentUserEmail201JSONResponse(shown), err
}

// CreateUserEmail adds an email address to a user's account.
// POST /users/{id}/emails
func (p *Profiles) CreateUserEmail(
	ctx context.Context, req gen.CreateUserEmailRequestObject,
) (gen.CreateUserEmailResponseObject, error) {
	u, err := p.managed(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := p.addEmail(ctx, u.ID, req.Body.Email, req.Body.SkipConfirmation != nil && *req.Body.SkipConfirmation)
	return gen.CreateUserEmail201JSONResponse(shown), err
}

// addEmail adds an address to a user's account. Unless confirmed is set, the user has to confirm the address.
func (p *Profiles) addEmail(ctx context.Context, userID int64, address string, confirmed bool) (gen.Email, error) {
	row, broken, err := p.letters.AddEmail(ctx, userID, address, confirmed)
	if len(broken) > 0 {
		err = apierr.InvalidFields(broken)
	}
	if err != nil {
		return gen.Email{}, err
	}
	return present.Email(row), nil
}
