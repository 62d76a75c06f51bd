package model

import "time"

// ExternalStatusCheck is a service outside that decides whether merge requests of a project may be merged.
type ExternalStatusCheck struct {
	ID          int64
	ProjectID   int64
	Name        string
	ExternalURL string
	Sealed      []byte // the shared secret; nil if there is none
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ExternalStatusCheckBranch is a protected branch that a check is limited to.
type ExternalStatusCheckBranch struct {
	CheckID           int64 `gorm:"primaryKey;autoIncrement:false"`
	ProtectedBranchID int64 `gorm:"primaryKey;autoIncrement:false"`
}

// The statuses of a check.
const (
	CheckPending = "pending"
	CheckPassed  = "passed"
	CheckFailed  = "failed"
)

// StatusCheckResponse is what a check says about a merge request, for one commit.
type StatusCheckResponse struct {
	MergeRequestID int64  `gorm:"primaryKey;autoIncrement:false"`
	CheckID        int64  `gorm:"primaryKey;autoIncrement:false"`
	SHA            string `gorm:"column:sha"`
	Status         string
	CalledAt       time.Time // when the service was asked, or when it responded
	UpdatedAt      time.Time
}
