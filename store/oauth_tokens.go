package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// OAuthTokens holds the tokens with which applications act for users.
type OAuthTokens struct{ *base }

const oauthToken = "Token"

// AuthenticatedOAuthToken is the part of an access token that a request needs, with its caller.
type AuthenticatedOAuthToken struct {
	Digest    []byte
	Scopes    string // separated by spaces
	ExpiresAt time.Time
	RevokedAt *time.Time
	Caller    model.Caller
}

var oauthLookup = newCallerLookup(
	"t.digest, t.scopes, t.expires_at, t.revoked_at", " FROM oauth_tokens t JOIN users u ON u.id = t.user_id", " WHERE t.digest = ?",
)

// Authenticate returns the access token with the given digest and its caller. Every request of an application calls it. Unless
// ahead is nil, it also reads what the request is about.
func (s OAuthTokens) Authenticate(ctx context.Context, digest []byte, ahead *Ahead) (AuthenticatedOAuthToken, error) {
	var t AuthenticatedOAuthToken
	err := oauthLookup.find(ctx, s.base, digest, ahead, &t.Caller, &t.Digest, &t.Scopes, &t.ExpiresAt, &t.RevokedAt)
	return t, query.Translate(err, oauthToken)
}

// OAuthRow is a token with its application, grant and caller.
type OAuthRow struct {
	model.OAuthToken
	UID          *string // of the application
	Confidential *bool
	Granted      *string // the scopes that the user has allowed; the token may have fewer
	RedirectURI  *string
	SignedInAt   *time.Time
	// CodeChallenge is the PKCE challenge of the authorization code; empty if there was none.
	CodeChallenge *string
	Caller        model.Caller
}

const oauthRow = "SELECT t.id, t.application_id, t.user_id, t.grant_id, t.digest, t.refresh_digest, t.scopes, " +
	"t.created_at, t.expires_at, t.revoked_at, " +
	"t.refreshed_at, a.uid, a.confidential, g.scopes, g.redirect_uri, g.signed_in_at, g.code_challenge, " + callerColumns +
	" FROM oauth_tokens t JOIN users u ON u.id = t.user_id LEFT JOIN oauth_applications a ON a.id = t.application_id " +
	"LEFT JOIN oauth_grants g ON g.id = t.grant_id"

// Get returns the token whose access token has the given digest.
func (s OAuthTokens) Get(ctx context.Context, digest []byte) (OAuthRow, error) {
	return s.row(ctx, oauthRow+" WHERE t.digest = ?", digest)
}

// GetByRefresh returns the token whose refresh token has the given digest.
func (s OAuthTokens) GetByRefresh(ctx context.Context, digest []byte) (OAuthRow, error) {
	return s.row(ctx, oauthRow+" WHERE t.refresh_digest = ?", digest)
}

// GetByEither returns the token whose access or refresh token has the given digest.
func (s OAuthTokens) GetByEither(ctx context.Context, digest []byte) (OAuthRow, error) {
	t, err := s.Get(ctx, digest)
	if IsNotFound(err) {
		return s.GetByRefresh(ctx, digest)
	}
	return t, err
}

func (s OAuthTokens) row(ctx context.Context, statement string, digest []byte) (OAuthRow, error) {
	var t OAuthRow
	dest := append([]any{
		&t.ID, &t.ApplicationID, &t.UserID, &t.GrantID, &t.Digest, &t.RefreshDigest, &t.Scopes, &t.CreatedAt, &t.ExpiresAt, &t.RevokedAt,
		&t.RefreshedAt, &t.UID, &t.Confidential, &t.Granted, &t.RedirectURI, &t.SignedInAt, &t.CodeChallenge,
	}, callerFields(&t.Caller)...)
	err := s.db.Row(ctx, statement, []any{digest}, dest...)
	return t, query.Translate(err, oauthToken)
}

// oauthTokenColumns and oauthTokenFields belong together: all columns of a token, and the fields that they are scanned into.
const oauthTokenColumns = "id, application_id, user_id, grant_id, digest, refresh_digest, scopes, created_at, expires_at, " +
	"revoked_at, refreshed_at"

func oauthTokenFields(t *model.OAuthToken) []any {
	return []any{
		&t.ID, &t.ApplicationID, &t.UserID, &t.GrantID, &t.Digest, &t.RefreshDigest, &t.Scopes, &t.CreatedAt, &t.ExpiresAt,
		&t.RevokedAt, &t.RefreshedAt,
	}
}

var insertOAuthToken = insertion("oauth_tokens", oauthTokenColumns) + returningID

// Create adds a token. It returns a *NotFoundError if the application is gone.
func (s OAuthTokens) Create(ctx context.Context, t *model.OAuthToken) error {
	s.setTimes(&t.CreatedAt)
	fields := oauthTokenFields(t)
	err := s.db.WriteRow(ctx, insertOAuthToken, valuesOf(fields[1:]), &t.ID)
	if query.IsGone(err) {
		return &NotFoundError{Resource: application}
	}
	return query.Translate(err)
}

// AddRefresh stores the refresh token of an access token.
func (s OAuthTokens) AddRefresh(ctx context.Context, digest, refreshDigest []byte) error {
	var id int64
	const statement = "UPDATE oauth_tokens SET refresh_digest = ? WHERE digest = ? RETURNING id"
	return query.Translate(s.db.WriteRow(ctx, statement, []any{refreshDigest, digest}, &id), oauthToken)
}

