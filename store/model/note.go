package model

import "time"

// The target types of notes, emoji, to-do items, subscriptions, times and events.
const (
	OnIssue        = "Issue"
	OnMergeRequest = "MergeRequest"
	OnMilestone    = "Milestone"
	OnCommit       = "Commit"
	OnSnippet      = "Snippet"
	OnNote         = "Note"
	OnLabel        = "Label"
	OnEpic         = "Epic"
)

// Note is a comment of a user, or a system note.
type Note struct {
	ID           int64
	ProjectID    int64
	NoteableType string
	NoteableID   *int64
	CommitID     *string
	DiscussionID string
	NoteType     *string
	AuthorID     int64
	Body         string
	System       bool
	Action       *string
	Internal     bool
	Position     *string
	Resolvable   bool
	ResolvedByID *int64
	ResolvedAt   *time.Time
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// IsOnDiff reports whether the note is about a place in the diff of a merge request.
func (n Note) IsOnDiff() bool {
	return n.NoteableType == OnMergeRequest && n.NoteType != nil && *n.NoteType == DiffNote
}

// AwardEmoji is an emoji reaction of a user.
type AwardEmoji struct {
	ID            int64
	AwardableType string
	AwardableID   int64
	UserID        int64
	Name          string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Todo is a to-do item of a user.
type Todo struct {
	ID         int64
	UserID     int64
	ProjectID  int64
	AuthorID   int64
	ActionName string
	TargetType string
	TargetID   int64
	NoteID     *int64
	State      string
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Subscription says whether a user is subscribed to something, or has unsubscribed.
type Subscription struct {
	UserID     int64  `gorm:"primaryKey"`
	TargetType string `gorm:"primaryKey"`
	TargetID   int64  `gorm:"primaryKey"`
	Subscribed bool
	CreatedAt  time.Time
}

// NotificationSetting says which notifications a user wants.
type NotificationSetting struct {
	ID                int64
	UserID            int64
	ProjectID         *int64
	GroupID           *int64
	Level             string
	NotificationEmail *string
	Events            string
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// TableName returns the table; GORM would use the plural.
func (AwardEmoji) TableName() string { return "award_emoji" }

// The states of a to-do item.
const (
	TodoPending = "pending"
	TodoDone    = "done"
)

// The actions of a to-do item.
const (
	TodoAssigned        = "assigned"
	TodoMentioned       = "mentioned"
	TodoAddressed       = "directly_addressed"
	TodoMarked          = "marked"
	TodoReviewRequested = "review_requested"
	TodoBuildFailed     = "build_failed"
	TodoUnmergeable     = "unmergeable"
)

// TodoRow is a to-do item with the data that is shown with it.
type TodoRow struct {
	Todo    Todo
	Project *Project
	Author  *User
	Issue   *IssueRow
	Request *MergeRequest
	Note    *string // the text of the note
}
