package model

import "time"

// The types of notes that are not plain comments.
const (
	DiscussionNote = "DiscussionNote"
	DiffNote       = "DiffNote"
)

// Noteable is something that notes can be about: an issue, a merge request, a commit or a snippet of a project.
type Noteable struct {
	Type           string
	ID             int64 // 0 for a commit
	ProjectID      int64
	IID            int64  // 0 for a commit and a snippet
	CommitID       string // of a commit
	AuthorID       int64  // 0 for a commit
	Assignees      []int64
	Title          string
	State          string
	Confidential   bool
	Visibility     Visibility // of a snippet
	Locked         bool       // only members may comment
	UserNotesCount int64
	CreatedAt      time.Time
}

// NoteRow is a note with the users that are shown with it.
type NoteRow struct {
	Note       Note
	Author     User
	ResolvedBy *User
	// Suggestions are the changes that a note on the diff of a merge request suggests, in their order.
	Suggestions []Suggestion
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
