package model

import (
	"strings"
	"time"
)

// FeatureAccess says which users can use a feature of a project.
type FeatureAccess string

// The access levels of a feature.
const (
	FeatureDisabled FeatureAccess = "disabled" // nobody
	FeaturePrivate  FeatureAccess = "private"  // members
	FeatureEnabled  FeatureAccess = "enabled"  // everybody who can see the project
	FeaturePublic   FeatureAccess = "public"   // everybody; only for Pages and packages
)

// The states of copying a repository into a project.
const (
	ImportNone      = "none"
	ImportScheduled = "scheduled"
	ImportStarted   = "started"
	ImportFinished  = "finished"
	ImportFailed    = "failed"
)

// Project is a repository with everything that belongs to it.
type Project struct {
	ID                                        int64
	NamespaceID                               int64
	CreatorID                                 *int64
	Name                                      string
	Path                                      string
	FullPath                                  string
	FullName                                  string
	Description                               *string
	Visibility                                Visibility
	Archived                                  bool
	DefaultBranch                             string
	Topics                                    string
	StarCount                                 int64
	ForksCount                                int64
	ForkedFromID                              *int64
	ImportStatus                              string
	ImportType                                *string
	ImportURL                                 *string // without credentials
	ImportError                               *string
	RepositoryStorage                         string
	IssuesAccessLevel                         FeatureAccess
	RepositoryAccessLevel                     FeatureAccess
	MergeRequestsAccessLevel                  FeatureAccess
	ForkingAccessLevel                        FeatureAccess
	WikiAccessLevel                           FeatureAccess
	BuildsAccessLevel                         FeatureAccess
	SnippetsAccessLevel                       FeatureAccess
	PagesAccessLevel                          FeatureAccess
	AnalyticsAccessLevel                      FeatureAccess
	ContainerRegistryAccessLevel              FeatureAccess
	SecurityAndComplianceAccessLevel          FeatureAccess
	ReleasesAccessLevel                       FeatureAccess
	EnvironmentsAccessLevel                   FeatureAccess
	FeatureFlagsAccessLevel                   FeatureAccess
	InfrastructureAccessLevel                 FeatureAccess
	MonitorAccessLevel                        FeatureAccess
	ModelExperimentsAccessLevel               FeatureAccess
	PackageRegistryAccessLevel                FeatureAccess
	ResolveOutdatedDiffDiscussions            bool
	EmailsDisabled                            bool
	SharedRunnersEnabled                      bool
	GroupRunnersEnabled                       bool
	LfsEnabled                                bool
	CiConfigPath                              *string
	CiDefaultGitDepth                         int64
	CiForwardDeploymentEnabled                bool
	CiJobTokenScopeEnabled                    bool
	CiSeparatedCaches                         bool
	CiAllowForkPipelinesToRunInParentProject  bool
	BuildGitStrategy                          string
	BuildTimeout                              int64
	AutoCancelPendingPipelines                string
	PublicJobs                                bool
	KeepLatestArtifact                        bool
	RestrictUserDefinedVariables              bool
	OnlyAllowMergeIfPipelineSucceeds          bool
	AllowMergeOnSkippedPipeline               *bool
	RequestAccessEnabled                      bool
	OnlyAllowMergeIfAllDiscussionsAreResolved bool
	OnlyAllowMergeIfAllStatusChecksPassed     bool
	RemoveSourceBranchAfterMerge              bool
	PrintingMergeRequestLinkEnabled           bool
	MergeMethod                               string
	SquashOption                              string
	EnforceAuthChecksOnUploads                bool
	SuggestionCommitMessage                   *string
	MergeCommitTemplate                       *string
	SquashCommitTemplate                      *string
	IssueBranchTemplate                       *string
	AutoDevopsEnabled                         bool
	AutoDevopsDeployStrategy                  string
	AutocloseReferencedIssues                 bool
	CreatedAt                                 time.Time
	UpdatedAt                                 time.Time
	LastActivityAt                            time.Time
	Avatar                                    *string // file name of the picture
	EmptyRepo                                 bool    // nothing was pushed yet
	RepositoryReadOnly                        bool    // true while it is moved
	RepositorySize                            int64
	CommitCount                               int64
	ReadmePath                                *string // in the root of the default branch
	LfsObjectsSize                            int64
	JobArtifactsSize                          int64 `gorm:"->"` // the database keeps this sum and the next two
	PackagesSize                              int64 `gorm:"->"`
	UploadsSize                               int64 `gorm:"->"`
	OpenIssuesCount                           int64 // of issues that are not confidential
	OpenConfidentialIssuesCount               int64
	Version                                   int64      `gorm:"->"` // changes with every update; the database sets it
	MarkedForDeletionAt                       *time.Time // nil if the project is not marked for deletion
}

