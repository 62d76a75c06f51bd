package model

import "time"

// What notes, emoji, todos, subscriptions, time and events are about.
const (
	OnIssue        = "Issue"
	OnMergeRequest = "MergeRequest"
	OnMilestone    = "Milestone"
	OnCommit       = "Commit"
	OnSnippet      = "Snippet"
	OnNote         = "Note"
	OnLabel        = "Label"
)

// Note is what somebody says of something, or what the service notes of it.
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

// AwardEmoji is an emoji that somebody gives to something.
type AwardEmoji struct {
	ID            int64
	AwardableType string
	AwardableID   int64
	UserID        int64
	Name          string
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Todo is what somebody is asked to look at.
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

// Subscription is who follows something, or has said that they do not.
type Subscription struct {
	UserID     int64  `gorm:"primaryKey"`
	TargetType string `gorm:"primaryKey"`
	TargetID   int64  `gorm:"primaryKey"`
	Subscribed bool
	CreatedAt  time.Time
}

// NotificationSetting is what somebody wants to be told of.
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

// TableName keeps emoji from being counted.
func (AwardEmoji) TableName() string { return "award_emoji" }

// The states of a to-do item.
const (
	TodoPending = "pending"
	TodoDone    = "done"
)

// What people are asked for.
const (
	TodoAssigned        = "assigned"
	TodoMentioned       = "mentioned"
	TodoAddressed       = "directly_addressed"
	TodoMarked          = "marked"
	TodoReviewRequested = "review_requested"
	TodoBuildFailed     = "build_failed"
	TodoUnmergeable     = "unmergeable"
)

// TodoRow is a to-do item with what it is about.
type TodoRow struct {
	Todo    Todo
	Project *Project
	Author  *User
	Issue   *IssueRow
	Request *MergeRequest
	Note    *string // what was said
}
