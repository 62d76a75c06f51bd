package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// PersonalAccessToken shows a token without its secret, as it is at a time.
func PersonalAccessToken(t model.PersonalAccessToken, now time.Time) gen.PersonalAccessToken {
	return gen.PersonalAccessToken{
		ID:          t.ID,
		Name:        t.Name,
		Revoked:     t.Revoked,
		CreatedAt:   wire.NewTime(t.CreatedAt),
		Description: t.Description,
		Scopes:      t.ScopeList(),
		UserID:      t.UserID,
		LastUsedAt:  wire.TimePtr(t.LastUsedAt),
		Active:      !t.Revoked && !t.Expired(now),
		ExpiresAt:   wire.DatePtr(t.ExpiresAt),
	}
}
