package model

import "time"

// The merge statuses: whether a merge without conflicts is possible. The rules of the project are checked separately.
const (
	MergeUnchecked = "unchecked"
	MergeChecking  = "checking"
	MergePossible  = "can_be_merged"
	MergeRefused   = "cannot_be_merged"
)

// MergeRequest is a request to merge a branch.
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
	TargetSHA          string `gorm:"column:target_sha"` // head of the target branch when it was last read
	Diverged           int64  // commits of the target branch that the source branch lacks

	ApprovalRulesOverwritten bool // it has approval rules of its own
}

// MergeAttempt is a merge that is about to be made. Its key is the commit that the target branch is to get.
type MergeAttempt struct {
	ProjectID      int64  `gorm:"primaryKey"`
	SHA            string `gorm:"column:sha;primaryKey"`
	MergeRequestID int64
	Data           string // JSON
	CreatedAt      time.Time
}

// MergeRequestCommit is a commit of a merge request, or one that merging it has made.
type MergeRequestCommit struct {
	ProjectID      int64  `gorm:"primaryKey"`
	SHA            string `gorm:"column:sha;primaryKey"`
	MergeRequestID int64  `gorm:"primaryKey"`
}

// MergeRequestAssignee is a user to whom a merge request is assigned.
type MergeRequestAssignee struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	UserID         int64 `gorm:"primaryKey"`
}

// MergeRequestReviewer is a user who is asked to review a merge request.
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

// MergeRequestApproval is the approval of a merge request by a user.
type MergeRequestApproval struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	UserID         int64 `gorm:"primaryKey"`
	CreatedAt      time.Time
}

// MergeRequestIssue is an issue that a merge request mentions. Closes says whether merging closes it.
type MergeRequestIssue struct {
	MergeRequestID int64 `gorm:"primaryKey"`
	IssueID        int64 `gorm:"primaryKey"`
	Closes         bool
}

// MergeRequestVersion is the state of a merge request after a push.
type MergeRequestVersion struct {
	ID             int64
	MergeRequestID int64
	HeadSHA        string `gorm:"column:head_sha"`
	BaseSHA        string `gorm:"column:base_sha"`
	StartSHA       string `gorm:"column:start_sha"`
	Changes        int64
	CreatedAt      time.Time
}

// The states of a review.
const (
	ReviewUnreviewed = "unreviewed"
	ReviewApproved   = "approved"
	ReviewUnapproved = "unapproved"
)

// MergeRequestRow is a merge request with the data that is shown with it.
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
	Unresolved   bool          `gorm:"-"` // it has unresolved threads
}

// TableName returns the table that most columns come from.
func (MergeRequestRow) TableName() string { return "merge_requests" }

// Reviewer is a user who is asked to review a merge request.
type Reviewer struct {
	User        User `gorm:"embedded"`
	ReviewState string
	Since       time.Time
}

// TableName returns the table that most columns come from.
func (Reviewer) TableName() string { return "users" }

// Approver is a user who has approved a merge request.
type Approver struct {
	User  User `gorm:"embedded"`
	Since time.Time
}

// TableName returns the table that most columns come from.
func (Approver) TableName() string { return "users" }

// MergeRequestKey names a merge request as URLs do.
type MergeRequestKey struct {
	SourceBranch string
	ProjectPath  string // of the project that it belongs to
	IID          int64  `gorm:"column:iid"`
}
