package model

import "time"

// The types of notes beside plain ones.
const (
	DiscussionNote = "DiscussionNote"
	DiffNote       = "DiffNote"
)

// Noteable is what notes are about: an issue, a merge request or a commit.
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
	Locked         bool // only members go on talking
	UserNotesCount int64
	CreatedAt      time.Time
}

// NoteRow is a note with the people that it is shown with.
type NoteRow struct {
	Note       Note
	Author     User
	ResolvedBy *User
}

// AwardRow is an emoji with who gave it.
type AwardRow struct {
	Award AwardEmoji
	User  User
}

// Thread is notes that answer each other.
type Thread struct {
	ID    string
	Notes []NoteRow
}
