package model

import "time"

// Caller is the data about the current user that every request has. It is read for each request and therefore small; an
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
	LockedAt       *time.Time
	Avatar         *string
}

// Basic returns the user with what other resources show of their users: the name, the state and the avatar.
func (c Caller) Basic() User {
	return User{ID: c.ID, Username: c.Username, Name: c.Name, State: c.State, Kind: c.Kind, LockedAt: c.LockedAt, Avatar: c.Avatar}
}

// Caller returns the data of this user that a request has.
func (u User) Caller() Caller {
	return Caller{
		ID: u.ID, Username: u.Username, Name: u.Name, State: u.State, Kind: u.Kind, Admin: u.Admin, Auditor: u.Auditor,
		External:       u.External,
		LastActivityOn: u.LastActivityOn, LockedAt: u.LockedAt, Avatar: u.Avatar,
	}
}
