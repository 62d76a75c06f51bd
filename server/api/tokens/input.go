package tokens

import (
	"slices"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/token"
)

// requestOf reads the request for a new token.
func requestOf(body gen.TokenCreate) token.Request {
	return token.Request{
		Name: body.Name, Description: body.Description.Ptr(), Expires: dayOf(body.ExpiresAt), Scopes: uniqueScopes(body.Scopes),
	}
}

// rotationExpiry returns the day on which a rotated token expires, or nil if the request does not say it.
func rotationExpiry(body *gen.TokenRotation) *time.Time {
	if body == nil {
		return nil
	}
	return dayOf(body.ExpiresAt)
}

// uniqueScopes returns the scopes as strings, without duplicates.
func uniqueScopes[T ~string](scopes []T) []string {
	out := make([]string, 0, len(scopes))
	for _, s := range scopes {
		if !slices.Contains(out, string(s)) {
			out = append(out, string(s))
		}
	}
	return out
}

// dayOf returns the date of an optional field, or nil if it is absent or null.
func dayOf(d wire.Optional[wire.Date]) *time.Time {
	if d.Ptr() == nil {
		return nil
	}
	return &d.Ptr().Time
}
