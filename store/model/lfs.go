package model

import "time"

// LfsObject is a large file, kept once for all projects that have it.
type LfsObject struct {
	Oid       string `gorm:"primaryKey"` // SHA-256 of the content, hexadecimal
	Size      int64
	Storage   string // where its bytes are
	CreatedAt time.Time
}

// LfsProjectObject is a large file that a project has.
type LfsProjectObject struct {
	ProjectID int64  `gorm:"primaryKey;autoIncrement:false"`
	Oid       string `gorm:"primaryKey"`
	CreatedAt time.Time
}

// LfsLock is a file that a user works on.
type LfsLock struct {
	ID        int64
	ProjectID int64
	UserID    int64
	Path      string
	CreatedAt time.Time
}

// LfsLockRow is a lock with the name of who holds it.
type LfsLockRow struct {
	Lock LfsLock `gorm:"embedded"`
	Name string
}

// TableName is where most of the row comes from.
func (LfsLockRow) TableName() string { return "lfs_locks" }
