package model

import "time"

// GroupProtectedBranch says which roles may push to branches of the projects of a group, and merge into them.
type GroupProtectedBranch struct {
	ID                   int64
	GroupID              int64
	Name                 string
	PushAccessLevel      Access
	MergeAccessLevel     Access
	UnprotectAccessLevel Access
	AllowForcePush       bool
	CreatedAt            time.Time
	UpdatedAt            time.Time
}

// AsBranch returns the rule in the form of a rule of a project. It has no project.
func (b GroupProtectedBranch) AsBranch() ProtectedBranch {
	return ProtectedBranch{
		ID: b.ID, Name: b.Name, PushAccessLevel: b.PushAccessLevel, MergeAccessLevel: b.MergeAccessLevel,
		UnprotectAccessLevel: b.UnprotectAccessLevel, AllowForcePush: b.AllowForcePush, CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
	}
}
