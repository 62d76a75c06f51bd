package model

import "time"

// RepositoryKind says what a repository is of.
type RepositoryKind string

// The kinds of repositories.
const (
	ProjectRepository     RepositoryKind = "project"
	ProjectWikiRepository RepositoryKind = "project_wiki" // lies where its project does, and moves with it
	GroupWikiRepository   RepositoryKind = "group_wiki"
	SnippetRepository     RepositoryKind = "snippet"
)

// DefaultStorage is where repositories are made.
const DefaultStorage = "default"

// SideBranch is the one branch of a repository that is not a project's own.
const SideBranch = "main"

// SidePlace is where a repository that is not a project's own is now.
type SidePlace struct {
	Storage  string
	ReadOnly bool
	Head     string // the commit that its branch is at; empty for none
}

// ProjectWiki is the wiki of a project; it is there from the first write on.
type ProjectWiki struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	Head      string
	UpdatedAt time.Time
}

// GroupWiki is the wiki of a group; it is there from the first write on.
type GroupWiki struct {
	GroupID            int64 `gorm:"primaryKey;autoIncrement:false"`
	RepositoryStorage  string
	RepositoryReadOnly bool
	Head               string
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// DeletedSideRepository is a repository whose snippet or group is gone.
type DeletedSideRepository struct {
	Kind      RepositoryKind `gorm:"primaryKey"`
	OwnerID   int64          `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}
