package model

import "time"

// JobTokenScope says whether a project limits whose job tokens may access it. Without a row it does.
type JobTokenScope struct {
	ProjectID      int64 `gorm:"primaryKey;autoIncrement:false"`
	InboundEnabled bool
}

// JobTokenProject is a project whose job tokens may access another project.
type JobTokenProject struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	AllowedID int64 `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}

// JobTokenGroup is a group whose projects' job tokens may access a project.
type JobTokenGroup struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	GroupID   int64 `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}
