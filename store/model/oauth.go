package model

import (
	"slices"
	"strings"
	"time"
)

// OAuthApplication is a program that acts for users. A user owns it, or a group, or neither: then the instance does.
type OAuthApplication struct {
	ID           int64
	UID          string `gorm:"column:uid"`
	Name         string
	SecretDigest []byte
	RedirectURI  string // one per line
	Scopes       string // separated by spaces
	Confidential bool   // it can keep its secret, and has to show it
	Trusted      bool   // users are not asked
	UserID       *int64
	NamespaceID  *int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// TableName is where the rows are.
func (OAuthApplication) TableName() string { return "oauth_applications" }

// RedirectURIs are the addresses that codes are sent to, one by one.
func (a OAuthApplication) RedirectURIs() []string { return strings.Fields(a.RedirectURI) }

// ScopeList is all that the application may ask for, one by one.
func (a OAuthApplication) ScopeList() []string { return strings.Fields(a.Scopes) }

// OAuthGrant is what a user has allowed an application, and the code that the application gets for it.
type OAuthGrant struct {
	ID            int64
	ApplicationID int64
	UserID        int64
	Digest        []byte // of the code
	RedirectURI   string
	Scopes        string // separated by spaces
	CodeChallenge string // of RFC 7636, always S256; empty for none
	Nonce         string // of OpenID Connect
	Ticket        []byte // of the form that the user has answered; nil if nobody was asked
	SignedInAt    time.Time
	CreatedAt     time.Time
	ExpiresAt     time.Time // of the code
	UsedAt        *time.Time
}

// TableName is where the rows are.
func (OAuthGrant) TableName() string { return "oauth_grants" }

// OAuthToken is an access token and the refresh token that came with it.
type OAuthToken struct {
	ID            int64
	ApplicationID *int64 // nil where a password was enough
	UserID        int64
	GrantID       *int64 // nil for the token of a password
	Digest        []byte
	RefreshDigest []byte
	Scopes        string // separated by spaces
	CreatedAt     time.Time
	ExpiresAt     time.Time // of the access token
	RevokedAt     *time.Time
	RefreshedAt   *time.Time // when the refresh token was used
}

// TableName is where the rows are.
func (OAuthToken) TableName() string { return "oauth_tokens" }

// ScopeList is the token's scopes, one by one.
func (t OAuthToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// HasScope tells whether the token carries a scope.
func (t OAuthToken) HasScope(scope string) bool { return slices.Contains(t.ScopeList(), scope) }

// OAuthKey signs ID tokens.
type OAuthKey struct {
	ID        int64
	Kid       string
	Public    []byte // PKIX
	Sealed    []byte // the private half, PKCS #8, sealed with the instance's key
	CreatedAt time.Time
}

// TableName is where the rows are.
func (OAuthKey) TableName() string { return "oauth_keys" }
