package model

import (
	"slices"
	"strings"
	"time"
)

// OAuthApplication is a program that acts for users. Its owner is a user, a group, or the instance if both are nil.
type OAuthApplication struct {
	ID           int64
	UID          string `gorm:"column:uid"`
	Name         string
	SecretDigest []byte
	RedirectURI  string // one per line
	Scopes       string // separated by spaces
	Confidential bool   // it can keep its secret, and must present it
	Trusted      bool   // users are not asked for consent
	UserID       *int64
	NamespaceID  *int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// TableName returns the table of the row.
func (OAuthApplication) TableName() string { return "oauth_applications" }

// RedirectURIs returns the redirect URIs as a list.
func (a OAuthApplication) RedirectURIs() []string { return strings.Fields(a.RedirectURI) }

// ScopeList returns the scopes that the application may ask for as a list.
func (a OAuthApplication) ScopeList() []string { return strings.Fields(a.Scopes) }

// OAuthGrant is the consent of a user to an application, with the authorization code that the application gets.
type OAuthGrant struct {
	ID            int64
	ApplicationID int64
	UserID        int64
	Digest        []byte // of the code
	RedirectURI   string
	Scopes        string // separated by spaces
	CodeChallenge string // of RFC 7636, always S256; empty for none
	Nonce         string // of OpenID Connect
	Ticket        []byte // of the consent form that the user submitted; nil if nobody was asked
	SignedInAt    time.Time
	CreatedAt     time.Time
	ExpiresAt     time.Time // of the code
	UsedAt        *time.Time
}

// TableName returns the table of the row.
func (OAuthGrant) TableName() string { return "oauth_grants" }

// OAuthToken is an access token and the refresh token that came with it.
type OAuthToken struct {
	ID            int64
	ApplicationID *int64 // nil for the token of a password grant
	UserID        int64
	GrantID       *int64 // nil for the token of a password grant
	Digest        []byte
	RefreshDigest []byte
	Scopes        string // separated by spaces
	CreatedAt     time.Time
	ExpiresAt     time.Time // of the access token
	RevokedAt     *time.Time
	RefreshedAt   *time.Time // when the refresh token was used
}

// TableName returns the table of the row.
func (OAuthToken) TableName() string { return "oauth_tokens" }

// ScopeList returns the scopes of the token as a list.
func (t OAuthToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// HasScope reports whether the token has a scope.
func (t OAuthToken) HasScope(scope string) bool { return slices.Contains(t.ScopeList(), scope) }

// OAuthKey is a key that signs ID tokens.
type OAuthKey struct {
	ID        int64
	Kid       string
	Public    []byte // PKIX
	Sealed    []byte // the private key, PKCS #8, sealed with the instance's key
	CreatedAt time.Time
}

// TableName returns the table of the row.
func (OAuthKey) TableName() string { return "oauth_keys" }
