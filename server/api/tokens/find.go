package tokens

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

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
