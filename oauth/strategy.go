package oauth

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"svc/store/secret"

	"github.com/ory/fosite"
)

// strategy makes codes and tokens of 64 hexadecimal characters. Like for every other token, only the digest is stored.
type strategy struct{ now func() time.Time }

func newText() string {
	var b [32]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func (strategy) make() (token, signature string, err error) {
	token = newText()
	return token, digestOf(token), nil
}

// digestOf returns what fosite calls a signature: the digest by which a token is found.
func digestOf(token string) string { return string(secret.Digest(token)) }

// AccessTokenSignature returns the digest of an access token.
func (strategy) AccessTokenSignature(_ context.Context, token string) string { return digestOf(token) }

// GenerateAccessToken makes an access token.
func (s strategy) GenerateAccessToken(context.Context, fosite.Requester) (token, signature string, err error) {
	return s.make()
}

// ValidateAccessToken is never called: requests to the API are checked without fosite.
func (s strategy) ValidateAccessToken(_ context.Context, r fosite.Requester, _ string) error {
	return s.unexpired(r, fosite.AccessToken)
}

// RefreshTokenSignature returns the digest of a refresh token.
func (strategy) RefreshTokenSignature(_ context.Context, token string) string { return digestOf(token) }

// GenerateRefreshToken makes a refresh token.
func (s strategy) GenerateRefreshToken(context.Context, fosite.Requester) (token, signature string, err error) {
	return s.make()
}

// ValidateRefreshToken accepts every refresh token that was found: they do not expire.
func (strategy) ValidateRefreshToken(context.Context, fosite.Requester, string) error { return nil }

// AuthorizeCodeSignature returns the digest of a code.
func (strategy) AuthorizeCodeSignature(_ context.Context, code string) string { return digestOf(code) }

// GenerateAuthorizeCode makes a code.
func (s strategy) GenerateAuthorizeCode(context.Context, fosite.Requester) (code, signature string, err error) {
	return s.make()
}

// ValidateAuthorizeCode refuses an expired code. The storage does not find expired codes, so this is a second check.
func (s strategy) ValidateAuthorizeCode(_ context.Context, r fosite.Requester, _ string) error {
	return s.unexpired(r, fosite.AuthorizeCode)
}

func (s strategy) unexpired(r fosite.Requester, kind fosite.TokenType) error {
	ends := r.GetSession().GetExpiresAt(kind)
	if !ends.IsZero() && !s.now().Before(ends) {
		return fosite.ErrTokenExpired
	}
	return nil
}
