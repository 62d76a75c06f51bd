package model

import (
	"encoding/json"
	"time"
)

// MemberRole is a custom role: a role with further permissions, for members of all groups and projects, or of those of one
// top-level group.
type MemberRole struct {
	ID              int64
	GroupID         *int64 // nil for a role of the instance
	Name            string
	Description     *string
	BaseAccessLevel Access
	Permissions     string // a JSON list of names
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// Grants returns the names of the permissions.
func (r MemberRole) Grants() []string {
	var names []string
	_ = json.Unmarshal([]byte(r.Permissions), &names) // we wrote the JSON, so it is valid
	return names
}
