package serviceaccounts

import (
	"context"
	"slices"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/serviceaccount"
	"svc/server/domain/token"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// listTokens returns one page of the tokens of an account.
func (s *ServiceAccounts) listTokens(
	ctx context.Context, in serviceaccount.Owner, id int64, p gen.ListGroupServiceAccountPersonalAccessTokensParams,
) ([]gen.PersonalAccessToken, pagination.Headers, error) {
	u, err := s.accounts.Find(ctx, in, id)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: "PersonalAccessToken"}, p.Page, p.PerPage)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f := store.TokenFilter{
		UserID: &u.ID, Revoked: p.Revoked, Search: wire.Value(p.Search), Sort: string(wire.Value(p.Sort)),
		CreatedAfter: p.CreatedAfter.Std(), CreatedBefore: p.CreatedBefore.Std(),
		LastUsedAfter: p.LastUsedAfter.Std(), LastUsedBefore: p.LastUsedBefore.Std(),
	}
	if p.State != nil {
		active := *p.State == gen.TokenStateActive
		f.Active = &active
	}
	rows, total, err := s.store.Tokens.List(ctx, f, window.Page)
	now := clock.Now(ctx)
	return present.All(rows, func(row model.PersonalAccessToken) gen.PersonalAccessToken {
		return present.PersonalAccessToken(row, now)
	}), window.Headers(total), err
}

// createToken creates a token of an account. Only people create tokens.
func (s *ServiceAccounts) createToken(
	ctx context.Context, in serviceaccount.Owner, id int64, body gen.TokenCreate,
) (shown gen.PersonalAccessTokenWithToken, err error) {
	if reqctx.Of(ctx).Actor.User.Kind != model.UserHuman {
		return shown, apierr.Forbidden()
	}
	u, err := s.accounts.Find(ctx, in, id)
	if err != nil {
		return shown, err
	}
	now := clock.Now(ctx)
	row, plain, broken, err := s.tokens.Create(ctx, u.Caller(), token.Request{
		Name: body.Name, Description: body.Description.Ptr(), Expires: day(body.ExpiresAt), Scopes: scopes(body),
	}, now)
	switch {
	case err != nil:
		return shown, err
	case len(broken) > 0:
		return shown, apierr.BadRequest(token.Sentence(broken))
	}
	return present.PersonalAccessTokenWithToken(row, plain, now), nil
}

// findToken returns a token of an account, or a 404.
func (s *ServiceAccounts) findToken(
	ctx context.Context, in serviceaccount.Owner, id, tokenID int64,
) (model.PersonalAccessToken, error) {
	u, err := s.accounts.Find(ctx, in, id)
	if err != nil {
		return model.PersonalAccessToken{}, err
	}
	row, err := s.store.Tokens.Get(ctx, tokenID)
	if err == nil && (row.UserID != u.ID || row.Impersonation) {
		err = &store.NotFoundError{Resource: "Token"}
	}
	return row, apierr.OrNotFound(err, "Token")
}

// revokeToken revokes a token of an account.
func (s *ServiceAccounts) revokeToken(
	ctx context.Context, in serviceaccount.Owner, id, tokenID int64, unchangedSince *time.Time,
) error {
	row, err := s.findToken(ctx, in, id, tokenID)
	if err != nil {
		return err
	}
	return s.tokens.Revoke(ctx, row, unchangedSince, in.Entity)
}

// rotateToken replaces a token of an account. Only people rotate tokens here; an account rotates its own token itself.
func (s *ServiceAccounts) rotateToken(
	ctx context.Context, in serviceaccount.Owner, id, tokenID int64, body *gen.TokenRotation,
) (shown gen.PersonalAccessTokenWithToken, err error) {
	if reqctx.Of(ctx).Actor.User.Kind != model.UserHuman {
		return shown, apierr.Forbidden()
	}
	old, err := s.findToken(ctx, in, id, tokenID)
	if err != nil {
		return shown, err
	}
	var expires *time.Time
	if body != nil {
		expires = day(body.ExpiresAt)
	}
	now := clock.Now(ctx)
	row, plain, err := s.tokens.Rotate(ctx, old, expires, now, in.Entity)
	if err != nil {
		return shown, err
	}
	return present.PersonalAccessTokenWithToken(row, plain, now), nil
}

// scopes returns the scopes of a request, each once.
func scopes(body gen.TokenCreate) []string {
	var all []string
	for _, scope := range body.Scopes {
		if !slices.Contains(all, string(scope)) {
			all = append(all, string(scope))
		}
	}
	return all
}

// day returns the date of an optional member, or nil.
func day(d wire.Optional[wire.Date]) *time.Time {
	if d.Ptr() == nil {
		return nil
	}
	return &d.Ptr().Time
}
