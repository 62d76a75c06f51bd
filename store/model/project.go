package model

import (
	"strings"
	"time"
)

// FeatureAccess says who reaches a part of a project.
type FeatureAccess string

// The levels of a part of a project.
const (
	FeatureDisabled FeatureAccess = "disabled" // nobody
	FeaturePrivate  FeatureAccess = "private"  // members
	FeatureEnabled  FeatureAccess = "enabled"  // everybody who sees the project
	FeaturePublic   FeatureAccess = "public"   // everybody; only of pages
)

// How far the copying of a repository into a project is.
const (
	ImportNone      = "none"
	ImportScheduled = "scheduled"
	ImportFinished  = "finished"
	ImportFailed    = "failed"
)

// Project is a repository with all that belongs to it.
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
	PackagesEnabled                           bool
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
	Avatar                                    *string // name of the picture's file
	EmptyRepo                                 bool    // nothing was pushed yet
	RepositoryReadOnly                        bool    // while it is moved
	RepositorySize                            int64
	CommitCount                               int64
	ReadmePath                                *string // in the root of the default branch
	LfsObjectsSize                            int64
	OpenIssuesCount                           int64 // of those that everybody sees who sees issues
	OpenConfidentialIssuesCount               int64
	Version                                   int64 `gorm:"->"` // another one after every change; the database sees to it
}

// DefaultProject is a new project before its name and place are filled in.
func DefaultProject() Project {
	return Project{
		EmptyRepo: true, Visibility: Private, DefaultBranch: "main", RepositoryStorage: "default", ImportStatus: ImportNone,
		IssuesAccessLevel: FeatureEnabled, RepositoryAccessLevel: FeatureEnabled, MergeRequestsAccessLevel: FeatureEnabled,
		ForkingAccessLevel: FeatureEnabled, WikiAccessLevel: FeatureEnabled, BuildsAccessLevel: FeatureEnabled,
		SnippetsAccessLevel: FeatureEnabled, PagesAccessLevel: FeaturePrivate, AnalyticsAccessLevel: FeatureEnabled,
		ContainerRegistryAccessLevel: FeatureEnabled, SecurityAndComplianceAccessLevel: FeaturePrivate, ReleasesAccessLevel: FeatureEnabled,
		EnvironmentsAccessLevel: FeatureEnabled, FeatureFlagsAccessLevel: FeatureEnabled, InfrastructureAccessLevel: FeatureEnabled,
		MonitorAccessLevel: FeatureEnabled, ModelExperimentsAccessLevel: FeatureEnabled,
		PackagesEnabled: true, SharedRunnersEnabled: true, GroupRunnersEnabled: true, LfsEnabled: true,
		CiDefaultGitDepth: 20, CiForwardDeploymentEnabled: true, CiSeparatedCaches: true, CiAllowForkPipelinesToRunInParentProject: true,
		BuildGitStrategy: "fetch", BuildTimeout: 3600, AutoCancelPendingPipelines: "enabled", PublicJobs: true, KeepLatestArtifact: true,
		RequestAccessEnabled: true, RemoveSourceBranchAfterMerge: true, PrintingMergeRequestLinkEnabled: true, MergeMethod: "merge",
		SquashOption: "default_off", EnforceAuthChecksOnUploads: true, AutoDevopsDeployStrategy: "continuous", AutocloseReferencedIssues: true,
	}
}

// TopicList are the topics of a project, in the order in which they were given.
func (p Project) TopicList() []string {
	if p.Topics == "" {
		return []string{}
	}
	return strings.Split(p.Topics, ",")
}

// Place is what a project shows of the namespace that it lies in.
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

// Origin is what a fork shows of the project that it was made from, if the reader sees that.
type Origin struct {
	ID       *int64
	Name     *string
	FullName *string
	Path     *string
	FullPath *string
}

// ProjectOwner is the user whose own namespace a project lies in.
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
	Inherited Access       // the reader's role by its groups, and by groups that it is shared with
	Admin     bool         `gorm:"-"` // whether the reader is an administrator
	SignedIn  bool         `gorm:"-"`
}

