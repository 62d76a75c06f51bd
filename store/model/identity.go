package model

import "time"

// Identity is an account elsewhere that signs a user in.
type Identity struct {
	ID             int64
	UserID         int64
	Provider       string
	ExternUID      string
	SamlProviderID *int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}
