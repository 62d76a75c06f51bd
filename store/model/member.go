package model

import "time"

// Access is a role, as the number that the API uses.
type Access int64

// The roles.
const (
	NoAccess   Access = 0
	Minimal    Access = 5
	Guest      Access = 10
	Reporter   Access = 20
	Developer  Access = 30
	Maintainer Access = 40
	Owner      Access = 50
)

// The sources of a membership.
const (
	SourceGroup   = "Namespace"
	SourceProject = "Project"
)

// String returns the name of a role.
func (a Access) String() string {
	switch a {
	case Minimal:
		return "Minimal Access"
	case Guest:
		return "Guest"
	case Reporter:
		return "Reporter"
	case Developer:
		return "Developer"
	case Maintainer:
		return "Maintainer"
	case Owner:
		return "Owner"
	default:
		return "No access"
	}
}

// Member is a user's role in a group or project.
type Member struct {
	ID           int64
	SourceType   string
	SourceID     int64
	UserID       int64
	AccessLevel  Access
	MemberRoleID *int64 // the custom role; nil for none
	ExpiresAt    *time.Time
	CreatedByID  *int64
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// MemberRow is a member with the user.
type MemberRow struct {
	Member Member
	Role   *MemberRole // the custom role; nil for none
	User   User
	Maker  *User // the user who added the member, if known
}

// Membership is a role of a user with the name of its group or project.
type Membership struct {
	SourceID    int64
	SourceName  string
	SourceType  string
	AccessLevel Access
}

// AccessRequest is the request of a user to become a member of a group or project.
type AccessRequest struct {
	ID         int64
	SourceType string
	SourceID   int64
	UserID     int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// AccessRequestRow is an access request with the user.
type AccessRequestRow struct {
	Request AccessRequest
	User    User
}

// GroupLink gives the members of one group a role in another.
type GroupLink struct {
	ID                int64
	GroupID           int64
	SharedWithGroupID int64
	AccessLevel       Access
	ExpiresAt         *time.Time
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// GroupShare is a group that another group is shared with, and the highest role that its members get there.
type GroupShare struct {
	GroupID     int64
	Name        string
	FullPath    string
	AccessLevel Access
	ExpiresAt   *time.Time
}

// Invitation is an address whose owner becomes a member of a group or project once they confirm it.
type Invitation struct {
	ID          int64
	SourceType  string
	SourceID    int64
	Email       string
	AccessLevel Access
	ExpiresAt   *time.Time
	TokenDigest []byte
	CreatedByID *int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// InvitationRow is an invitation with the user who invites, if known.
type InvitationRow struct {
	Invitation Invitation
	Maker      *User
}
