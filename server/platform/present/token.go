package present

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/store/model"
)

// PersonalAccessToken presents a token without its secret, with its state at a time.
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

// PersonalAccessTokenWithToken presents a new token with its secret.
func PersonalAccessTokenWithToken(t model.PersonalAccessToken, token string, now time.Time) gen.PersonalAccessTokenWithToken {
	shown := PersonalAccessToken(t, now)
	return gen.PersonalAccessTokenWithToken{
		ID:          shown.ID,
		Name:        shown.Name,
		Revoked:     shown.Revoked,
		CreatedAt:   shown.CreatedAt,
		Description: shown.Description,
		Scopes:      shown.Scopes,
		UserID:      shown.UserID,
		LastUsedAt:  shown.LastUsedAt,
		Active:      shown.Active,
		ExpiresAt:   shown.ExpiresAt,
		Token:       token,
	}
}

// ImpersonationToken presents an impersonation token without its secret, with its state at a time.
func ImpersonationToken(t model.PersonalAccessToken, now time.Time) gen.ImpersonationToken {
	shown := PersonalAccessToken(t, now)
	return gen.ImpersonationToken{
		ID:            shown.ID,
		Name:          shown.Name,
		Revoked:       shown.Revoked,
		CreatedAt:     shown.CreatedAt,
		Description:   shown.Description,
		Scopes:        shown.Scopes,
		UserID:        shown.UserID,
		LastUsedAt:    shown.LastUsedAt,
		Active:        shown.Active,
		ExpiresAt:     shown.ExpiresAt,
		Impersonation: t.Impersonation,
	}
}

// ImpersonationTokenWithToken presents a new impersonation token with its secret.
func ImpersonationTokenWithToken(t model.PersonalAccessToken, token string, now time.Time) gen.ImpersonationTokenWithToken {
	shown := ImpersonationToken(t, now)
	return gen.ImpersonationTokenWithToken{
		ID:            shown.ID,
		Name:          shown.Name,
		Revoked:       shown.Revoked,
		CreatedAt:     shown.CreatedAt,
		Description:   shown.Description,
		Scopes:        shown.Scopes,
		UserID:        shown.UserID,
		LastUsedAt:    shown.LastUsedAt,
		Active:        shown.Active,
		ExpiresAt:     shown.ExpiresAt,
		Impersonation: shown.Impersonation,
		Token:         token,
	}
}

// ResourceToken presents an access token of a group or project without its secret, with its state at a time.
func ResourceToken(t model.ResourceToken, now time.Time) gen.ResourceAccessToken {
	shown := PersonalAccessToken(t.Token, now)
	return gen.ResourceAccessToken{
		ID:          shown.ID,
		Name:        shown.Name,
		Revoked:     shown.Revoked,
		CreatedAt:   shown.CreatedAt,
		Description: shown.Description,
		Scopes:      shown.Scopes,
		UserID:      shown.UserID,
		LastUsedAt:  shown.LastUsedAt,
		Active:      shown.Active,
		ExpiresAt:   shown.ExpiresAt,
		AccessLevel: (*int64)(t.AccessLevel),
	}
}

// ResourceTokenWithToken presents a new access token of a group or project with its secret.
func ResourceTokenWithToken(t model.ResourceToken, token string, now time.Time) gen.ResourceAccessTokenWithToken {
	shown := ResourceToken(t, now)
	return gen.ResourceAccessTokenWithToken{
		ID:          shown.ID,
		Name:        shown.Name,
		Revoked:     shown.Revoked,
		CreatedAt:   shown.CreatedAt,
		Description: shown.Description,
		Scopes:      shown.Scopes,
		UserID:      shown.UserID,
		LastUsedAt:  shown.LastUsedAt,
		Active:      shown.Active,
		ExpiresAt:   shown.ExpiresAt,
		AccessLevel: shown.AccessLevel,
		Token:       token,
	}
}
