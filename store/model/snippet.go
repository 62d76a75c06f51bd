package model

import (
	"encoding/json"
	"time"
)

// Snippet is a few files that a user shares, as a personal snippet or in a project.
type Snippet struct {
	ID                 int64
	ProjectID          *int64 // nil for a personal snippet
	AuthorID           int64
	Title              string
	Description        *string
	Visibility         Visibility
	Files              string // a JSON array of their paths, in tree order
	RepositoryStorage  string
	RepositoryReadOnly bool
	Head               string // the commit that is shown
	UserAgent          string // of the client that created it
	IPAddress          string `gorm:"column:ip_address"`
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// Paths returns the paths of the snippet's files.
func (s Snippet) Paths() []string {
	var paths []string
	if json.Unmarshal([]byte(s.Files), &paths) != nil {
		return nil
	}
	return paths
}

// SetPaths sets the paths of the snippet's files.
func (s *Snippet) SetPaths(paths []string) error {
	text, err := json.Marshal(paths)
	s.Files = string(text)
	return err
}

// SnippetRow is a snippet with the data that is shown with it.
type SnippetRow struct {
	Snippet Snippet
	Author  User
	Project *Project // nil for a personal snippet
}
