package model

import "time"

// The types of alert integrations.
const (
	AlertHTTP    = "http"
	AlertMetrics = "metrics"
)

// The identifiers of the addresses that have none in them.
const (
	LegacyAlerts  = "legacy"
	LegacyMetrics = "legacy-metrics"
)

// AlertIntegration is an address that takes alerts in.
type AlertIntegration struct {
	ID         int64
	ProjectID  int64
	Type       string
	Name       string
	Active     bool
	Identifier string
	Digest     []byte
	Sealed     []byte
	Key        string  `gorm:"-"` // when it was opened
	Sample     *string // JSON
	Mapping    *string // JSON
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Legacy tells whether the address is the one without a name and an identifier.
func (i AlertIntegration) Legacy() bool {
	return i.Identifier == LegacyAlerts || i.Identifier == LegacyMetrics
}

// AlertSetting is what follows when an alert comes.
type AlertSetting struct {
	ProjectID      int64 `gorm:"primaryKey"`
	CreateIncident bool
	CloseIncident  bool
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// AlertEndpoint is an address as far as one who sends to it needs to know.
type AlertEndpoint struct {
	ProjectID     int64
	Public        bool // everybody sees the project
	Archived      bool
	IntegrationID int64 // 0 for none
	Active        bool
	Digest        []byte
	Mapping       string
	WantsIncident bool
}

// The states of an alert.
const (
	AlertTriggered    = "triggered"
	AlertAcknowledged = "acknowledged"
	AlertResolved     = "resolved"
	AlertIgnored      = "ignored"
)

// Alert is something that a program reports.
type Alert struct {
	ID             int64
	ProjectID      int64
	IID            int64 `gorm:"column:iid"`
	Format         string
	Title          string
	Description    string
	Severity       string
	Status         string
	Service        string
	MonitoringTool string
	Environment    string
	Hosts          string // JSON
	Fingerprint    *string
	Events         int64
	Payload        string
	StartedAt      time.Time
	EndedAt        *time.Time
	WantsIncident  bool
	IssueID        *int64
	ToldStatus     string // what the incident was told of last
	ToldEvents     int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// AlertAssignee is who takes care of an alert.
type AlertAssignee struct {
	AlertID int64 `gorm:"primaryKey"`
	UserID  int64 `gorm:"primaryKey"`
}

// AlertRow is an alert with what it is shown with.
type AlertRow struct {
	Alert     Alert  `gorm:"embedded"`
	IssueIID  *int64 `gorm:"column:issue_iid"`
	Assignees []User `gorm:"-"`
}

// TableName is where most of the row comes from.
func (AlertRow) TableName() string { return "alerts" }
