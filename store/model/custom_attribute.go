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

// ProjectCustomAttribute is a text that administrators attach to a project under a key.
type ProjectCustomAttribute struct {
	ID        int64
	ProjectID int64
	Key       string
	Value     string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// GroupCustomAttribute is a text that administrators attach to a group under a key.
type GroupCustomAttribute struct {
	ID        int64
	GroupID   int64
	Key       string
	Value     string
	CreatedAt time.Time
	UpdatedAt time.Time
}
