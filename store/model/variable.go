package model

import "time"

// The types of a variable.
const (
	VariableEnv  = "env_var"
	VariableFile = "file"
)

// InstanceVariable is a CI/CD variable of the whole instance.
type InstanceVariable struct {
	ID           int64
	Key          string
	Value        string
	Description  *string
	VariableType string
	Protected    bool
	Masked       bool
	Raw          bool
	CreatedAt    time.Time
	UpdatedAt    time.Time
}