// DefaultProject returns a new project whose name and namespace are not set yet.
func DefaultProject() Project {
	return Project{
		EmptyRepo: true, Visibility: Private, DefaultBranch: "main", RepositoryStorage: "default", ImportStatus: ImportNone,
		IssuesAccessLevel: FeatureEnabled, RepositoryAccessLevel: FeatureEnabled, MergeRequestsAccessLevel: FeatureEnabled,
		ForkingAccessLevel: FeatureEnabled, WikiAccessLevel: FeatureEnabled, BuildsAccessLevel: FeatureEnabled,
		SnippetsAccessLevel: FeatureEnabled, PagesAccessLevel: FeaturePrivate, AnalyticsAccessLevel: FeatureEnabled,
		ContainerRegistryAccessLevel: FeatureEnabled, SecurityAndComplianceAccessLevel: FeaturePrivate, ReleasesAccessLevel: FeatureEnabled,
		EnvironmentsAccessLevel: FeatureEnabled, FeatureFlagsAccessLevel: FeatureEnabled, InfrastructureAccessLevel: FeatureEnabled,
		MonitorAccessLevel: FeatureEnabled, ModelExperimentsAccessLevel: FeatureEnabled,
		PackageRegistryAccessLevel: FeatureEnabled, SharedRunnersEnabled: true, GroupRunnersEnabled: true, LfsEnabled: true,
		CiDefaultGitDepth: 20, CiForwardDeploymentEnabled: true, CiSeparatedCaches: true, CiAllowForkPipelinesToRunInParentProject: true,
		BuildGitStrategy: "fetch", BuildTimeout: 3600, AutoCancelPendingPipelines: "enabled", PublicJobs: true, KeepLatestArtifact: true,
		RequestAccessEnabled: true, RemoveSourceBranchAfterMerge: true, PrintingMergeRequestLinkEnabled: true, MergeMethod: "merge",
		SquashOption: "default_off", EnforceAuthChecksOnUploads: true, AutoDevopsDeployStrategy: "continuous",
		AutocloseReferencedIssues: true,
	}
}

// TopicList returns the topics of a project in their original order.
func (p Project) TopicList() []string {
	if p.Topics == "" {
		return []string{}
	}
	return strings.Split(p.Topics, ",")
}

// Place is what a project shows of its namespace.
type Place struct {
	ID       int64
	Kind     string
	Name     string
	Path     string
	FullPath string
	ParentID *int64
	Avatar   *string

	DefaultBranchProtection int64
}

// Origin is what a fork shows of the project that it was forked from, if the reader can see that project.
type Origin struct {
	ID       *int64
	Name     *string
	FullName *string
	Path     *string
	FullPath *string
}

// ProjectOwner is the user in whose personal namespace a project is.
type ProjectOwner struct {
	ID       *int64
	Username *string
	Name     *string
	State    *UserState
	LockedAt *time.Time
	Avatar   *string
}

// ProjectRow is a project as one reader sees it.
type ProjectRow struct {
	Project   Project      `gorm:"embedded"`
	Place     Place        `gorm:"embedded;embeddedPrefix:place_"`
	Owner     ProjectOwner `gorm:"embedded;embeddedPrefix:owner_"`
	Origin    Origin       `gorm:"embedded;embeddedPrefix:origin_"`
	Direct    Access       // the reader's role in the project itself
	Inherited Access       // the reader's role through its groups, and through groups that it is shared with
	Admin     bool         `gorm:"-"` // the reader is an administrator
	SignedIn  bool         `gorm:"-"`
}

// TableName returns the table that most columns come from.
func (ProjectRow) TableName() string { return "projects" }

// Role returns the reader's highest role. Administrators are owners of everything.
func (r ProjectRow) Role() Access {
	if r.Admin {
		return Owner
	}
	return max(r.Direct, r.Inherited)
}

// ReadsCode reports whether the reader may read the repository: members from reporter on and, unless it is for members
// only, everybody who can see a project that is not private.
func (r ProjectRow) ReadsCode() bool {
	switch r.Project.RepositoryAccessLevel {
	case FeatureDisabled:
		return r.Admin
	case FeaturePrivate:
		return r.Role() >= Reporter
	}
	return r.Role() >= Reporter || r.Project.Visibility > Private
}

// CodeVisibility returns the visibility of the repository: that of the project or, if the repository is for members
// only, private.
func (p Project) CodeVisibility() Visibility {
	if p.RepositoryAccessLevel != FeatureEnabled {
		return Private
	}
	return p.Visibility
}

// ReadsJobs reports whether the reader may see pipelines and jobs: reporters and, if jobs are public, everybody who can
// see the project, unless CI is for members only. Jobs show commits, so if the code is for members only, or for nobody,
// readers who may not read the code may not see jobs either.
func (r ProjectRow) ReadsJobs() bool {
	if r.Project.RepositoryAccessLevel != FeatureEnabled && !r.ReadsCode() {
		return false
	}
	switch r.Project.BuildsAccessLevel {
	case FeatureDisabled:
		return r.Admin
	case FeaturePrivate:
		return r.Role() >= Reporter || r.Project.PublicJobs && r.Role() >= Guest
	}
	return r.Role() >= Reporter || r.Project.PublicJobs
}

