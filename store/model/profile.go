package model

import "time"

// The availabilities of a status.
const (
	AvailabilityNotSet = "not_set"
	AvailabilityBusy   = "busy"
)

// DefaultEmoji is the emoji of a status that names none.
const DefaultEmoji = "speech_balloon"

// UserStatus is the current status message of a user.
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

// Email is an additional address of a user.
type Email struct {
	ID          int64
	UserID      int64
	Email       string
	ConfirmedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// UserPreference is the preferences of a user.
type UserPreference struct {
	ID                        int64
	UserID                    int64
	ViewDiffsFileByFile       bool
	ShowWhitespaceInDiffs     bool
	PassUserIdentitiesToCiJwt bool
	CreatedAt                 time.Time
	UpdatedAt                 time.Time
}

// DefaultPreference returns the preferences of a user who has set none. It has no id.
func DefaultPreference(userID int64) UserPreference {
	return UserPreference{UserID: userID, ShowWhitespaceInDiffs: true}
}
