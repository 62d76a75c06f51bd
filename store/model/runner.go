package model

import "time"

// The types of runners.
const (
	InstanceRunner = "instance_type"
	GroupRunner    = "group_type"
	ProjectRunner  = "project_type"
)

// The times after the last contact that decide the status of a runner.
const (
	RunnerOnlineFor  = 2 * time.Hour
	RunnerStaleAfter = 91 * 24 * time.Hour
)

// ContactStatus returns the status of a runner or a runner manager that follows from its last contact alone: online,
// offline, stale or never_contacted.
func ContactStatus(contacted *time.Time, created, now time.Time) string {
	last := created
	if contacted != nil {
		last = *contacted
	}
	switch {
	case now.Sub(last) > RunnerStaleAfter:
		return "stale"
	case contacted == nil:
		return "never_contacted"
	case now.Sub(last) < RunnerOnlineFor:
		return "online"
	}
	return "offline"
}

// Runner runs jobs. Its version, platform and so on are those that its runner manager reported last.
type Runner struct {
	ID              int64
	RunnerType      string
	GroupID         *int64
	CreatorID       *int64
	Digest          string // of its token
	TokenExpiresAt  *time.Time
	Description     *string
	Paused          bool
	Locked          bool
	RunUntagged     bool
	AccessLevel     string // not_protected or ref_protected
	MaximumTimeout  *int64 // seconds
	MaintenanceNote *string
	Tags            string // as JSON, sorted
	Name            *string
	Version         *string
	Revision        *string
	Platform        *string
	Architecture    *string
	IPAddress       *string
	ContactedAt     *time.Time
	CreatedAt       time.Time
	UpdatedAt       time.Time
}

// RunnerProject is a project that a project runner works for.
type RunnerProject struct {
	RunnerID  int64 `gorm:"primaryKey;autoIncrement:false"`
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}

// RunnerManager is a machine that uses the token of a runner.
type RunnerManager struct {
	ID           int64
	RunnerID     int64
	SystemID     string
	Version      *string
	Revision     *string
	Platform     *string
	Architecture *string
	IPAddress    *string
	ContactedAt  *time.Time
	CreatedAt    time.Time
}

// RegistrationToken is a token for the old way to register runners. Without group and project it belongs to the
// instance.
type RegistrationToken struct {
	ID        int64
	GroupID   *int64
	ProjectID *int64
	Digest    string
	CreatedAt time.Time
}
