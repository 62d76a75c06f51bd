package model

import (
	"strings"
	"time"
)

// PersonalAccessToken is an access token that a user, or an administrator for that user, has created.
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
	PreviousID    *int64 // the token that this one replaced
	FamilyID      *int64 // the first token in the chain of rotations; nil if this is the first
	CreatedByID   *int64 // the administrator who created an impersonation token
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// ScopeList returns the scopes of the token as a list.
func (t PersonalAccessToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// Family returns the id that all tokens in one chain of rotations share.
func (t PersonalAccessToken) Family() int64 {
	if t.FamilyID != nil {
		return *t.FamilyID
	}
	return t.ID
}

// Expired reports whether the token has expired.
func (t PersonalAccessToken) Expired(now time.Time) bool { return Expired(t.ExpiresAt, now) }

// Expired is the single rule for the expiry of tokens: a token is valid until its day of expiry begins in UTC; nil
// means that it never expires.
func Expired(day *time.Time, now time.Time) bool { return day != nil && !now.Before(*day) }
