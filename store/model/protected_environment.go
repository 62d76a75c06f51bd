package model

import "time"

// ProtectedEnvironment is an environment of a project, or a tier of the environments of a group, to which only some users
// deploy.
type ProtectedEnvironment struct {
	ID                    int64
	ProjectID             *int64 // of a group: nil
	GroupID               *int64 // of a project: nil
	Name                  string // of a group: a tier
	RequiredApprovalCount int64
	CreatedAt             time.Time
	UpdatedAt             time.Time
}

// The kinds of rules of a protected environment.
const (
	RuleDeploy   = "deploy"   // the users may deploy
	RuleApproval = "approval" // the users approve deployments
)

// ProtectedEnvironmentRule names users: one user, the members of a group, or those who have a role in the project.
type ProtectedEnvironmentRule struct {
	ID                     int64
	ProtectedEnvironmentID int64
	Kind                   string
	UserID                 *int64
	GroupID                *int64
	AccessLevel            *Access
	GroupInheritanceType   int64 // 1: also members of the groups above the group
	RequiredApprovals      int64 // of kind approval
	CreatedAt              time.Time
	UpdatedAt              time.Time
}

// The decisions about a deployment.
const (
	DeploymentApproved = "approved"
	DeploymentRejected = "rejected"
)

// DeploymentApproval is what a user decided about a deployment.
type DeploymentApproval struct {
	ID           int64
	DeploymentID int64
	UserID       int64
	RuleID       *int64 // the only rule that the approval counts for; nil for all rules that name the user
	Status       string
	Comment      *string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}