// Rotate revokes a token because its refresh token is used, and reports whether it did. Of several concurrent calls,
// one succeeds.
func (s OAuthTokens) Rotate(ctx context.Context, refreshDigest []byte) (bool, error) {
	at, id := s.now(), int64(0)
	const statement = "UPDATE oauth_tokens SET revoked_at = ?, refreshed_at = ? WHERE refresh_digest = ? AND revoked_at IS NULL AND " +
		"refreshed_at IS NULL RETURNING id"
	err := s.db.WriteRow(ctx, statement, []any{at, at, refreshDigest}, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, query.Translate(err)
}

// LockUser makes transactions that create or revoke tokens of a user wait for each other. A revocation would not see a
// token that is just being created.
func (s OAuthTokens) LockUser(ctx context.Context, userID int64) error {
	if !s.Postgres() { // it has one writer
		return nil
	}
	return s.later(ctx, query.Lock, fmt.Sprintf("oauth tokens of user %d", userID))
}

// Revoke revokes one token, both its access token and its refresh token.
func (s OAuthTokens) Revoke(ctx context.Context, userID, id int64) error {
	return s.revoke(ctx, userID, false, "id = ?", id)
}

// RevokeGrant revokes all tokens of a grant. If the grant is gone, there is nothing to revoke.
func (s OAuthTokens) RevokeGrant(ctx context.Context, grantID int64) error {
	g, err := query.Take[model.OAuthGrant](s.db.Read(ctx).Where("id = ?", grantID), grant)
	if IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.revoke(ctx, g.UserID, false, "grant_id = ?", grantID)
}

// RevokeApplication revokes the tokens and codes that an application has for a user.
func (s OAuthTokens) RevokeApplication(ctx context.Context, userID, applicationID int64) error {
	return s.revoke(ctx, userID, true, "user_id = ? AND application_id = ?", userID, applicationID)
}

// RevokeAll revokes all tokens and codes of a user.
func (s OAuthTokens) RevokeAll(ctx context.Context, userID int64) error {
	return s.revoke(ctx, userID, true, "user_id = ?", userID)
}

func (s OAuthTokens) revoke(ctx context.Context, userID int64, codes bool, which string, args ...any) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.LockUser(ctx, userID); err != nil {
			return err
		}
		at := s.now()
		if codes { // codes that are not redeemed yet
			q := s.db.Write(ctx).Model(&model.OAuthGrant{}).Where(which+" AND used_at IS NULL", args...)
			if err := q.Update("used_at", at).Error; err != nil {
				return query.Translate(err)
			}
		}
		q := s.db.Write(ctx).Model(&model.OAuthToken{}).Where(which+" AND revoked_at IS NULL", args...)
		return query.Translate(q.Update("revoked_at", at).Error)
	})
}

// stillUsed is a condition for tokens that are valid or can be refreshed. Argument: now.
const stillUsed = "t.revoked_at IS NULL AND (t.refresh_digest IS NOT NULL OR t.expires_at > ?)"

// OAuthAuthorized is an application that has tokens of a user, with one set of scopes.
type OAuthAuthorized struct {
	ApplicationID int64
	Scopes        string // of the grant
	Since         time.Time
	Application   string // its name
	UID           string `gorm:"column:uid"`
}

// ListAuthorized returns one page of the applications that have tokens of a user, one row for each set of scopes,
// ordered by name. It reports whether there are more.
func (s OAuthTokens) ListAuthorized(ctx context.Context, userID int64, p Page) ([]OAuthAuthorized, bool, error) {
	q := s.db.Read(ctx).Raw("SELECT g.application_id, g.scopes, g.created_at AS since, a.name AS application, a.uid FROM ("+
		"SELECT min(g.id) AS id FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id WHERE t.user_id = ? AND "+stillUsed+
		" GROUP BY g.application_id, g.scopes) AS oldest "+
		"JOIN oauth_grants g ON g.id = oldest.id JOIN oauth_applications a ON a.id = g.application_id ORDER BY "+
		"a.name, a.id, g.scopes LIMIT ? OFFSET ?", userID, s.now(), p.Limit+1, p.Offset)
	rows, err := query.Find[OAuthAuthorized](q, p.Limit+1)
	if err != nil {
		return nil, false, query.Translate(err)
	}
	return rows[:min(len(rows), p.Limit)], len(rows) > p.Limit, nil
}

// OAuthGranted is the scopes that a user has granted to an application, and the redirect URI of the code.
type OAuthGranted struct{ Scopes, RedirectURI string }

// Granted returns the distinct scopes and redirect URIs of the grants of a user to an application that still have a
// token.
func (s OAuthTokens) Granted(ctx context.Context, userID, applicationID int64) ([]OAuthGranted, error) {
	var sets []OAuthGranted
	err := s.db.Read(ctx).Raw("SELECT DISTINCT g.scopes, g.redirect_uri FROM oauth_tokens t JOIN oauth_grants g ON g.id "+
		"= t.grant_id WHERE t.user_id = ? AND t.application_id = ? "+
		"AND "+stillUsed, userID, applicationID, s.now()).Scan(&sets).Error
	return sets, query.Translate(err)
}

// DeleteEnded removes the tokens that ended before the given time and returns how many it removed. A token that can
// still be refreshed has not ended.
func (s OAuthTokens) DeleteEnded(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).
		Where("expires_at < ? AND (revoked_at < ? OR (revoked_at IS NULL AND refresh_digest IS NULL))", before, before).
		Delete(&model.OAuthToken{})
	return res.RowsAffected, query.Translate(res.Error)
}
