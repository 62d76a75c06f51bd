package model

import "time"

// RepositoryKind is the kind of a repository.
type RepositoryKind string

// The kinds of repositories.
const (
	ProjectRepository     RepositoryKind = "project"
	ProjectWikiRepository RepositoryKind = "project_wiki" // on the storage of its project, and moves with it
	GroupWikiRepository   RepositoryKind = "group_wiki"
	SnippetRepository     RepositoryKind = "snippet"
)

// DefaultStorage is the storage for new repositories.
const DefaultStorage = "default"

// SideBranch is the only branch of a wiki or snippet repository.
const SideBranch = "main"

// SideRepository is the current location of a wiki or snippet repository.
type SideRepository struct {
	Storage  string
	ReadOnly bool
	Head     string // the commit of its branch; empty for none
}

// ProjectWiki is the wiki of a project. The row exists from the first write on.
type ProjectWiki struct {
	ProjectID int64 `gorm:"primaryKey;autoIncrement:false"`
	Head      string
	UpdatedAt time.Time
}

// GroupWiki is the wiki of a group. The row exists from the first write on.
type GroupWiki struct {
	GroupID            int64 `gorm:"primaryKey;autoIncrement:false"`
	RepositoryStorage  string
	RepositoryReadOnly bool
	Head               string
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// DeletedSideRepository is a repository of a deleted snippet or group.
type DeletedSideRepository struct {
	Kind      RepositoryKind `gorm:"primaryKey"`
	OwnerID   int64          `gorm:"primaryKey;autoIncrement:false"`
	CreatedAt time.Time
}
