package model

import "time"

// The types of the links of a release.
const (
	LinkOther   = "other"
	LinkRunbook = "runbook"
	LinkImage   = "image"
	LinkPackage = "package"
)

// Release describes a tag of a project.
type Release struct {
	ID          int64
	ProjectID   int64
	Tag         string
	SHA         string `gorm:"column:sha"` // of the commit that the tag pointed to; empty if it was no commit
	Name        *string
	Description *string
	AuthorID    *int64
	ReleasedAt  time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Title returns the name of a release; without one, its tag.
func (r Release) Title() string {
	if r.Name != nil && *r.Name != "" {
		return *r.Name
	}
	return r.Tag
}

// ReleaseLink is a file that a release links to.
type ReleaseLink struct {
	ID        int64
	ReleaseID int64
	Name      string
	URL       string  `gorm:"column:url"`
	FilePath  *string `gorm:"column:filepath"` // begins with a slash; the path of the file below the downloads of the release
	LinkType  string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// ReleaseMilestone is a milestone of a release.
type ReleaseMilestone struct {
	ReleaseID   int64 `gorm:"primaryKey"`
	MilestoneID int64 `gorm:"primaryKey"`
}

// ReleaseMilestoneRow is a milestone of a release with the number of its issues.
type ReleaseMilestoneRow struct {
	MilestoneRow `gorm:"embedded"`
	ReleaseID    int64
	Issues       int64
	ClosedIssues int64
}

// TableName returns the table that most columns come from.
func (ReleaseMilestoneRow) TableName() string { return "milestones" }

// ReleaseRow is a release with everything that it shows.
type ReleaseRow struct {
	Release    Release
	Author     *User         // nil if the account was deleted
	Links      []ReleaseLink // newest first
	Milestones []ReleaseMilestoneRow
	Protected  bool // the project has rules for tags
}
