package model

import "time"

// FeatureFlag is a switch of a project that programs read while they run.
type FeatureFlag struct {
	ID          int64
	ProjectID   int64
	Name        string
	Description *string
	Active      bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// FeatureFlagStrategy is a rule that decides for whom a feature flag is on.
type FeatureFlagStrategy struct {
	ID            int64
	FeatureFlagID int64
	Name          string
	Parameters    string // JSON: an object of texts
	UserListID    *int64
}

// FeatureFlagScope names the environments for which a strategy applies.
type FeatureFlagScope struct {
	ID               int64
	StrategyID       int64
	EnvironmentScope string
}

// FeatureFlagUserList is a list of users that strategies can name.
type FeatureFlagUserList struct {
	ID        int64
	ProjectID int64
	IID       int64 `gorm:"column:iid"`
	Name      string
	UserXIDs  string `gorm:"column:user_xids"` // IDs of the users, separated by commas
	CreatedAt time.Time
	UpdatedAt time.Time
}

// FeatureFlagClient is the secret with which programs read the feature flags of a project.
type FeatureFlagClient struct {
	ProjectID  int64 `gorm:"primaryKey;autoIncrement:false"`
	Digest     []byte
	Sealed     []byte
	InstanceID string `gorm:"-"` // decrypted; set by the reader
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// FeatureFlagRow is a feature flag with its strategies, the oldest first.
type FeatureFlagRow struct {
	FeatureFlag
	Strategies []FeatureFlagStrategyRow
}

// FeatureFlagStrategyRow is a strategy with its scopes and its user list.
type FeatureFlagStrategyRow struct {
	FeatureFlagStrategy
	Scopes   []FeatureFlagScope
	UserList *FeatureFlagUserList
}
