// Package tokens is access tokens.
package tokens

import (
	"context"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Tokens are the operations on access tokens.
type Tokens struct {
	store    *store.Store
	access   *access.Access
	pages    pagination.MaxOffset
	lifetime access.Lifetime
	mailHost string
}

// New takes how long a token may be good for and under which host bots have their addresses, which get no mail.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, lifetime access.Lifetime, mailHost string) *Tokens {
	return &Tokens{store: st, access: a, pages: pages, lifetime: lifetime, mailHost: mailHost}
}

// find returns a token that the caller may see: their own, or anybody's for administrators. Only administrators are
// told whether a token exists.
func (t *Tokens) find(ctx context.Context, actor *reqctx.Actor, id int64) (model.PersonalAccessToken, error) {
	row, err := t.store.Tokens.Get(ctx, id)
	switch {
	case err != nil && !store.IsNotFound(err):
		return row, err
	case err == nil && (actor.User.Admin || (row.UserID == actor.User.ID && !row.Impersonation)):
		return row, nil
	case actor.User.Admin:
		return row, apierr.NotFound("")
	}
	return row, apierr.Unauthorized()
}

// personal is find for what an impersonation token is no part of.
func (t *Tokens) personal(ctx context.Context, actor *reqctx.Actor, id int64) (model.PersonalAccessToken, error) {
	row, err := t.find(ctx, actor, id)
	if err == nil && row.Impersonation {
		return row, apierr.NotFound("")
	}
	return row, err
}

// dayOf is the day of a member that may be absent or null.
func dayOf(d wire.Optional[wire.Date]) *time.Time {
	if d.Ptr() == nil {
		return nil
	}
	return &d.Ptr().Time
}
