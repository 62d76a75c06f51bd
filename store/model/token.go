package model

import (
	"strings"
	"time"
)

// PersonalAccessToken is an access token that a person, or an administrator for that person, has made.
type PersonalAccessToken struct {
	ID            int64
	UserID        int64
	Name          string
	Description   *string
	Digest        []byte
	Scopes        string // separated by spaces
	Impersonation bool
	Revoked       bool
	ExpiresAt     *time.Time
	LastUsedAt    *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// ScopeList is the token's scopes, one by one.
func (t PersonalAccessToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// Expired tells whether the day of expiry has come.
func (t PersonalAccessToken) Expired(now time.Time) bool {
	return t.ExpiresAt != nil && !now.Before(*t.ExpiresAt)
}
