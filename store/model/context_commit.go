package model

import "time"

// ContextCommit is an older commit that reviewers of a merge request should know.
type ContextCommit struct {
	ID             int64
	MergeRequestID int64
	SHA            string `gorm:"column:sha"`
	Content        string // the commit as JSON, because git may delete it
	CommittedAt    time.Time
	CreatedAt      time.Time
}
