package model

import "time"

// TerraformState is a state of a project that Terraform keeps here, with its lock. A state without a version is only
// locked.
type TerraformState struct {
	ID         int64
	ProjectID  int64
	Name       string
	LockID     *string
	LockInfo   *string // JSON: what Terraform says about the lock
	LockedByID *int64
	LockedAt   *time.Time
	CreatedAt  time.Time
	UpdatedAt  time.Time
}

// TerraformStateVersion is one version of a state.
type TerraformStateVersion struct {
	ID          int64
	StateID     int64
	Serial      int64
	Size        int64
	Checksum    string // SHA-256 in hexadecimal
	Sealed      []byte
	CreatedByID *int64
	CreatedAt   time.Time
}

// SecureFile is a file of a project that jobs need and that must not be in the repository.
type SecureFile struct {
	ID          int64
	ProjectID   int64
	Name        string
	Size        int64
	Checksum    string  // SHA-256 in hexadecimal
	Metadata    *string // JSON: facts about a certificate
	ExpiresAt   *time.Time
	Sealed      []byte
	CreatedByID *int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}
