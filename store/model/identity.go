package model

import "time"

// Identity is an account of another provider with which a user can sign in.
type Identity struct {
	ID             int64
	UserID         int64
	Provider       string
	ExternUID      string
	SamlProviderID *int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}
