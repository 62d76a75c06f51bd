// Package tokens manages access tokens: personal, impersonation, project and group tokens.
//
//	service.go        dependencies, and how a token is found
//	personal.go       list, show and revoke personal access tokens
//	self.go           the token that the request was made with
//	create.go         create personal access tokens
//	rotate.go         replace tokens of all kinds
//	impersonation.go  impersonation tokens
//	project.go        the operations on project access tokens
//	group.go          the operations on group access tokens
//	resource.go       what project and group access tokens share
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

// New returns the token operations. lifetime limits how long tokens are valid. Bots get email addresses below mailHost,
// which receive no mail.
func New(st *store.Store, a *access.Access, pages pagination.MaxOffset, lifetime access.Lifetime, mailHost string) *Tokens {
	return &Tokens{store: st, access: a, pages: pages, lifetime: lifetime, mailHost: mailHost}
}

// find returns a token that the caller may see: their own, or any for administrators. Only administrators learn whether
// a token exists.
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

// personal is find without impersonation tokens.
func (t *Tokens) personal(ctx context.Context, actor *reqctx.Actor, id int64) (model.PersonalAccessToken, error) {
	row, err := t.find(ctx, actor, id)
	if err == nil && row.Impersonation {
		return row, apierr.NotFound("")
	}
	return row, err
}

// dayOf returns the date of an optional field, or nil if it is absent or null.
func dayOf(d wire.Optional[wire.Date]) *time.Time {
	if d.Ptr() == nil {
		return nil
	}
	return &d.Ptr().Time
}