// ReadsIssues reports whether the reader may see issues: members and, unless issues are for members only, everybody who
// can see the project.
func (r ProjectRow) ReadsIssues() bool { return r.reads(r.Project.IssuesAccessLevel) }

// ReadsSnippets reports the same for snippets. A single snippet may be visible to fewer readers.
func (r ProjectRow) ReadsSnippets() bool { return r.reads(r.Project.SnippetsAccessLevel) }

// ReadsWiki reports the same for the wiki.
func (r ProjectRow) ReadsWiki() bool { return r.reads(r.Project.WikiAccessLevel) }

// ReadsReleases reports the same for releases. Tags, commits and sources need ReadsCode besides.
func (r ProjectRow) ReadsReleases() bool { return r.reads(r.Project.ReleasesAccessLevel) }

// ReadsFeatureFlags reports the same for feature flags, which need the Developer role besides.
func (r ProjectRow) ReadsFeatureFlags() bool { return r.reads(r.Project.FeatureFlagsAccessLevel) }

// ReadsInfrastructure reports the same for Terraform states, which need the Developer role besides.
func (r ProjectRow) ReadsInfrastructure() bool { return r.reads(r.Project.InfrastructureAccessLevel) }

func (r ProjectRow) reads(part FeatureAccess) bool {
	switch part {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.Role() >= Guest
	}
	return true
}

// ReadsPages reports whether the reader may see the Pages site of the project: members and, unless it is for members
// only, everybody who can see the project.
func (r ProjectRow) ReadsPages() bool {
	switch r.Project.PagesAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.Role() >= Guest
	}
	return true
}

// ReadsPackages reports whether the reader may read packages: members from reporter on; unless packages are for members
// only, everybody who can see a project that is not private; and everybody if packages are public.
func (r ProjectRow) ReadsPackages() bool {
	switch r.Project.PackageRegistryAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.Role() >= Reporter
	case FeaturePublic:
		return true
	}
	return r.Role() >= Reporter || r.Project.Visibility > Private
}

// SeesConfidential reports whether the reader can see all confidential issues. Others see those that they wrote or are
// assigned to.
func (r ProjectRow) SeesConfidential() bool { return r.Role() >= Reporter }

// ReadsMergeRequests reports whether the reader may see merge requests, which requires reading the repository.
func (r ProjectRow) ReadsMergeRequests() bool {
	switch r.Project.MergeRequestsAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.ReadsCode() && r.Role() >= Reporter
	}
	return r.ReadsCode()
}

// MayFork reports whether the reader may fork the project: readers of the code, unless forking is disabled or for
// members only.
func (r ProjectRow) MayFork() bool {
	switch r.Project.ForkingAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.ReadsCode() && r.Role() >= Guest
	}
	return r.ReadsCode()
}

// MayPropose reports whether the reader may open merge requests: developers from here, all others from a fork.
func (r ProjectRow) MayPropose() bool {
	if !r.SignedIn || r.Project.Archived || r.Project.MergeRequestsAccessLevel == FeatureDisabled {
		return false
	}
	if r.Project.MergeRequestsAccessLevel == FeaturePrivate && r.Role() < Guest {
		return false
	}
	return r.Role() >= Developer || r.ReadsCode()
}

// ProjectRedirect is a former path of a project.
type ProjectRedirect struct {
	Path      string `gorm:"primaryKey"`
	ProjectID int64
	CreatedAt time.Time
}

// ProjectTopic is a topic of a project, in lower case.
type ProjectTopic struct {
	ProjectID int64  `gorm:"primaryKey"`
	Name      string `gorm:"primaryKey"`
}

// ProjectStar is a project that a user has starred.
type ProjectStar struct {
	UserID    int64 `gorm:"primaryKey"`
	ProjectID int64 `gorm:"primaryKey"`
	CreatedAt time.Time
}

// Starrer is a user who has starred a project, with the time.
type Starrer struct {
	User  User `gorm:"embedded"`
	Since time.Time
}

// TableName returns the table that most columns come from.
func (Starrer) TableName() string { return "users" }

// ProjectLink gives the members of a group a role in a project.
type ProjectLink struct {
	ID          int64
	ProjectID   int64
	GroupID     int64
	AccessLevel Access
	ExpiresAt   *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// ProjectLanguage is a language of a project's repository, with its share of the bytes in percent.
type ProjectLanguage struct {
	ProjectID int64  `gorm:"primaryKey"`
	Name      string `gorm:"primaryKey"`
	Share     float64
}

// ProjectReader is a user with their role in a project.
type ProjectReader struct {
	UserID   int64
	Username string
	Admin    bool
	External bool
	Human    bool
	Role     Access
}

// Row returns a project as that user sees it.
func (r ProjectReader) Row(p Project) ProjectRow {
	return ProjectRow{Project: p, Direct: r.Role, Admin: r.Admin, SignedIn: true}
}
