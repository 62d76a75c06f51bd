package model

import "time"

// What is known about whether a merge request can be merged. How it can is said by the project's rules.
const (
	MergeUnchecked = "unchecked"
	MergeChecking  = "checking"
	MergePossible  = "can_be_merged"
	MergeRefused   = "cannot_be_merged"
)

// MergeRequest asks for a branch to be merged.
type MergeRequest struct {
	ID                 int64
	ProjectID          int64
	IID                int64 `gorm:"column:iid"`
	AuthorID           int64
	SourceProjectID    *int64
	SourceBranch       string
	TargetBranch       string
	Title              string
	Description        *string
	State              string
	Draft              bool
	DiscussionLocked   *bool
	MilestoneID        *int64
	HeadSHA            string `gorm:"column:head_sha"`
	BaseSHA            string `gorm:"column:base_sha"`
	StartSHA           string `gorm:"column:start_sha"`
	MergeStatus        string
	MergeError         *string
	MergeCommitSHA     *string `gorm:"column:merge_commit_sha"`
	SquashCommitSHA    *string `gorm:"column:squash_commit_sha"`
	MergeUserID        *int64
	MergedAt           *time.Time
	ClosedByID         *int64
	ClosedAt           *time.Time
	Squash             bool
	RemoveSourceBranch *bool
	AllowCollaboration bool
	AutoMerge          bool
	AutoMergeUserID    *int64
	AutoMergeOptions   *string
	Rebasing           bool
	HeadPipelineID     *int64
	TimeEstimate       int64
	TotalTimeSpent     int64
	UserNotesCount     int64
	Upvotes            int64
	Downvotes          int64
	PreparedAt         *time.Time
	CreatedAt          time.Time
	UpdatedAt          time.Time
	TargetSHA          string `gorm:"column:target_sha"` // head of the target branch, as last heard of
	Diverged           int64  // commits of the target branch that the source branch lacks
}

// MergeAttempt is a merge that is about to be made, by the commit that the target branch is to become.
type MergeAttempt struct {
	ProjectID      int64  `gorm:"primaryKey"`
	SHA            string `gorm:"column:sha;primaryKey"`
	MergeRequestID int64
	Data           string // JSON
	CreatedAt      time.Time
}

// MergeRequestCommit is a commit that a merge request brings, or that merging it has made.
type MergeRequestCommit struct {
	ProjectID      int64  `gorm:"primaryKey"`
	SHA            string `gorm:"column:sha;primaryKey"`
	MergeRequestID int64  `gorm:"primaryKey"`
}

// MergeRequestAssignee is who takes care of a merge request.
type MergeRequestAssignee struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	UserID         int64 `gorm:"primaryKey"`
}

// MergeRequestReviewer is who is asked to look at a merge request.
type MergeRequestReviewer struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	UserID         int64 `gorm:"primaryKey"`
	State          string
	CreatedAt      time.Time
}

// MergeRequestLabel is a label of a merge request.
type MergeRequestLabel struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	LabelID        int64 `gorm:"primaryKey"`
}

// MergeRequestApproval is that somebody agrees to a merge request.
type MergeRequestApproval struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	UserID         int64 `gorm:"primaryKey"`
	CreatedAt      time.Time
}

// MergeRequestIssue is an issue that a merge request names, and whether merging closes it.
type MergeRequestIssue struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	IssueID        int64 `gorm:"primaryKey"`
	Closes         bool
}

// MergeRequestVersion is what a merge request was after a push.
type MergeRequestVersion struct {
	ID             int64
	MergeRequestID int64
	HeadSHA        string `gorm:"column:head_sha"`
	BaseSHA        string `gorm:"column:base_sha"`
	StartSHA       string `gorm:"column:start_sha"`
	Changes        int64
	CreatedAt      time.Time
}

// What reviewers have done.
const (
	ReviewUnreviewed = "unreviewed"
	ReviewApproved   = "approved"
	ReviewUnapproved = "unapproved"
)

// MergeRequestRow is a merge request with what is shown of it.
type MergeRequestRow struct {
	MergeRequest MergeRequest  `gorm:"embedded"`
	Project      *Project      `gorm:"-"`
	Author       *User         `gorm:"-"`
	ClosedBy     *User         `gorm:"-"`
	MergedBy     *User         `gorm:"-"`
	Assignees    []*User       `gorm:"-"`
	Reviewers    []*User       `gorm:"-"`
	Labels       []Label       `gorm:"-"`
	Milestone    *MilestoneRow `gorm:"-"`
	Pipeline     *Pipeline     `gorm:"-"` // of its newest commit
	Unresolved   bool          `gorm:"-"` // threads are
}

// TableName is where most of the row comes from.
func (MergeRequestRow) TableName() string { return "merge_requests" }

// Reviewer is somebody who is asked to look at a merge request.
type Reviewer struct {
	User        User `gorm:"embedded"`
	ReviewState string
	Since       time.Time
}

// TableName is where most of the row comes from.
func (Reviewer) TableName() string { return "users" }

// Approver is somebody who agrees to a merge request.
type Approver struct {
	User  User `gorm:"embedded"`
	Since time.Time
}

// TableName is where most of the row comes from.
func (Approver) TableName() string { return "users" }
