package model

import "time"

// The states of issues and merge requests.
const (
	Opened = "opened"
	Closed = "closed"
	Merged = "merged"
)

// Issue is an issue of a project.
type Issue struct {
	ID               int64
	ProjectID        int64
	IID              int64 `gorm:"column:iid"`
	AuthorID         int64
	Title            string
	Description      *string
	State            string
	IssueType        string
	Confidential     bool
	DiscussionLocked *bool
	MilestoneID      *int64
	DueDate          *time.Time
	Severity         string
	MovedToID        *int64
	DuplicatedToID   *int64
	TimeEstimate     int64
	TotalTimeSpent   int64
	UserNotesCount   int64
	Upvotes          int64
	Downvotes        int64
	RelativePosition *int64
	ClosedByID       *int64
	ClosedAt         *time.Time
	CreatedAt        time.Time
	UpdatedAt        time.Time
	Weight           *int64
	IterationID      *int64
	DueTold          *time.Time // the last due date for which a reminder was sent
}

// IssueAssignee is a user to whom an issue is assigned.
type IssueAssignee struct {
	IssueID int64 `gorm:"primaryKey"`
	UserID  int64 `gorm:"primaryKey"`
}

// IssueLabel is a label of an issue.
type IssueLabel struct {
	IssueID int64 `gorm:"primaryKey"`
	LabelID int64 `gorm:"primaryKey"`
}

// IssueLink is a link between two issues.
type IssueLink struct {
	ID        int64
	SourceID  int64
	TargetID  int64
	LinkType  string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Timelog is time that a user spent on an issue or merge request.
type Timelog struct {
	ID         int64
	TargetType string
	TargetID   int64
	UserID     int64
	Seconds    int64
	Summary    *string
	SpentAt    time.Time
	CreatedAt  time.Time
}

// Board shows issues in lists.
type Board struct {
	ID              int64
	ProjectID       *int64
	GroupID         *int64
	Name            string
	HideBacklogList bool
	HideClosedList  bool
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// BoardList shows the issues of a board that have a label.
type BoardList struct {
	ID        int64
	BoardID   int64
	LabelID   int64
	Position  int64
	CreatedAt time.Time
}

// IssueRow is an issue with the data that is shown with it.
type IssueRow struct {
	Issue              Issue `gorm:"embedded"`
	ProjectPath        string
	MergeRequestsCount int64         // how many merge requests close it
	BlockingCount      int64         // how many open issues that the reader can see it blocks
	Author             *User         `gorm:"-"`
	ClosedBy           *User         `gorm:"-"`
	Assignees          []*User       `gorm:"-"`
	Labels             []Label       `gorm:"-"`
	Milestone          *MilestoneRow `gorm:"-"`
	Iteration          *IterationRow `gorm:"-"`
	EpicID             *int64        // the epic that it is assigned to
	Epic               *EpicKey      `gorm:"-"` // the same epic, if the reader sees it
	DuplicateOf        *IssueKey     `gorm:"-"` // the issue that it was closed as a duplicate of, if the reader sees that
	Subscribed         bool          // whether the reader is subscribed; only a single issue has it
}

// IssueKey names an issue as URLs do.
type IssueKey struct {
	ID        int64
	ProjectID int64
	IID       int64 `gorm:"column:iid"`
}

// TableName returns the table that most columns come from.
func (IssueRow) TableName() string { return "issues" }

// LinkedIssue is an issue that is linked to another one.
type LinkedIssue struct {
	IssueRow
	LinkID        int64
	LinkType      string // as seen from the other issue: relates_to, blocks, is_blocked_by
	LinkCreatedAt time.Time
	LinkUpdatedAt time.Time
}

// The types of links between issues.
const (
	RelatesTo   = "relates_to"
	Blocks      = "blocks"
	IsBlockedBy = "is_blocked_by"
)

// BoardRow is a board with its lists.
type BoardRow struct {
	Board Board
	Lists []BoardListRow
}

// BoardListRow is a list of a board with its label.
type BoardListRow struct {
	List  BoardList
	Label Label
}
