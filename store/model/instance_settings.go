package model

import (
	"strconv"
	"strings"
	"time"
)

// InstanceSettings is the row of one kind of settings that administrators change while the service runs.
type InstanceSettings struct {
	Kind      string `gorm:"primaryKey"`
	Content   string // a JSON object with what was set
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// TableName returns the table of the rows.
func (InstanceSettings) TableName() string { return "instance_settings" }

// BroadcastMessage is a message of administrators that pages show for a while.
type BroadcastMessage struct {
	ID                 int64
	Message            string
	StartsAt           time.Time
	EndsAt             time.Time
	Color              *string
	Font               *string
	Theme              string
	TargetAccessLevels string // numbers with commas; empty for everybody
	TargetPath         *string
	BroadcastType      string
	Dismissable        bool
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// ActiveAt reports whether the message is shown at a time.
func (m BroadcastMessage) ActiveAt(now time.Time) bool {
	return !now.Before(m.StartsAt) && now.Before(m.EndsAt)
}

// Levels returns the roles of the people who see the message; empty for everybody.
func (m BroadcastMessage) Levels() []Access {
	levels := []Access{}
	for text := range strings.SplitSeq(m.TargetAccessLevels, ",") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			levels = append(levels, Access(n))
		}
	}
	return levels
}
