package model

import "time"

// The types of approval rules.
const (
	ApprovalRegular = "regular"      // users and members of groups approve
	ApprovalAny     = "any_approver" // everybody who may approve
)

// ApprovalRule says how many approvals a merge request needs, and of which users.
type ApprovalRule struct {
	ID                            int64
	ProjectID                     int64
	MergeRequestID                *int64 // nil for a rule of the project
	SourceRuleID                  *int64 // the rule of the project that a rule of a merge request was copied from
	Name                          string
	RuleType                      string
	ApprovalsRequired             int64
	AppliesToAllProtectedBranches bool
	CreatedAt                     time.Time
	UpdatedAt                     time.Time
}

// ApprovalRuleUser is a user whose approval counts for a rule.
type ApprovalRuleUser struct {
	RuleID int64 `gorm:"primaryKey;autoIncrement:false"`
	UserID int64 `gorm:"primaryKey;autoIncrement:false"`
}

// ApprovalRuleGroup is a group whose members' approvals count for a rule.
type ApprovalRuleGroup struct {
	RuleID  int64 `gorm:"primaryKey;autoIncrement:false"`
	GroupID int64 `gorm:"primaryKey;autoIncrement:false"`
}

// ApprovalRuleBranch is a protected branch that a rule is limited to.
type ApprovalRuleBranch struct {
	RuleID            int64 `gorm:"primaryKey;autoIncrement:false"`
	ProtectedBranchID int64 `gorm:"primaryKey;autoIncrement:false"`
}

// ProjectApprovalSetting says how the merge requests of a project are approved.
type ProjectApprovalSetting struct {
	ProjectID                 int64 `gorm:"primaryKey;autoIncrement:false"`
	ResetApprovalsOnPush      bool
	DisableOverriding         bool // merge requests cannot have rules of their own
	AuthorApproval            bool // the author may approve
	DisableCommittersApproval bool // users who wrote commits may not approve
	CreatedAt                 time.Time
	UpdatedAt                 time.Time
}

// DefaultApprovalSetting returns the setting of a project that has changed none.
func DefaultApprovalSetting(projectID int64) ProjectApprovalSetting {
	return ProjectApprovalSetting{ProjectID: projectID, ResetApprovalsOnPush: true}
}

// MergeRequestCommitter is a user who has written or committed a commit of a merge request.
type MergeRequestCommitter struct {
	MergeRequestID int64 `gorm:"primaryKey;autoIncrement:false"`
	UserID         int64 `gorm:"primaryKey;autoIncrement:false"`
}
