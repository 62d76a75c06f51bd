package access

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
)

// SiteSession returns the user whose browser came to a project's site from a session of the service. The session must
// still be valid, and no group may require a second factor that the user does not have.
func (a *Authenticator) SiteSession(ctx context.Context, sessionID, userID int64) (*reqctx.Actor, error) {
	session, u, err := a.store.Sessions.FindByID(ctx, sessionID)
	now := clock.Now(ctx)
	if store.IsNotFound(err) || err == nil && (session.UserID != userID || !now.Before(session.ExpiresAt)) {
		return nil, apierr.Unauthorized()
	}
	if err != nil {
		return nil, err
	}
	if session.TwoFactorRequired {
		due, err := a.store.Members.TwoFactorDue(ctx, u.ID)
		if err != nil {
			return nil, err
		}
		if due != nil && !now.Before(*due) {
			return nil, apierr.Unauthorized()
		}
	}
	return a.admit(ctx, &reqctx.Actor{User: u, Kind: reqctx.Session})
}
