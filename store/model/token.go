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
	PreviousID    *int64 // the token that this one replaced
	FamilyID      *int64 // the first of the tokens that led to this one; nil for a first one
	CreatedByID   *int64 // the administrator who made an impersonation token
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// ScopeList is the token's scopes, one by one.
func (t PersonalAccessToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// Family is what all tokens have in common that were rotated from one.
func (t PersonalAccessToken) Family() int64 {
	if t.FamilyID != nil {
		return *t.FamilyID
	}
	return t.ID
}

// Expired tells whether the day of expiry has come.
func (t PersonalAccessToken) Expired(now time.Time) bool { return Expired(t.ExpiresAt, now) }

// Expired is the one rule of a token's end: it is good until the day of its expiry begins in UTC; none means for ever.
func Expired(day *time.Time, now time.Time) bool { return day != nil && !now.Before(*day) }
