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

// ResourceToken is an access token of a group or project with the role that its bot user has there.
type ResourceToken struct {
	Token       PersonalAccessToken `gorm:"embedded"`
	AccessLevel *Access             // nil when the bot is no member any more
}

// TableName is where most of the row comes from.
func (ResourceToken) TableName() string { return "personal_access_tokens" }

// DeployToken opens repositories, packages and images of a group or project, without a user.
type DeployToken struct {
	ID         int64
	SourceType string
	SourceID   int64
	Name       string
	Username   *string // nil for the usual one
	Digest     []byte
	Scopes     string // separated by spaces
	Revoked    bool
	ExpiresAt  *time.Time
	CreatorID  *int64
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Login is the username that belongs to the token.
func (t DeployToken) Login() string {
	if t.Username != nil {
		return *t.Username
	}
	return "svc+deploy-token-" + strconv.FormatInt(t.ID, 10)
}

// ScopeList is the token's scopes, one by one.
func (t DeployToken) ScopeList() []string { return strings.Fields(t.Scopes) }

// Expired tells whether the time of expiry has come.
func (t DeployToken) Expired(now time.Time) bool { return Expired(t.ExpiresAt, now) }
