package model

import "time"

// The availabilities that a status can tell.
const (
	AvailabilityNotSet = "not_set"
	AvailabilityBusy   = "busy"
)

// DefaultEmoji stands in a status that names none.
const DefaultEmoji = "speech_balloon"

// UserStatus is what users tell about themselves at the moment.
type UserStatus struct {
	ID            int64
	UserID        int64
	Emoji         string
	Availability  string
	Message       *string
	ClearStatusAt *time.Time
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// UserFollow is a user who follows another.
type UserFollow struct {
	ID         int64
	FollowerID int64
	FolloweeID int64
	CreatedAt  time.Time
}

// Email is an address of a user beside the primary one.
type Email struct {
	ID          int64
	UserID      int64
	Email       string
	ConfirmedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// UserPreference is how a user wants things shown and passed on.
type UserPreference struct {
	ID                        int64
	UserID                    int64
	ViewDiffsFileByFile       bool
	ShowWhitespaceInDiffs     bool
	PassUserIdentitiesToCiJwt bool
	CreatedAt                 time.Time
	UpdatedAt                 time.Time
}

// DefaultPreference is what holds for a user who has chosen nothing; it has no id.
func DefaultPreference(userID int64) UserPreference {
	return UserPreference{UserID: userID, ShowWhitespaceInDiffs: true}
}
