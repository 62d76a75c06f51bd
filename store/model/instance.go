package model

import "time"

// Instance is the single row about the instance itself.
type Instance struct {
	One           int16 `gorm:"primaryKey"`
	ID            string
	KeyCheck      []byte  // sealed with the secret key; nil before the first start with one
	FirstTokenID  *int64  // the token that the first start made, until somebody has used the token or password that it printed
	FirstPassword *string // the hash of the password that the first start made, likewise
	Program       string  // the version that started last
	CreatedAt     time.Time
}

// TableName returns the table of the row.
func (Instance) TableName() string { return "instance" }

// InstanceStorage is a storage that has the mark of this instance.
type InstanceStorage struct {
	Name      string `gorm:"primaryKey"`
	CreatedAt time.Time
}

// KnownRepository is a repository that is not empty, according to the database.
type KnownRepository struct {
	Kind RepositoryKind
	ID   int64 // of the project, group or snippet
}
