package model

import "time"

// The types of alert integrations.
const (
	AlertHTTP    = "http"
	AlertMetrics = "metrics"
)

// The identifiers of the integrations whose address contains none.
const (
	LegacyAlerts  = "legacy"
	LegacyMetrics = "legacy-metrics"
)

// AlertIntegration is an endpoint that accepts alerts.
type AlertIntegration struct {
	ID         int64
	ProjectID  int64
	Type       string
	Name       string
	Active     bool
	Identifier string
	Digest     []byte
	Sealed     []byte
	Key        string  `gorm:"-"` // decrypted; set by the reader
	Sample     *string // JSON
	Mapping    *string // JSON
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// Legacy reports whether the endpoint is one of those without a name and an identifier.
func (i AlertIntegration) Legacy() bool {
	return i.Identifier == LegacyAlerts || i.Identifier == LegacyMetrics
}

// AlertSetting says what happens when an alert arrives.
type AlertSetting struct {
	ProjectID      int64 `gorm:"primaryKey"`
	CreateIncident bool
	CloseIncident  bool
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// AlertEndpoint is the part of an integration that is needed to accept an alert.
type AlertEndpoint struct {
	ProjectID     int64
	Public        bool // everybody can see the project
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

// Alert is a problem that a monitoring program reports.
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
	ToldStatus     string // the status that the incident was last updated with
	ToldEvents     int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// AlertAssignee is a user to whom an alert is assigned.
type AlertAssignee struct {
	AlertID int64 `gorm:"primaryKey"`
	UserID  int64 `gorm:"primaryKey"`
}

// AlertRow is an alert with the data that is shown with it.
type AlertRow struct {
	Alert     Alert  `gorm:"embedded"`
	IssueIID  *int64 `gorm:"column:issue_iid"`
	Assignees []User `gorm:"-"`
}

// TableName returns the table that most columns come from.
func (AlertRow) TableName() string { return "alerts" }
