package model

import "time"

// The states of the update of a mirror.
const (
	MirrorNone     = "none"
	MirrorToRetry  = "to_retry"
	MirrorStarted  = "started"
	MirrorFinished = "finished"
	MirrorFailed   = "failed"
)

// RemoteMirror is a repository on another server that branches and tags of a project are pushed to.
type RemoteMirror struct {
	ID                     int64
	ProjectID              int64
	URL                    string // without credentials
	Sealed                 []byte // the URL with its credentials
	Enabled                bool
	OnlyProtectedBranches  bool
	KeepDivergentRefs      bool
	MirrorBranchRegex      *string
	UpdateStatus           string
	LastUpdateAt           *time.Time
	LastUpdateStartedAt    *time.Time
	LastSuccessfulUpdateAt *time.Time
	LastError              *string
	Failures               int64      // since the last success
	NextAt                 *time.Time // no update is queued before; nil if it may be at any time
	ChangedAt              *time.Time // when the project was pushed to and the mirror not updated since
	CreatedAt              time.Time
	UpdatedAt              time.Time
}

// PullMirror is a repository on another server that a project pulls branches and tags from.
type PullMirror struct {
	ID                               int64
	ProjectID                        int64
	UserID                           *int64 // the user who pushes what was pulled; nil if the account was deleted
	URL                              string // without credentials
	Sealed                           []byte // the URL with its credentials
	Enabled                          bool
	MirrorTriggerBuilds              bool
	OnlyMirrorProtectedBranches      bool
	MirrorOverwritesDivergedBranches bool
	MirrorBranchRegex                *string
	UpdateStatus                     string
	LastUpdateAt                     *time.Time
	LastUpdateStartedAt              *time.Time
	LastSuccessfulUpdateAt           *time.Time
	LastError                        *string
	Failures                         int64      // since the last success
	NextAt                           *time.Time // of the next pull; nil if it is only pulled on demand
	CreatedAt                        time.Time
	UpdatedAt                        time.Time
}
