package model

import "time"

// Iteration is a period of time in which the issues of a group are worked on.
type Iteration struct {
	ID          int64
	GroupID     int64
	IID         int64 `gorm:"column:iid"`
	Title       *string
	Description *string
	StartDate   time.Time
	DueDate     time.Time // the last day
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// The states of an iteration, as clients know them.
const (
	IterationUpcoming = 1
	IterationCurrent  = 2
	IterationClosed   = 3
)

// State returns the state of an iteration at a time.
func (i Iteration) State(now time.Time) int64 {
	today := now.UTC().Truncate(24 * time.Hour)
	switch {
	case today.Before(i.StartDate.UTC()):
		return IterationUpcoming
	case today.After(i.DueDate.UTC()):
		return IterationClosed
	}
	return IterationCurrent
}

// Name returns the title, or the period if there is none.
func (i Iteration) Name() string {
	if i.Title != nil && *i.Title != "" {
		return *i.Title
	}
	return i.StartDate.Format("Jan 2, 2006") + " - " + i.DueDate.Format("Jan 2, 2006")
}

// IterationRow is an iteration with the full path of its group.
type IterationRow struct {
	Iteration Iteration `gorm:"embedded"`
	Place     string
}

// TableName returns the table that most columns come from.
func (IterationRow) TableName() string { return "iterations" }
