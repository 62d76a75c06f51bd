package model

import "time"

// ProjectVariable is a CI/CD variable of a project.
type ProjectVariable struct {
	ID               int64
	ProjectID        int64
	Key              string
	Value            string
	VariableType     string
	Protected        bool // only for jobs of protected branches and tags
	Masked           bool // replaced in logs
	Raw              bool
	Hidden           bool   // the API does not show the value any more
	EnvironmentScope string // a name, or a pattern with *
	Description      *string
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// GroupVariable is a CI/CD variable of a group and everything in it.
type GroupVariable struct {
	ID               int64
	GroupID          int64
	Key              string
	Value            string
	VariableType     string
	Protected        bool
	Masked           bool
	Raw              bool
	Hidden           bool
	EnvironmentScope string
	Description      *string
	CreatedAt        time.Time
	UpdatedAt        time.Time
}

// OwnedVariable is a variable of a project or group, without its owner.
type OwnedVariable struct {
	ID               int64
	Key              string
	Value            string
	VariableType     string
	Protected        bool
	Masked           bool
	Raw              bool
	Hidden           bool
	EnvironmentScope string
	Description      *string
	CreatedAt        time.Time
	UpdatedAt        time.Time
}
