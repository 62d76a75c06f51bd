package model

import "time"

// GroupCounter is the last number that was assigned within a group, by the name of the counter.
type GroupCounter struct {
	GroupID int64  `gorm:"primaryKey"`
	Name    string `gorm:"primaryKey"`
	Last    int64
}

// Label is a label for issues and merge requests.
type Label struct {
	ID          int64
	ProjectID   *int64
	GroupID     *int64
	Name        string
	Description *string
	Color       string
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// LabelPriority is the rank of a label in a project.
type LabelPriority struct {
	ProjectID int64 `gorm:"primaryKey"`
	LabelID   int64 `gorm:"primaryKey"`
	Priority  int64
}

// Milestone is a milestone for issues and merge requests.
type Milestone struct {
	ID          int64
	ProjectID   *int64
	GroupID     *int64
	IID         int64 `gorm:"column:iid"`
	Title       string
	Description *string
	State       string
	StartDate   *time.Time
	DueDate     *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// LabelRow is a label as a project or group shows it.
type LabelRow struct {
	Label             Label  `gorm:"embedded"`
	Priority          *int64 // in the project of the request
	OpenIssues        int64  `gorm:"-"`
	ClosedIssues      int64  `gorm:"-"`
	OpenMergeRequests int64  `gorm:"-"`
	Subscribed        bool   // the user of the request is subscribed
}

// TableName returns the table that most columns come from.
func (LabelRow) TableName() string { return "labels" }

// The states of a milestone.
const (
	MilestoneActive = "active"
	MilestoneClosed = "closed"
)

// MilestoneRow is a milestone with the full path of its project or group.
type MilestoneRow struct {
	Milestone Milestone `gorm:"embedded"`
	Place     string
}

// TableName returns the table that most columns come from.
func (MilestoneRow) TableName() string { return "milestones" }
