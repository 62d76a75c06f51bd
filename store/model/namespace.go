package model

import "time"

// The kinds of a namespace.
const (
	NamespaceUser  = "user"
	NamespaceGroup = "group"
)

// Visibility says who sees a group or project beside its members.
type Visibility int64

// The levels of visibility.
const (
	Private  Visibility = 0
	Internal Visibility = 10
	Public   Visibility = 20
)

// String is the level as callers write it.
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

// Namespace is a place that projects live in: a user's own or a group.
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
	Avatar                         *string // name of the picture's file; a user's is with the user
	CreatedAt                      time.Time
	UpdatedAt                      time.Time
}

// DefaultNamespace is a new namespace before its name and place are filled in.
func DefaultNamespace(kind string) Namespace {
	return Namespace{
		Kind: kind, Visibility: Public, TwoFactorGracePeriod: 48, ProjectCreationLevel: "developer", SubgroupCreationLevel: "maintainer",
		LfsEnabled: true, DefaultBranchProtection: 2, RequestAccessEnabled: true, SharedRunnersSetting: "enabled",
	}
}

// NamespaceAncestor says that a namespace lies in another, or is it (depth 0).
type NamespaceAncestor struct {
	DescendantID int64
	AncestorID   int64
	Depth        int64
}
