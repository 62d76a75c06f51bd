package model

import (
	"strconv"
	"strings"
	"time"
)

// Bot says which group or project a bot user belongs to.
type Bot struct {
	UserID     int64 `gorm:"primaryKey;autoIncrement:false"`
	SourceType string
	SourceID   int64
	CreatedAt  time.Time
}

// ResourceToken is an access token of a group or project with the role of its bot user.
type ResourceToken struct {
	Token       PersonalAccessToken `gorm:"embedded"`
	AccessLevel *Access             // nil if the bot is not a member any more
}

// TableName returns the table that most columns come from.
func (ResourceToken) TableName() string { return "personal_access_tokens" }

// DeployToken gives access to repositories, packages and images of a group or project, without a user.
type DeployToken struct {
	ID         int64
	SourceType string
	SourceID   int64
	Name       string
	Username   *string // nil for the default one
	Digest     []byte
	Scopes     string // separated by spaces
	Revoked    bool
	ExpiresAt  *time.Time
	CreatorID  *int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Login returns the username of the token.
func (t DeployToken) Login() string {
	if t.Username != nil {
		return *t.Username
	}
	return "svc+deploy-token-" + strconv.FormatInt(t.ID, 10)
}

// ScopeList returns the scopes of the token as a list.
func (t DeployToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// Expired reports whether the token has expired.
func (t DeployToken) Expired(now time.Time) bool { return Expired(t.ExpiresAt, now) }

// ServiceAccount says which group or project a service account belongs to. SourceType is empty for one of the instance.
type ServiceAccount struct {
	UserID     int64 `gorm:"primaryKey;autoIncrement:false"`
	SourceType string
	SourceID   int64
	CreatedAt  time.Time
}
