package model

import "time"

// UserCustomAttribute is a text that administrators attach to a user under a key.
type UserCustomAttribute struct {
	ID        int64
	UserID    int64
	Key       string
	Value     string
	CreatedAt time.Time
	UpdatedAt time.Time
}
