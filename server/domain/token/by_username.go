package token

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
)

// NewToken describes a personal access token to create on the command line. Without Expires, the token gets the longest
// lifetime allowed.
type NewToken struct {
	Username, Name string
	Scopes         []string
	Expires        *time.Time
	Lifetime       access.Lifetime
}

// CreateByUsername creates a personal access token and returns its plain text, which is not stored.
func CreateByUsername(ctx context.Context, st *store.Store, n NewToken) (string, error) {
	for _, scope := range n.Scopes {
		if !slices.Contains(access.Scopes, scope) {
			return "", fmt.Errorf("scope %q is not one of %s", scope, strings.Join(access.Scopes, ", "))
		}
	}
	if len(n.Scopes) == 0 {
		return "", errors.New("a token needs at least one scope")
	}
	expires, err := n.Lifetime.Expiry(n.Expires, 0, clock.Now(ctx))
	if err != nil {
		return "", err
	}
	u, err := st.Users.GetByUsername(ctx, n.Username)
	if err != nil {
		return "", err
	}
	if !access.MayCarry(u.Admin, n.Scopes) {
		return "", fmt.Errorf(
			"%s is not an administrator; only tokens of administrators can have the scopes sudo, admin_mode and read_service_ping",
			u.Username,
		)
	}
	token := secret.NewToken()
	return token, Add(ctx, st, Row(u.ID, n.Name, token, n.Scopes, &expires))
}

// Row returns the row of a new token. Without expires, the token does not expire.
func Row(userID int64, name, token string, scopes []string, expires *time.Time) *model.PersonalAccessToken {
	return &model.PersonalAccessToken{
		UserID: userID, Name: name, Digest: secret.Digest(token), Scopes: strings.Join(scopes, " "), ExpiresAt: expires,
	}
}
