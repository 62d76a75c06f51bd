package model

import "time"

// The kinds of a namespace.
const (
	NamespaceUser  = "user"
	NamespaceGroup = "group"
)

// Visibility says which users besides the members can see a group or project.
type Visibility int64

// The levels of visibility.
const (
	Private  Visibility = 0
	Internal Visibility = 10
	Public   Visibility = 20
)

// String returns the level as in the API.
func (v Visibility) String() string {
	switch v {
	case Public:
		return "public"
	case Internal:
		return "internal"
	default:
		return "private"
	}
}

// Namespace contains projects: it is the personal namespace of a user, or a group.
type Namespace struct {
	ID                             int64
	Kind                           string
	Name                           string
	Path                           string
	ParentID                       *int64
	FullPath                       string
	FullName                       string
	Description                    string
	Visibility                     Visibility
	ShareWithGroupLock             bool
	RequireTwoFactorAuthentication bool
	TwoFactorGracePeriod           int64
	TwoFactorRequiredAt            *time.Time // since when it is required; nil if it is not
	ProjectCreationLevel           string
	SubgroupCreationLevel          string
	AutoDevopsEnabled              *bool
	MentionsDisabled               *bool
	EmailsDisabled                 bool
	LfsEnabled                     bool
	DefaultBranchProtection        int64
	RequestAccessEnabled           bool
	SharedRunnersSetting           string
	PreventSharingOutsideHierarchy bool
	MavenDuplicatesAllowed         bool   // a file can be published again
	MavenDuplicateExceptionRegex   string // packages for which the opposite holds; empty for none
	GenericDuplicatesAllowed       bool
	GenericDuplicateExceptionRegex string
	Avatar                         *string    // file name of the picture; that of a user is in the user's row
	MarkedForDeletionAt            *time.Time // nil if the group is not marked for deletion
	CreatedAt                      time.Time
	UpdatedAt                      time.Time
}

// DefaultNamespace returns a new namespace whose name and parent are not set yet.
func DefaultNamespace(kind string) Namespace {
	return Namespace{
		Kind: kind, Visibility: Public, TwoFactorGracePeriod: 48, ProjectCreationLevel: "developer", SubgroupCreationLevel: "maintainer",
		MavenDuplicatesAllowed: true, GenericDuplicatesAllowed: true, LfsEnabled: true, DefaultBranchProtection: 2,
		RequestAccessEnabled: true, SharedRunnersSetting: "enabled",
	}
}

// GroupSize has the sums of the sizes of all projects in a group and below it, in bytes.
type GroupSize struct {
	GroupID          int64
	RepositorySize   int64
	LfsObjectsSize   int64
	JobArtifactsSize int64
	PackagesSize     int64
	UploadsSize      int64
}

// NamespaceAncestor says that a namespace is in another, or is the same (depth 0).
type NamespaceAncestor struct {
	DescendantID int64
	AncestorID   int64
	Depth        int64
}
