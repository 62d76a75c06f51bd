package model

import (
	"encoding/json"
	"time"
)

// Snippet is a few files that somebody shows to others, by itself or in a project.
type Snippet struct {
	ID                 int64
	ProjectID          *int64 // nil for a personal one
	AuthorID           int64
	Title              string
	Description        *string
	Visibility         Visibility
	Files              string // a JSON array of their paths, in the order of the tree
	RepositoryStorage  string
	RepositoryReadOnly bool
	Head               string // the commit that is shown
	UserAgent          string // of who made it
	IPAddress          string `gorm:"column:ip_address"`
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// Paths are the files of the snippet.
func (s Snippet) Paths() []string {
	var paths []string
	if json.Unmarshal([]byte(s.Files), &paths) != nil {
		return nil
	}
	return paths
}

// SetPaths notes the files of the snippet.
func (s *Snippet) SetPaths(paths []string) error {
	text, err := json.Marshal(paths)
	s.Files = string(text)
	return err
}

// SnippetRow is a snippet with what it is shown with.
type SnippetRow struct {
	Snippet Snippet
	Author  User
	Project *Project // nil for a personal one
}
