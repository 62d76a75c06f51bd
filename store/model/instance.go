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
	// Until this time, jobs remove no files, because a backup copies them.
	RemovalsHeldUntil *time.Time
	URL               string // the external URL that all processes must have; empty if none was set
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

// StoredRepository is a repository that the database knows.
type StoredRepository struct {
	Kind    RepositoryKind `gorm:"-"`
	ID      int64          // of the project, group or snippet
	Storage string
	Name    string // the full path of the project or group, or the title of the snippet
	Written bool   // it is not empty
	Branch  string // the default branch
	Head    string // the commit of the branch of a wiki or snippet, which decides; the branch on disk follows
}

// StoredFile is a file in the blob store that a row refers to.
type StoredFile struct {
	ID   int64 // of the row
	Key  string
	Size int64
}

// SSHHostKey is a private SSH host key of the instance. All processes have the same ones.
type SSHHostKey struct {
	Name      string `gorm:"primaryKey"` // of its file
	Sealed    []byte // with the secret key
	CreatedAt time.Time
}

// TableName returns the table of the keys.
func (SSHHostKey) TableName() string { return "ssh_host_keys" }
