package model

import "time"

// Epic is an epic of a group. It collects issues and other epics.
type Epic struct {
	ID               int64
	GroupID          int64
	IID              int64 `gorm:"column:iid"`
	AuthorID         int64
	ParentID         *int64
	RelativePosition int64 // among the children of the parent
	Title            string
	Description      *string
	State            string // Opened or Closed
	Confidential     bool
	Color            string
	StartDateIsFixed bool
	StartDateFixed   *time.Time
	DueDateIsFixed   bool
	DueDateFixed     *time.Time
	UserNotesCount   int64
	Upvotes          int64
	Downvotes        int64
	ClosedByID       *int64
	ClosedAt         *time.Time
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// EpicLabel is a label of an epic.
type EpicLabel struct {
	EpicID  int64 `gorm:"primaryKey"`
	LabelID int64 `gorm:"primaryKey"`
}

// EpicIssue assigns an issue to an epic.
type EpicIssue struct {
	ID               int64
	EpicID           int64
	IssueID          int64
	RelativePosition int64
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// EpicLink links two epics. If it blocks, the source blocks the target.
type EpicLink struct {
	ID        int64
	SourceID  int64
	TargetID  int64
	LinkType  string // RelatesTo or Blocks
	CreatedAt time.Time
	UpdatedAt time.Time
}

// KindFrom returns the type of the link from the view of one of its epics.
func (l EpicLink) KindFrom(epicID int64) string {
	if l.LinkType == Blocks && l.TargetID == epicID {
		return IsBlockedBy
	}
	return l.LinkType
}

// LinkedEpic is an epic at the other end of a link.
type LinkedEpic struct {
	EpicRow
	Link EpicLink
	Kind string // what the first epic is to this one
}

// EpicLinkRow is a link with its epics.
type EpicLinkRow struct {
	Link           EpicLink
	Source, Target EpicRow
}

// EpicNote is a comment on an epic, or a system note about a change of it.
type EpicNote struct {
	ID           int64
	EpicID       int64
	DiscussionID string
	NoteType     *string // DiscussionNote for a note in a thread
	AuthorID     int64
	Body         string
	System       bool
	Action       *string
	Internal     bool
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// EpicNoteRow is a note on an epic with its author.
type EpicNoteRow struct {
	Note   EpicNote
	Author User
}

// EpicThread is notes on an epic that reply to each other.
type EpicThread struct {
	ID    string
	Notes []EpicNoteRow
}

// EpicRow is an epic with the data that is shown with it.
type EpicRow struct {
	Epic           Epic `gorm:"embedded"`
	GroupPath      string
	Author         *User      `gorm:"-"`
	Labels         []Label    `gorm:"-"`
	Parent         *EpicKey   `gorm:"-"` // nil if there is none, or if the reader does not see it
	InheritedStart *time.Time `gorm:"-"` // from the milestones of the issues and from the children
	InheritedDue   *time.Time `gorm:"-"`
}

// TableName returns the table that most columns come from.
func (EpicRow) TableName() string { return "epics" }

// EpicKey names an epic as URLs do.
type EpicKey struct {
	ID        int64
	GroupID   int64
	IID       int64 `gorm:"column:iid"`
	Title     string
	GroupPath string
}

// TableName returns the table that most columns come from.
func (EpicKey) TableName() string { return "epics" }

// AssignedIssue is an issue of an epic with its assignment.
type AssignedIssue struct {
	IssueRow
	Assignment EpicIssue
}
