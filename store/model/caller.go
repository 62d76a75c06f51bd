package model

import "time"

// Caller is what every request knows of the user who makes it. It is read at each request and therefore small; an
// operation that shows or changes a user reads the whole row.
type Caller struct {
	ID             int64
	Username       string
	Name           string
	State          UserState
	Kind           string
	Admin          bool
	Auditor        bool
	External       bool
	LastActivityOn *time.Time
}

// Caller is what a request knows of this user.
func (u User) Caller() Caller {
	return Caller{
		ID: u.ID, Username: u.Username, Name: u.Name, State: u.State, Kind: u.Kind, Admin: u.Admin, Auditor: u.Auditor, External: u.External,
		LastActivityOn: u.LastActivityOn,
	}
}
