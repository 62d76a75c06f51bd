package model

import "time"

// ClusterAgent is a program in a cluster that acts for a project.
type ClusterAgent struct {
	ID        int64
	ProjectID int64
	UserID    *int64 // the user who registered it
	Name      string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// ClusterAgentToken is a token of a cluster agent.
type ClusterAgentToken struct {
	ID          int64
	AgentID     int64
	UserID      *int64 // the user who created it
	Name        string
	Description *string
	Digest      []byte
	Revoked     bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
}
