package model

import "time"

// DraftNote is a note of a review of a merge request that only its author sees until it is published.
type DraftNote struct {
	ID                int64
	MergeRequestID    int64
	AuthorID          int64
	Note              string
	CommitID          *string
	DiscussionID      *string // the thread to reply to; nil begins a thread
	ResolveDiscussion bool
	Position          *string // the place in the diff, as notes store it
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// Suggestion is a change of lines that a note on the diff of a merge request suggests.
type Suggestion struct {
	ID          int64
	NoteID      int64
	Path        string
	FromLine    int64
	ToLine      int64
	FromContent string
	ToContent   string
	Applied     bool
	CommitID    *string // the commit that applies it; set before the branch moves
	CreatedAt   time.Time
}

// SuggestionRow is a suggestion with the note and the merge request that it belongs to.
type SuggestionRow struct {
	Suggestion Suggestion
	Note       Note
}
