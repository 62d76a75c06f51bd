package model

import "time"

// FreezePeriod is a time in which a project does not want deployments. It recurs: it begins at each time of one cron
// expression and ends at the next time of another.
type FreezePeriod struct {
	ID           int64
	ProjectID    int64
	FreezeStart  string
	FreezeEnd    string
	CronTimezone string
	CreatedAt    time.Time
	UpdatedAt    time.Time
}
