package tokens

import (
	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
)

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
