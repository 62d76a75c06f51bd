package model

import "time"

// The types of notes that are not plain comments.
const (
	DiscussionNote = "DiscussionNote"
	DiffNote       = "DiffNote"
)

// Noteable is something that notes can be about: an issue, a merge request or a commit.
type Noteable struct {
	Type           string
	ID             int64 // 0 for a commit
	ProjectID      int64
	IID            int64
	CommitID       string // of a commit
	AuthorID       int64  // 0 for a commit
	Assignees      []int64
	Title          string
	State          string
	Confidential   bool
	Locked         bool // only members may comment
	UserNotesCount int64
	CreatedAt      time.Time
}

// NoteRow is a note with the users that are shown with it.
type NoteRow struct {
	Note       Note
	Author     User
	ResolvedBy *User
}

// AwardRow is an emoji reaction with its user.
type AwardRow struct {
	Award AwardEmoji
	User  User
}

// Thread is notes that reply to each other.
type Thread struct {
	ID    string
	Notes []NoteRow
}
