package model

import "time"

// JobTokenScope says whether a project keeps a list of whose jobs it lets in. Without a row it does.
type JobTokenScope struct {
	ProjectID      int64 `gorm:"primaryKey;autoIncrement:false"`
	InboundEnabled bool
}

// JobTokenProject is a project whose jobs another one lets in.
type JobTokenProject struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	AllowedID int64 `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}

// JobTokenGroup is a group whose projects' jobs a project lets in.
type JobTokenGroup struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	GroupID   int64 `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}
