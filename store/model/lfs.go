package model

import "time"

// LfsObject is a Git LFS object, stored once for all projects that have it.
type LfsObject struct {
	Oid       string `gorm:"primaryKey"` // SHA-256 of the content, hexadecimal
	Size      int64
	Storage   string // the storage of its bytes
	CreatedAt time.Time
}

// LfsProjectObject is a Git LFS object that a project has.
type LfsProjectObject struct {
	ProjectID int64  `gorm:"primaryKey;autoIncrement:false"`
	Oid       string `gorm:"primaryKey"`
	CreatedAt time.Time
}

// LfsLock is a lock of a user on a file.
type LfsLock struct {
	ID        int64
	ProjectID int64
	UserID    int64
	Path      string
	CreatedAt time.Time
}

// LfsLockRow is a lock with the name of its owner.
type LfsLockRow struct {
	Lock LfsLock `gorm:"embedded"`
	Name string
}

// TableName returns the table that most columns come from.
func (LfsLockRow) TableName() string { return "lfs_locks" }