// TableName is where most of the row comes from.
func (ProjectRow) TableName() string { return "projects" }

// Role is the reader's highest role; administrators own everything.
func (r ProjectRow) Role() Access {
	if r.Admin {
		return Owner
	}
	return max(r.Direct, r.Inherited)
}

// ReadsCode tells whether the reader may read the repository: members from reporter up and, unless it is for members
// only, everybody who sees a project that is not private.
func (r ProjectRow) ReadsCode() bool {
	switch r.Project.RepositoryAccessLevel {
	case FeatureDisabled:
		return r.Admin
	case FeaturePrivate:
		return r.Role() >= Reporter
	}
	return r.Role() >= Reporter || r.Project.Visibility > Private
}

// CodeVisibility is how visible the repository is: as the project or, where it is for members only, as a private one.
func (p Project) CodeVisibility() Visibility {
	if p.RepositoryAccessLevel != FeatureEnabled {
		return Private
	}
	return p.Visibility
}

// ReadsJobs tells whether the reader may see pipelines and jobs: reporters and, where jobs are public, everybody who sees
// the project, unless CI is for members only. Jobs show commits, so where the code is for members only, or for nobody, jobs are
// for no more people than the code.
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

// ReadsIssues tells whether the reader may see issues: members and, unless they are for members only, everybody who sees the
// project.
func (r ProjectRow) ReadsIssues() bool { return r.reads(r.Project.IssuesAccessLevel) }

// ReadsSnippets tells the same of snippets; each may be for fewer.
func (r ProjectRow) ReadsSnippets() bool { return r.reads(r.Project.SnippetsAccessLevel) }

// ReadsWiki tells the same of the wiki.
func (r ProjectRow) ReadsWiki() bool { return r.reads(r.Project.WikiAccessLevel) }

func (r ProjectRow) reads(part FeatureAccess) bool {
	switch part {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.Role() >= Guest
	}
	return true
}

// ReadsPages tells whether the reader may see the site of the project: members and, unless it is for members only, everybody who
// sees the project.
func (r ProjectRow) ReadsPages() bool {
	switch r.Project.PagesAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.Role() >= Guest
	}
	return true
}

// SeesConfidential tells whether the reader sees every confidential issue; others see those that they wrote or do.
func (r ProjectRow) SeesConfidential() bool { return r.Role() >= Reporter }

// ReadsMergeRequests tells whether the reader may see merge requests, which takes reading the repository.
func (r ProjectRow) ReadsMergeRequests() bool {
	switch r.Project.MergeRequestsAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.ReadsCode() && r.Role() >= Reporter
	}
	return r.ReadsCode()
}

// MayFork tells whether the reader may make a fork: who reads the code, where forking is for them.
func (r ProjectRow) MayFork() bool {
	switch r.Project.ForkingAccessLevel {
	case FeatureDisabled:
		return false
	case FeaturePrivate:
		return r.ReadsCode() && r.Role() >= Guest
	}
	return r.ReadsCode()
}

// MayPropose tells whether the reader may open merge requests: developers here, all others from a fork.
func (r ProjectRow) MayPropose() bool {
	if !r.SignedIn || r.Project.Archived || r.Project.MergeRequestsAccessLevel == FeatureDisabled {
		return false
	}
	if r.Project.MergeRequestsAccessLevel == FeaturePrivate && r.Role() < Guest {
		return false
	}
	return r.Role() >= Developer || r.ReadsCode()
}

// ProjectRedirect is a path that a project had before.
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

// Starrer is a user who has starred a project, and since when.
type Starrer struct {
	User  User `gorm:"embedded"`
	Since time.Time
}

// TableName is where most of the row comes from.
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

// Row is a project as that user sees it.
func (r ProjectReader) Row(p Project) ProjectRow {
	return ProjectRow{Project: p, Direct: r.Role, Admin: r.Admin, SignedIn: true}
}
