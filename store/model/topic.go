package model

import "time"

// Topic is a topic of projects.
type Topic struct {
	ID          int64
	Name        string
	LowerName   string // as in ProjectTopic
	Title       string
	Description *string
	Avatar      *string // file name of the picture
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// TopicRow is a topic with the number of its projects.
type TopicRow struct {
	Topic    Topic `gorm:"embedded"`
	Projects int64
}

// TableName returns the table that most columns come from.
func (TopicRow) TableName() string { return "topics" }

// Feature is a feature switch of the instance.
type Feature struct {
	ID        int64
	Name      string
	Gates     string // JSON
	CreatedAt time.Time
	UpdatedAt time.Time
}
