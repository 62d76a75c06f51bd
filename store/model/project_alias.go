package model

import "time"

// ProjectAlias is a short name by which git clients find a project.
type ProjectAlias struct {
	ID        int64
	ProjectID int64
	Name      string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// The ways in which a user takes part in a group, by precedence.
const (
	InGroup          = "group_member"
	ByGroupInvite    = "group_invite"
	InProjectOfGroup = "project_member"
	ByProjectInvite  = "project_invite"
)

// BillableMember is a user who takes part in a group, its subgroups or its projects.
type BillableMember struct {
	UserID         int64
	MembershipType string
	User           User `gorm:"-"`
}

// PlaceMembership is a membership of a user in a group or project, with the place.
type PlaceMembership struct {
	ID          int64
	SourceType  string
	SourceID    int64
	FullName    string
	FullPath    string
	AccessLevel Access
	ExpiresAt   *time.Time
	CreatedAt   time.Time
}
