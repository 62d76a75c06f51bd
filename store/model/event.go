package model

import "time"

// The kinds of activity.
const (
	EventCreated   = "created"
	EventUpdated   = "updated"
	EventClosed    = "closed"
	EventReopened  = "reopened"
	EventPushed    = "pushed"
	EventCommented = "commented"
	EventMerged    = "merged"
	EventJoined    = "joined"
	EventLeft      = "left"
	EventDestroyed = "destroyed"
	EventExpired   = "expired"
	EventApproved  = "approved"
)

// Event is an action of a user.
type Event struct {
	ID          int64
	ProjectID   *int64
	AuthorID    int64
	Action      string
	TargetType  *string
	TargetID    *int64
	CommitCount *int64
	PushAction  *string // created, removed or pushed
	RefType     *string // branch or tag
	CommitFrom  *string
	CommitTo    *string
	Ref         *string
	CommitTitle *string
	RefCount    *int64
	CreatedAt   time.Time
}

// AuditInstance is the entity type of changes to the instance itself.
const AuditInstance = "Svc::Audit::InstanceScope"

// AuditEvent records a change and its author.
type AuditEvent struct {
	ID            int64
	AuthorID      int64
	AuthorName    string
	EntityType    string
	EntityID      int64
	EntityPath    string
	EventType     string
	TargetType    string
	TargetID      string
	TargetDetails string
	IPAddress     *string `gorm:"column:ip_address"`
	Details       string
	CreatedAt     time.Time
}

// AuditStreamEvent is an audit event that still has to be delivered to a target.
type AuditStreamEvent struct {
	Target  string `gorm:"primaryKey"`
	EventID int64  `gorm:"primaryKey;autoIncrement:false"`
}

// AuditStream says how far a target of audit events has come.
type AuditStream struct {
	Target      string `gorm:"primaryKey"`
	LastEventID int64  // the last event that was delivered
	DeliveredAt *time.Time
	LeasedUntil *time.Time // until then, one process has the target for itself
}
