package model

import "time"

// PushRule says what the commits, branches and files of a push must look like. It belongs to a project or to a group. The
// rule of a group is copied into projects that are created in the group.
type PushRule struct {
	ID                         int64
	ProjectID                  *int64
	GroupID                    *int64
	CommitMessageRegex         string // an empty expression allows everything
	CommitMessageNegativeRegex string
	BranchNameRegex            string
	AuthorEmailRegex           string
	FileNameRegex              string
	MaxFileSize                int64 // megabytes; 0 means no limit
	DenyDeleteTag              bool
	MemberCheck                bool
	PreventSecrets             bool
	CommitCommitterCheck       *bool // nil until a caller sets it
	CommitCommitterNameCheck   bool
	RejectUnsignedCommits      *bool // nil until a caller sets it
	RejectNonDcoCommits        *bool // nil until a caller sets it
	CreatedAt                  time.Time
	UpdatedAt                  time.Time
}
