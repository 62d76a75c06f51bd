package model

import "time"

// Instance is the one row about the instance itself.
type Instance struct {
	One           int16 `gorm:"primaryKey"`
	ID            string
	KeyCheck      []byte  // sealed with the secret key; nil before the first start with one
	FirstTokenID  *int64  // the token that the first start made, until somebody has used what it printed
	FirstPassword *string // the hash of the password that the first start made up, likewise
	Program       string  // the version that started last
	CreatedAt     time.Time
}

// TableName is where the row is.
func (Instance) TableName() string { return "instance" }

// InstanceStorage is a storage that was marked as this instance's.
type InstanceStorage struct {
	Name      string `gorm:"primaryKey"`
	CreatedAt time.Time
}

// KnownRepository is a repository that has something in it, as far as the database knows.
type KnownRepository struct {
	Kind RepositoryKind
	ID   int64 // of the project, group or snippet
}
