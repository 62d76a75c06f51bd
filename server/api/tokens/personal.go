package tokens

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// ListPersonalAccessTokens lists the caller's tokens or, for administrators, the tokens of all users.
// GET /personal_access_tokens
func (t *Tokens) ListPersonalAccessTokens(
	ctx context.Context, req gen.ListPersonalAccessTokensRequestObject,
) (gen.ListPersonalAccessTokensResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadToken)
	if err != nil {
		return nil, err
	}
	filter, err := personalFilter(actor, req.Params)
	if err != nil {
		return nil, err
	}
	if err := pagination.NoKeyset(req.Params.Pagination); err != nil {
		return nil, err
	}
	window, err := t.pages.Offset(ctx, pagination.Kind{Name: "PersonalAccessToken"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := t.store.Tokens.List(ctx, filter, window.Page)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return gen.ListPersonalAccessTokens200JSONResponse{
		Body: present.All(rows, func(row model.PersonalAccessToken) gen.PersonalAccessToken {
			return present.PersonalAccessToken(row, now)
		}),
		Headers: gen.ListPersonalAccessTokens200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetPersonalAccessToken shows a token.
// GET /personal_access_tokens/{id}
func (t *Tokens) GetPersonalAccessToken(
	ctx context.Context, req gen.GetPersonalAccessTokenRequestObject,
) (gen.GetPersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.ReadToken)
	if err != nil {
		return nil, err
	}
	row, err := t.personal(ctx, actor, req.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetPersonalAccessToken200JSONResponse(present.PersonalAccessToken(row, time.Now())), nil
}

// DeletePersonalAccessToken revokes a token.
// DELETE /personal_access_tokens/{id}
func (t *Tokens) DeletePersonalAccessToken(
	ctx context.Context, req gen.DeletePersonalAccessTokenRequestObject,
) (gen.DeletePersonalAccessTokenResponseObject, error) {
	actor, err := access.Allow(ctx, access.RevokeToken)
	if err != nil {
		return nil, err
	}
	row, err := t.personal(ctx, actor, req.ID)
	if err != nil {
		return nil, err
	}
	if err := t.revoke(ctx, row, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeletePersonalAccessToken204Response{}, nil
}

// revoke revokes a token. It does not check permissions. A token that is revoked already is an error.
func (t *Tokens) revoke(ctx context.Context, row model.PersonalAccessToken, unmodifiedSince *string, in ...events.Entity) error {
	done, err := account.RevokeToken(ctx, t.store, row, reqctx.UnmodifiedSince(unmodifiedSince), in...)
	if err == nil && !done {
		err = apierr.BadRequest("token already revoked")
	}
	return err
}

// personalFilter builds the filter from the query parameters. Only administrators may ask for tokens of other users.
func personalFilter(actor *reqctx.Actor, p gen.ListPersonalAccessTokensParams) (store.TokenFilter, error) {
	f := filterOf(gen.ListProjectAccessTokensParams{
		State: p.State, Revoked: p.Revoked, Search: p.Search, Sort: p.Sort, CreatedAfter: p.CreatedAfter, CreatedBefore: p.CreatedBefore,
		LastUsedAfter: p.LastUsedAfter, LastUsedBefore: p.LastUsedBefore,
	})
	f.UserID = p.UserID
	if !actor.User.Admin {
		if f.UserID != nil && *f.UserID != actor.User.ID {
			return f, apierr.Unauthorized()
		}
		f.UserID = &actor.User.ID
	}
	return f, nil
}

// filterOf reads the query parameters that all lists of tokens share.
func filterOf(p gen.ListProjectAccessTokensParams) store.TokenFilter {
	f := store.TokenFilter{
		Revoked:      p.Revoked,
		CreatedAfter: p.CreatedAfter.Std(), CreatedBefore: p.CreatedBefore.Std(),
		LastUsedAfter: p.LastUsedAfter.Std(), LastUsedBefore: p.LastUsedBefore.Std(),
	}
	if p.State != nil {
		active := *p.State == gen.TokenStateActive
		f.Active = &active
	}
	if p.Search != nil {
		f.Search = *p.Search
	}
	if p.Sort != nil {
		f.Sort = string(*p.Sort)
	}
	return f
}
